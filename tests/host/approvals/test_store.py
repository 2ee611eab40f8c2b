"""Durable approvals: bound to what would run, used once, kept through a restart, in SQLite and in Postgres."""

import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.host.approvals.asking import CANARY, MASK, Masking, Says, Tool, asking, called

from seamlaw import Interceptors, block, gate
from seamlaw_host.approvals import (
    Approvals,
    ApprovalStore,
    InvalidApprovals,
    NotAnApprover,
    NotOpen,
    StoreHandler,
    StoreUnavailable,
    UnknownApproval,
)
from seamlaw_host.engine import Engine, session

Clock = Callable[[float], float]


def engine_of(store: ApprovalStore, bundle: Interceptors | None = None, **options: Any) -> Engine:
    """An engine whose asks wait in a store."""
    its = Approvals({"store": StoreHandler(store, **options)}, redactor=Masking())
    return Engine(bundle or asking("store://"), approvals=its)


def waiting(store: ApprovalStore) -> str:
    """The id of the one that is pending."""
    (one,) = store.list("pending")
    return one.id


def test_a_call_waits_and_proceeds_once_when_it_comes_again(url: str) -> None:
    """Denied with the id; after the grant, with its keys in another order, it proceeds; then it is asked again."""
    store, tool = ApprovalStore(url), Tool()
    engine = engine_of(store)
    told = called(engine, tool, {"branch": "main", "force": True})
    id = waiting(store)
    assert told == f"may it? (pending approval {id})"
    assert called(engine, tool, {"branch": "main", "force": True}) == told
    assert store.grant(id, by="anna").state == "granted"
    assert called(engine, tool, {"force": True, "branch": "main"}) == "done"
    assert tool.starts == [{"force": True, "branch": "main"}]
    assert store.get(id).state == "used"
    told = called(engine, tool, {"force": True, "branch": "main"})
    assert f"pending approval {waiting(store)}" in told
    assert waiting(store) != id
    assert len(tool.starts) == 1


def test_it_survives_a_restart(url: str) -> None:
    """Another process, another engine and another store on the same database go on."""
    assert "pending" in called(engine_of(ApprovalStore(url)), Tool(), {"branch": "main"})
    id = waiting(ApprovalStore(url))
    ApprovalStore(url).grant(id, by="anna")
    tool = Tool()
    assert called(engine_of(ApprovalStore(url)), tool, {"branch": "main"}) == "done"
    assert len(tool.starts) == 1


def test_the_async_driver_does_the_same(sqlite_url: str) -> None:
    """Parked, granted, used once."""
    store, tool = ApprovalStore(sqlite_url), Tool()
    engine = engine_of(store)
    assert "pending" in called(engine, tool, {}, in_loop=True)
    store.grant(waiting(store), by="anna")
    assert [called(engine, tool, {}, in_loop=True), len(tool.starts)] == ["done", 1]
    assert "pending" in called(engine, tool, {}, in_loop=True)


CHANGES: dict[str, Callable[[ApprovalStore], str]] = {
    "value": lambda store: called(engine_of(store), Tool(), {"branch": "release"}),
    "more": lambda store: called(engine_of(store), Tool(), {"branch": "main", "force": None}),
    "nothing": lambda store: called(engine_of(store), Tool(), {}),
    "reason": lambda store: called(
        engine_of(store, asking("store://", reason="is it so?")), Tool(), {"branch": "main"}
    ),
    "asker": lambda store: called(engine_of(store, asking("store://", name="other")), Tool(), {"branch": "main"}),
    "target": lambda store: called(engine_of(store, asking("store://b")), Tool(), {"branch": "main"}),
    "time-out": lambda store: called(engine_of(store, asking("store://", timeout_s=9)), Tool(), {"branch": "main"}),
}
CALLERS: dict[str, dict[str, Any]] = {
    "session": {"session": "s2"},
    "agent": {"agent": "a2"},
    "role": {"role": "admin"},
    "trust": {"trust": "high"},
    "domain": {"domain": "d2"},
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_grant_is_for_that_ask_of_that_value_alone(what: str, sqlite_url: str) -> None:
    """Another value, asker, reason, target or time-out is asked anew, and the grant is not used for it."""
    store = ApprovalStore(sqlite_url)
    called(engine_of(store), Tool(), {"branch": "main"})
    id = waiting(store)
    store.grant(id, by="anna")
    assert "pending approval" in CHANGES[what](store)
    assert store.get(id).state == "granted"
    assert called(engine_of(store), Tool(), {"branch": "main"}) == "done"


@pytest.mark.parametrize("what", CALLERS)
def test_a_grant_is_for_that_caller_alone(what: str, sqlite_url: str) -> None:
    """Another session, agent, role, trust or domain is asked anew."""
    store = ApprovalStore(sqlite_url)
    engine = engine_of(store)
    with session("s1", agent="a1"):
        called(engine, Tool(), {})
        id = waiting(store)
        store.grant(id, by="anna")
        with session(**CALLERS[what]):
            assert "pending approval" in called(engine, Tool(), {})
        assert store.get(id).state == "granted"
        assert called(engine, Tool(), {}) == "done"


def test_a_value_with_a_python_object_is_refused(sqlite_url: str) -> None:
    """Nobody could tell it from another later: nothing is kept, and nothing can be granted."""
    store = ApprovalStore(sqlite_url)
    told = called(engine_of(store), Tool(), {"connection": object()})
    assert "Python object" in told
    assert store.list() == []


def test_it_expires_granted_or_not(url: str, now: Clock) -> None:
    """A grant that comes late is refused, one that is used late is asked anew."""
    store = ApprovalStore(url, clock=lambda: now(0))
    engine = engine_of(store, lifetime_s=60)
    called(engine, Tool(), {})
    first = waiting(store)
    now(60)
    with pytest.raises(NotOpen, match="expired"):
        store.grant(first, by="anna")
    assert [one.state for one in store.list()] == ["expired"]
    assert "pending" in called(engine, Tool(), {})
    second = waiting(store)
    assert second != first
    store.grant(second, by="anna")
    now(59.5)
    assert store.get(second).state == "granted"
    now(0.5)
    assert store.get(second).state == "expired"
    assert "pending" in called(engine, Tool(), {})
    assert [one.id for one in store.list("expired")] == [first, second]


def test_the_time_out_of_an_ask_is_how_long_it_waits(sqlite_url: str, now: Clock) -> None:
    """`timeout_s` goes before `lifetime_s`."""
    store = ApprovalStore(sqlite_url, clock=lambda: now(0))
    called(engine_of(store, asking("store://", timeout_s=90), lifetime_s=5), Tool(), {})
    assert store.get(waiting(store)).expires == now(0) + 90


def test_several_approvers_may_be_needed(url: str) -> None:
    """One person twice is one approver."""
    store, tool = ApprovalStore(url), Tool()
    engine = engine_of(store, needed=2, approvers=["anna", "bob", "carl"])
    called(engine, tool, {})
    id = waiting(store)
    assert [store.grant(id, by="anna").state for _ in range(2)] == ["pending", "pending"]
    assert "pending" in called(engine, tool, {})
    with pytest.raises(NotAnApprover):
        store.grant(id, by="mallory")
    with pytest.raises(NotAnApprover):
        store.deny(id, by="mallory")
    assert tool.starts == []
    found = store.grant(id, by="bob", reason="seen")
    assert (found.state, found.granted_by) == ("granted", ("anna", "bob"))
    assert [called(engine, tool, {}), len(tool.starts)] == ["done", 1]


@pytest.mark.parametrize(
    ("first", "second"), [("Zoë", "Zoe\u0308"), ("anna", "ANNA"), ("anna", " anna "), ("ﬁn", "FIN")]
)
def test_one_person_is_one_approver_however_the_name_is_written(first: str, second: str, url: str) -> None:
    """Two were needed, and one granted twice: in capitals, with a space, with an accent composed otherwise."""
    store, tool = ApprovalStore(url), Tool()
    engine = engine_of(store, needed=2)
    called(engine, tool, {})
    id = waiting(store)
    assert [store.grant(id, by=by).state for by in (first, second)] == ["pending", "pending"]
    assert "pending" in called(engine, tool, {})
    assert tool.starts == []
    assert store.grant(id, by="bob").state == "granted"


def test_a_denial_outranks_grants(url: str) -> None:
    """Also one that comes after enough have granted, also of one who has granted; and it stands."""
    for first, second in ((["anna"], "bob"), (["anna", "bob"], "carl"), (["anna", "bob"], "bob"), ([], "anna")):
        store = ApprovalStore(url)
        engine, tool = engine_of(store, needed=2), Tool()
        arguments: dict[str, object] = {"case": [first, second]}
        called(engine, tool, arguments)
        id = waiting(store)
        for by in first:
            store.grant(id, by=by)
        assert store.deny(id, by=second, reason="no").state == "denied"
        assert called(engine, tool, arguments) == f"may it? (approval {id} was denied, by {second})"
        with pytest.raises(NotOpen, match="denied"):
            store.grant(id, by="dora")
        assert tool.starts == []


def test_nobody_grants_what_they_ask_for_themselves(sqlite_url: str) -> None:
    """The agent that calls is no approver of it; it may withdraw."""
    store = ApprovalStore(sqlite_url)
    with session(agent="coder"):
        called(engine_of(store), Tool(), {})
    for by in ("coder", "Coder", "coder ", "\uff23oder"):
        with pytest.raises(NotAnApprover):
            store.grant(waiting(store), by=by)
    assert store.deny(waiting(store), by="coder").state == "denied"


def test_a_used_one_can_be_neither_granted_nor_denied(sqlite_url: str) -> None:
    """What has run has run: whoever denies is told that it is too late."""
    store = ApprovalStore(sqlite_url)
    engine = engine_of(store)
    called(engine, Tool(), {})
    id = waiting(store)
    store.grant(id, by="anna")
    assert called(engine, Tool(), {}) == "done"
    for answer in (store.grant, store.deny):
        with pytest.raises(NotOpen, match="used"):
            answer(id, by="bob")


def test_an_unknown_id_is_said_to_be_unknown(sqlite_url: str) -> None:
    """For showing, granting and denying."""
    store = ApprovalStore(sqlite_url)
    with pytest.raises(UnknownApproval):
        store.get("nothing")
    for answer in (store.grant, store.deny):
        with pytest.raises(UnknownApproval):
            answer("nothing", by="anna")


@pytest.mark.parametrize("by", ["", " ", "x" * 201, "a\nb", "a\x1b[2J", "anna\u202e"])
def test_an_approver_has_a_name_that_can_be_read(by: str, sqlite_url: str) -> None:
    """An empty, endless or invisible name is refused."""
    store = ApprovalStore(sqlite_url)
    called(engine_of(store), Tool(), {})
    with pytest.raises(InvalidApprovals):
        store.grant(waiting(store), by=by)
    with pytest.raises(InvalidApprovals):
        store.grant(waiting(store), by="anna", reason="x" * 2001)


# Several asks of one call, several calls


def test_the_asks_of_one_call_are_used_together_or_not_at_all(url: str) -> None:
    """While one is not granted no grant is used up; equal asks need an approval each."""
    store, tool = ApprovalStore(url), Tool()
    same = asking("store://").tool_call
    bundle = Interceptors(tool_call=[*same, *asking("store://", name="other").tool_call, *same])
    engine = engine_of(store, bundle)
    for granted in range(3):
        assert len(store.list("granted")) == granted
        called(engine, tool, {})
        called(engine, tool, {})
        assert len(store.list("pending")) == 3 - granted
        store.grant(store.list("pending")[0].id, by="anna")
    assert tool.starts == []
    assert [called(engine, tool, {}), len(tool.starts)] == ["done", 1]
    assert len(store.list("used")) == 3


@pytest.mark.parametrize("targets", [("store://", "cli://"), ("cli://", "store://")])
def test_a_grant_is_not_used_up_by_a_call_that_somebody_else_refuses(targets: tuple[str, str], sqlite_url: str) -> None:
    """A store is asked last, whatever the order of the asks."""
    store, tool = ApprovalStore(sqlite_url), Tool()
    said: list[bool] = [True, False, True]
    its = Approvals({"store": StoreHandler(store), "cli": Says(lambda _: said.pop(0))}, redactor=Masking())
    engine = Engine(asking(*targets), approvals=its)
    called(engine, tool, {})
    id = waiting(store)
    store.grant(id, by="anna")
    called(engine, tool, {})
    assert (store.get(id).state, tool.starts) == ("granted", [])
    assert [called(engine, tool, {}), store.get(id).state] == ["done", "used"]


def test_the_siblings_of_an_approved_call_are_decided_again(sqlite_url: str) -> None:
    """A batch resumed after one of its calls was granted: each is decided anew, by the policy of now."""
    store, tool = ApprovalStore(sqlite_url), Tool()
    allowed = asking("store://").tool_call
    frozen: list[str] = []
    refused = gate(lambda call: block("frozen") if call.arguments["branch"] in frozen else None, name="freeze")
    engine = engine_of(store, Interceptors(tool_call=[*allowed, refused]))
    branches = ["a", "b", "c"]

    def resumed() -> list[str]:
        return [called(engine, tool, {"branch": branch}) for branch in branches]

    assert all("pending" in told for told in resumed())
    first, second, _ = store.list("pending")
    store.grant(first.id, by="anna")
    told = resumed()
    assert told[0] == "done"
    assert all("pending" in it for it in told[1:])
    assert tool.starts == [{"branch": "a"}]
    store.grant(second.id, by="anna")
    frozen.append("b")
    told = resumed()
    assert told[1] == "frozen"
    assert store.get(second.id).state == "granted"
    assert tool.starts == [{"branch": "a"}]


# What is kept


def test_a_secret_is_nowhere_in_the_database(sqlite_url: str) -> None:
    """Of arguments, names and reasons only the redacted form is kept; the ask is named by a digest."""
    store = ApprovalStore(sqlite_url)
    bundle = asking(f"store://{CANARY}", reason=f"because of {CANARY}", name=CANARY)
    with session(CANARY, agent=CANARY, role=CANARY, domain=CANARY):
        told = called(engine_of(store, bundle), Tool(), {"token": CANARY, CANARY: [CANARY]})
    assert "pending approval" in told
    assert CANARY.encode() not in Path(sqlite_url.removeprefix("sqlite:///")).read_bytes()
    (found,) = store.list()
    assert (found.arguments, found.message) == ({"token": MASK, MASK: [MASK]}, f"because of {MASK}")
    assert (found.session, found.agent, found.target) == (MASK, MASK, f"store://{MASK}")


def test_what_is_shown_is_what_would_run(url: str) -> None:
    """The arguments come back as they are, with what cannot be seen escaped, NUL and big integers included."""
    store = ApprovalStore(url)
    arguments: dict[str, object] = {"a\x00b": "\x1b[2J\u202e\x00", "big": 2**70, "none": None, "deep": [[{"x": 1.5}]]}
    called(engine_of(store, asking("store://", reason="r\x00\u202e")), Tool(), arguments)
    (found,) = store.list()
    assert found.arguments == arguments
    assert found.message == "r\\u0000\\u202e"


def test_the_file_is_its_owners_alone(sqlite_url: str) -> None:
    """Whoever can write to the database can grant."""
    ApprovalStore(sqlite_url)
    mode = Path(sqlite_url.removeprefix("sqlite:///")).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_no_more_are_kept_than_may_wait(sqlite_url: str) -> None:
    """An agent cannot fill the store, and what comes on top of it is denied."""
    store = ApprovalStore(sqlite_url, most_pending=2)
    engine, tool = engine_of(store), Tool()
    told = [called(engine, tool, {"n": n}) for n in range(4)]
    assert ["pending approval " in it for it in told] == [True, True, False, False]
    assert "no more are kept" in told[3]
    store.grant(store.list("pending")[0].id, by="anna")
    assert called(engine, tool, {"n": 0}) == "done"


def test_what_is_long_over_can_be_forgotten(url: str, now: Clock) -> None:
    """`forget` removes what expired before, with its votes, and nothing that lives."""
    store = ApprovalStore(url, clock=lambda: now(0))
    engine = engine_of(store, lifetime_s=10)
    called(engine, Tool(), {"n": 1})
    store.grant(waiting(store), by="anna")
    called(engine, Tool(), {"n": 1})
    now(100)
    called(engine, Tool(), {"n": 2})
    assert [store.forget(1000), store.forget(50), len(store.list())] == [0, 1, 1]
    assert waiting(store)


@pytest.mark.parametrize(
    "bad",
    [
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://u:hunter2@h/d",
        "approvals.db",
        "",
        "postgresql://u:hunter2@h:port/d",
        "sqlite:///file:x?mode=memory&uri=true",
    ],
)
def test_what_is_no_durable_store_is_refused(bad: str) -> None:
    """Memory, another database, a path without a scheme; no password is quoted."""
    with pytest.raises(InvalidApprovals) as refused:
        ApprovalStore(bad)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("bad", ["sqlite:////nowhere/at/all.db", "postgresql://u:hunter2@127.0.0.1:1/d"])
def test_a_database_that_is_not_there_is_told_of_without_its_password(bad: str) -> None:
    """The error is the host's own, and one line."""
    with pytest.raises(StoreUnavailable) as failed:
        ApprovalStore(bad)
    assert "hunter2" not in str(failed.value)
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize("options", [{"needed": 0}, {"needed": 3, "approvers": ["a", "b"]}, {"lifetime_s": 0},
                                     {"needed": 2, "approvers": ["a", "a"]}, {"lifetime_s": float("nan")}])  # fmt: skip
def test_a_handler_that_could_never_grant_is_refused(options: dict[str, Any], sqlite_url: str) -> None:
    """More needed than there are approvers, none needed, no time."""
    with pytest.raises(InvalidApprovals):
        StoreHandler(ApprovalStore(sqlite_url), **options)


def test_a_store_that_fails_denies(sqlite_url: str) -> None:
    """The tables are gone: the call is blocked, no statement and no value is told."""
    store, tool = ApprovalStore(sqlite_url), Tool()
    Path(sqlite_url.removeprefix("sqlite:///")).write_bytes(b"no database at all" * 100)
    told = called(engine_of(store), tool, {"token": CANARY})
    assert "StoreUnavailable" in told
    assert not any(word in told for word in (CANARY, MASK, "SELECT", "UPDATE", "seamlaw_approvals"))
    assert tool.starts == []


# At the same time


@pytest.mark.parametrize("why", ["pending", "used", "expired", "denied"])
def test_only_a_grant_that_stands_can_be_used(why: str, url: str, now: Clock) -> None:
    """The compare-and-set itself, below the locks: what is in another state is not used, and nothing is changed."""
    from seamlaw_host.approvals import _rows as rows

    store = ApprovalStore(url, clock=lambda: now(0))
    engine = engine_of(store, lifetime_s=60)
    called(engine, Tool(), {})
    id = waiting(store)
    if why != "pending":
        store.grant(id, by="anna")
    if why == "used":
        called(engine, Tool(), {})
    elif why == "expired":
        now(60)
    elif why == "denied":
        store.deny(id, by="bob")
    with pytest.raises(StoreUnavailable), store._transaction() as connection:
        rows.use(connection, now(0), id)
    assert store.get(id).state == why


def test_of_many_threads_one_uses_a_grant(url: str) -> None:
    """Eight threads call the same at once; each grant starts the tool once."""
    store, tool = ApprovalStore(url), Tool()
    engine = engine_of(store)
    called(engine, tool, {})
    rounds = 3
    for n in range(1, rounds + 1):
        store.grant(waiting(store), by="anna")
        barrier = threading.Barrier(8)

        def call(barrier: threading.Barrier = barrier) -> str:
            barrier.wait()
            return called(engine, tool, {})

        with ThreadPoolExecutor(8) as pool:
            told = [one.result() for one in [pool.submit(call) for _ in range(8)]]
        assert (told.count("done"), len(tool.starts)) == (1, n)
        assert len({it for it in told if it != "done"}) == 1
        assert len(store.list("pending")) == 1


@pytest.mark.parametrize("deny", [False, True])
def test_votes_at_the_same_time_all_count(deny: bool, url: str) -> None:
    """Eight approvers at once, eight needed; with one denial among them it is denied."""
    store, barrier = ApprovalStore(url), threading.Barrier(8)
    called(engine_of(store, needed=8), Tool(), {})
    id = waiting(store)

    def vote(by: str) -> None:
        barrier.wait()
        try:
            (store.deny if deny and by == "p3" else store.grant)(id, by=by)
        except NotOpen:
            assert deny

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(vote, f"p{i}") for i in range(8)]:
            done.result()
    assert store.get(id).state == ("denied" if deny else "granted")


def test_two_that_begin_at_once_share_a_database(url: str) -> None:
    """The tables are made once, whoever comes first."""
    barrier = threading.Barrier(4)

    def begin() -> ApprovalStore:
        barrier.wait()
        return ApprovalStore(url)

    with ThreadPoolExecutor(4) as pool:
        stores = [one.result() for one in [pool.submit(begin) for _ in range(4)]]
    assert [store.list() for store in stores] == [[]] * 4
