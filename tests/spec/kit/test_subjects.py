"""Whatever is called a policy becomes a subject: seam, tools and values are found by themselves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    TOOL_CALL,
    TOOL_RESULT,
    Block,
    Interceptors,
    Message,
    Policy,
    Seam,
    ToolCall,
    block,
    gate,
    parse_rules,
)
from seamlaw_spec.kit import Shown, check, errors, never_raises, part_of, subject_of
from seamlaw_spec.kit._constants import constants_of
from seamlaw_spec.kit._explore import explore
from seamlaw_spec.kit._parts import parts_of
from seamlaw_spec.kit._seam_of import seam_of


def of_messages(given: tuple[Message, ...]) -> None:
    """Told by its annotation."""


def of_two(result: Any, call: Any) -> None:
    """Told by how much it takes."""


def of_score(items: Any) -> Any:
    """Told by what it asks of a value."""
    return [item for item in items if item.score]


def of_output(it: Any) -> Any:
    """Told by a field."""
    return it.output


def of_kwargs(it: Any) -> Any:
    """Told by a field."""
    return it.kwargs


def of_arguments(it: Any) -> Any:
    """Told by a field."""
    return it.arguments


def of_nothing(it: Any) -> None:
    """Nothing tells."""


SEAMS_OF: list[tuple[Callable[..., object], Seam[Any]]] = [
    (of_messages, CONTEXT),
    (of_two, TOOL_RESULT),
    (of_score, MEMORY),
    (of_output, TOOL_RESULT),
    (of_kwargs, PROVIDER_REQUEST),
    (of_arguments, TOOL_CALL),
    (of_nothing, TOOL_CALL),
    (gate(of_messages), CONTEXT),
]


@pytest.mark.parametrize(("function", "seam"), SEAMS_OF)
def test_the_seam_of_a_bare_callable_is_found(function: Callable[..., object], seam: Seam[Any]) -> None:
    """By its annotation, by how much it takes, by what it asks of a value; else it is tool_call."""
    assert seam_of(function) is seam


class Limit:
    """A policy that keeps count, as packs do."""

    def __init__(self) -> None:
        self.seen = 0

    def interceptors(self) -> Interceptors:
        """What it does."""
        return Interceptors(tool_call=[self.judge])

    def judge(self, call: ToolCall) -> Block | None:
        """Block the third."""
        self.seen += 1
        return block("too many") if self.seen > 2 else None


def never_x(call: ToolCall) -> bool:
    """A requirement."""
    return call.name != "x"


RULE = parse_rules([{"refuse": "no", "tools": "rm"}])[0]
POLICY = Policy("p").require(never_x, reason="no x")


@pytest.mark.parametrize(
    ("policy", "parts"),
    [
        (Interceptors(tool_call=[of_score], memory=[of_score]), ["tool_call: of_score", "memory: of_score"]),
        (Limit, ["tool_call: judge"]),
        (Limit(), ["tool_call: judge"]),
        (POLICY, ["tool_call: p"]),
        (~POLICY | POLICY, ["tool_call: (~p | p)"]),
        (Policy("q").require(of_two, hook="post"), ["tool_result: q"]),  # type: ignore[arg-type]
        (RULE, ["tool_call: rules[0]"]),
        ([RULE, POLICY, of_two], ["tool_call: rules[0]", "tool_call: p", "tool_result: of_two"]),
        (lambda: Interceptors(context=[of_messages]), ["context: of_messages"]),
    ],
)
def test_whatever_is_called_a_policy_is_taken(policy: object, parts: list[str]) -> None:
    """A bundle, a pack or its class, a policy, a rule, a callable, a list of these, a factory."""
    assert sorted(part.label for part in parts_of(subject_of(policy))) == sorted(parts)


@pytest.mark.parametrize("policy", [7, None, "nowhere:policy", "policy.txt", "os:nothing", lambda: 7, Interceptors])
def test_what_is_no_policy_is_refused_by_its_name(policy: object) -> None:
    """A number, a module that is not there, a factory that makes nothing; an empty bundle is one without parts."""
    if policy is Interceptors:
        assert parts_of(subject_of(policy)) == ()
        return
    with pytest.raises(errors.NotAPolicy):
        subject_of(policy)


@pytest.mark.parametrize("policy", [Limit, Limit(), Limit().judge])
def test_each_trace_gets_a_fresh_instance(policy: object) -> None:
    """A class is called for each trace, and an object that keeps state is copied."""
    part = part_of(policy)
    shown = Shown(ToolCall("1", "x"))
    assert [[heard.level.value for heard in part.play([shown] * 3)] for _ in range(2)] == [
        ["allow", "allow", "block"]
    ] * 2


def test_a_file_of_rules_and_a_file_of_code_are_found(tmp_path: Path) -> None:
    """Rules in TOML and JSON, and `file.py:name`; a key that is given twice in JSON is refused."""
    (tmp_path / "p.toml").write_text('[[rules]]\nrefuse = "no"\n', "utf-8")
    (tmp_path / "p.json").write_text('{"rules": [{"refuse": "no", "tools": "rm"}]}', "utf-8")
    (tmp_path / "p.yaml").write_text('rules:\n  - refuse: "no"\n    tools: [rm]\n', "utf-8")
    (tmp_path / "twice.json").write_text('{"rules": [], "rules": []}', "utf-8")
    (tmp_path / "p.py").write_text("def judge(call): return None\n", "utf-8")
    for name, part in (("p.toml", "rules[0]"), ("p.json", "rules[0]"), ("p.yaml", "rules[0]"), ("p.py:judge", "judge")):
        assert [one.name for one in parts_of(subject_of(str(tmp_path / name)))] == [part]
    with pytest.raises(errors.NotAPolicy, match="a key twice"):
        subject_of(str(tmp_path / "twice.json"))


NAMES = frozenset({"deploy", "drop_table"})


def far_away(call: ToolCall) -> Block | None:
    """What it stops can be met only by who has read its code."""
    if call.name in NAMES and call.arguments.get("force-it") and call.arguments["region"].startswith("eu-central"):
        return block("not there")
    return None


def test_the_constants_of_a_policy_are_found_in_its_code_and_in_what_it_uses() -> None:
    """Names from a global, keys that are asked for only after others, prefixes: together they meet the one call."""
    explored = explore(part_of(gate(far_away)), examples=300)
    assert explored.counts["block"] > 0
    (stopped, *_) = [one.value for one in explored.telling if "eu-central" in str(one.value.arguments)]
    assert stopped.name in NAMES
    assert set(stopped.arguments) == {"force-it", "region"}


def test_docstrings_and_the_standard_library_are_no_constants() -> None:
    """What is gathered is what decides, not what is written about it."""
    found = constants_of(gate(far_away))
    assert "What it stops can be met only by who has read its code." not in found.texts
    assert {"eu-central", "force-it", "region"} <= set(found.texts)


def test_values_of_your_own_are_taken_in_place_of_made_ones() -> None:
    """A strategy for a seam, of values or of all that is shown; one that the seam does not carry is refused."""
    calls = st.just(ToolCall("1", "only"))
    seen: set[str] = set()

    def looks(call: ToolCall) -> None:
        seen.add(call.name)

    check(looks, only=["never_raises"], strategies={"tool_call": calls})
    check(looks, only=["never_raises"], strategies={"tool_call": calls.map(Shown)})
    assert seen == {"only"}
    with pytest.raises(errors.NotAPolicy, match="does not carry"):
        check(looks, only=["never_raises"], strategies={"tool_call": st.just(7)})


def test_a_seam_of_your_own_is_verified_by_your_values() -> None:
    """A host's seam over `dict` gets JSON objects by itself."""
    own: Seam[Any] = Seam("own", dict, on_fault="open")

    def wants(given: Any) -> Any:
        return given["absent"]

    report = check(Interceptors(seams={own: [wants]}), only=["never_raises"])
    assert [one.part.label for one in report.broken("law")] == ["own: wants"]


def test_a_law_that_is_not_there_is_named_with_those_that_are() -> None:
    """A typing mistake does not verify nothing."""
    with pytest.raises(errors.UnknownLaw, match=r"never_raise; there are .*never_raises"):
        check(of_two, only=["never_raise"])


def test_a_policy_that_exits_is_found_and_the_kit_goes_on() -> None:
    """`sys.exit()` inside a policy is an exception that leaves it."""

    def leaves(call: ToolCall) -> None:
        raise SystemExit(0)

    assert not never_raises(part_of(leaves), [Shown(ToolCall("1", "x"))])


def test_a_part_that_never_says_anything_is_told() -> None:
    """That laws hold of silence says little."""
    assert check(of_nothing, only=["never_raises"], examples=20).silent == ("tool_call: of_nothing",)
