"""The law `an_approval_is_for_one_value` for approvals that are kept: a model, and steps in any order."""

import secrets
import tempfile
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from attrs import define, evolve, field
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from tests.host.approvals.asking import Masking, Tool, asking, called

from seamlaw import digest
from seamlaw_host.approvals import (
    Approvals,
    ApprovalStore,
    NotAnApprover,
    NotOpen,
    Request,
    StoreHandler,
    Vote,
    _rows,
    _store,
)
from seamlaw_host.approvals._rows import vote
from seamlaw_host.engine import Engine, session

LIFETIME_S = 100.0
Caller = tuple[str | None, str | None]  # session, agent
VALUES = st.sampled_from([{"a": 2**53, "b": [1, {"c": None, "d": "x"}]}, {"a": 2**53 + 1, "b": [1, {"c": None}]}, {}])
CALLERS: st.SearchStrategy[Caller] = st.sampled_from([(None, None), ("s1", "coder"), ("s2", "coder")])
ASKERS = st.sampled_from(["gate", "other"])


@define
class Kept:
    """What the model knows of an approval."""

    value: Any
    caller: Caller
    asker: str
    expires: float
    grants: set[str] = field(factory=set[str])
    denied: bool = False
    used: bool = False


def shuffled(value: Any, data: st.DataObject) -> Any:
    """The same JSON with its keys in another order."""
    if isinstance(value, dict):
        keys: list[str] = data.draw(st.permutations(list(cast("dict[str, Any]", value))))
        return {key: shuffled(value[key], data) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, data) for item in cast("Sequence[Any]", value)]
    return value


class Approving(RuleBasedStateMachine):
    """Calls come in any order, people answer, time passes, processes begin anew."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.url = f"sqlite:///{self.folder.name}/approvals.db"
        self.now = 1000.0
        self.needed = 1
        self.model: dict[str, Kept] = {}
        self.restart()

    @initialize(needed=st.integers(1, 2))
    def configure(self, needed: int) -> None:
        """One must grant, or two."""
        self.needed = needed

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule()
    def restart(self) -> None:
        """Another process goes on with what is in the file."""
        self.store = ApprovalStore(self.url, clock=lambda: self.now)

    @rule(seconds=st.sampled_from([1.0, LIFETIME_S / 2, LIFETIME_S]))
    def pass_time(self, seconds: float) -> None:
        """Time goes on."""
        self.now += seconds

    @rule(target=ids, data=st.data(), value=VALUES, caller=CALLERS, asker=ASKERS)
    def call(self, data: st.DataObject, value: Any, caller: Caller, asker: str) -> object:
        """Any call comes."""
        return self.put(data, value, caller, asker)

    @rule(target=ids, data=st.data(), id=ids)
    def come_again(self, data: st.DataObject, id: str) -> object:
        """A call that came comes again, with its keys in some order."""
        kept = self.model[id]
        return self.put(data, kept.value, kept.caller, kept.asker)

    def live(self, value: Any, caller: Caller, asker: str) -> tuple[str, Kept] | None:
        """The approval that stands for a call now."""
        for id, kept in self.model.items():
            same = digest(kept.value) == digest(value) and (kept.caller, kept.asker) == (caller, asker)
            if same and not kept.used and kept.expires > self.now:
                return id, kept
        return None

    def put(self, data: st.DataObject, value: Any, caller: Caller, asker: str) -> object:
        """A call proceeds iff a grant stands for just this, which is then used up; gives the id of a new approval."""
        handler = StoreHandler(self.store, needed=self.needed, lifetime_s=LIFETIME_S)
        engine = Engine(asking("store://", name=asker), approvals=Approvals({"store": handler}, redactor=Masking()))
        stands, tool = self.live(value, caller, asker), Tool()
        with session(caller[0], agent=caller[1]):
            told = called(engine, tool, shuffled(value, data))
        granted = stands is not None and not stands[1].denied and len(stands[1].grants) >= self.needed
        assert (told == "done", len(tool.starts)) == ((True, 1) if granted else (False, 0)), told
        if stands is None:
            (id,) = {one.id for one in self.store.list("pending")} - set(self.model)
            assert f"pending approval {id}" in told
            self.model[id] = Kept(value, caller, asker, self.now + LIFETIME_S)
            return id
        id, kept = stands
        assert granted or id in told
        kept.used = granted
        return cast(object, multiple())

    @rule(id=ids, names=st.permutations(["anna", "bob", "carl"]))
    def grant_by_all(self, id: str, names: list[str]) -> None:
        """As many grant as are needed."""
        for by in names[: self.needed]:
            self.answer(id, by, grant=True)

    @rule(id=ids, grant=st.sampled_from([True, True, False]))
    def answer_twice(self, id: str, grant: bool) -> None:
        """One person says the same twice."""
        self.answer(id, "anna", grant=grant)
        self.answer(id, "anna", grant=grant)

    @rule(id=ids, grant=st.booleans())
    def answer_oneself(self, id: str, grant: bool) -> None:
        """The agent that asks answers."""
        self.answer(id, "coder", grant=grant)

    def answer(self, id: str, by: str, *, grant: bool) -> None:
        """Somebody grants or denies: it counts while it is open, and not for oneself."""
        kept = self.model[id]
        is_open = not kept.used and not kept.denied and kept.expires > self.now
        may = is_open and not (grant and by == kept.caller[1])
        try:
            (self.store.grant if grant else self.store.deny)(id, by=by)
        except (NotOpen, NotAnApprover):
            assert not may
            return
        assert may
        if grant:
            kept.grants.add(by)
        else:
            kept.denied = True

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        """State by state."""
        assert {one.id: one.state for one in self.store.list()} == {id: self.state(it) for id, it in self.model.items()}

    def state(self, kept: Kept) -> str:
        """The state of an approval in the model."""
        if kept.used:
            return "used"
        if kept.expires <= self.now:
            return "expired"
        return "denied" if kept.denied else "granted" if len(kept.grants) >= self.needed else "pending"


Approving.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestAnApprovalIsForOneValue = Approving.TestCase


# What a broken store does


def keyed_by(*names: str) -> Callable[[Sequence[Request]], list[str]]:
    """Name asks by less than all of what they are."""
    return lambda requests: [str([getattr(request.ask, name) for name in names]) for request in requests]


def unused(connection: object, now: float, id: str) -> None:
    """Let a grant be used and stay."""


def voted(connection: Any, id: str, said: Vote) -> None:
    """Count what a person says twice as two people."""
    vote(connection, id, evolve(said, by=f"{said.by} {said.at} {secrets.token_hex(4)}"))


def nothing_expires(connection: object, now: float, keys: object) -> None:
    """Let grants live for ever."""


BROKEN: dict[str, tuple[Any, str, object]] = {
    "any caller": (_store, "keys_of", keyed_by("digest", "interceptor", "reason")),
    "any value": (_store, "keys_of", keyed_by("scope", "interceptor")),
    "any asker": (_store, "keys_of", keyed_by("digest", "scope")),
    "used again": (_rows, "use", unused),
    "one person is two": (_rows, "vote", voted),
    "for ever": (_rows, "expire", nothing_expires),
}


@pytest.mark.slow
@pytest.mark.parametrize("bug", BROKEN)
def test_a_broken_store_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that forgets one part of what a grant is for, or its end, does not pass."""
    monkeypatch.setattr(*BROKEN[bug])
    quick = settings(
        max_examples=200,
        stateful_step_count=20,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        derandomize=True,
    )
    with pytest.raises((AssertionError, KeyError, ValueError)):
        run_state_machine_as_test(Approving, settings=quick)
