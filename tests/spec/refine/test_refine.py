"""Does the new policy stop what the old one stopped? Proved, confirmed, or shown by a call; else it is not known."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    TOOL_CALL,
    Ask,
    Block,
    Interceptors,
    Replace,
    ToolCall,
    ask,
    block,
    decide,
    gate,
    parse_rules,
    replace,
    rewriter,
)
from seamlaw_spec.refine import Verdict, _paths, refine

DOES, DOES_NOT, UNKNOWN = Verdict.REFINES, Verdict.DOES_NOT, Verdict.UNKNOWN


def rule(**given: Any) -> dict[str, Any]:
    """A refusal."""
    return {"refuse": "no", **given}


def at(place: str, **test: Any) -> list[dict[str, Any]]:
    """One condition."""
    return [{"at": place, **test}]


OUTSIDE = rule(tools=["write_*"], unless=at("/path", under="/srv/project"))
FORCE = rule(tools="bash", when=at("/command", matches=r"push .*--force"))
RULES: list[tuple[dict[str, Any], dict[str, Any], Verdict]] = [
    (rule(tools="a*"), rule(tools="a?*"), DOES_NOT),
    (rule(tools="a?*"), rule(tools="a*"), DOES),
    (rule(tools=["a", "b"]), rule(tools="[a-c]"), DOES),
    (OUTSIDE, OUTSIDE | {"unless": at("/path", under="/srv/project/here")}, DOES),
    (OUTSIDE, OUTSIDE | {"unless": at("/path", under="/srv")}, DOES_NOT),
    (OUTSIDE, OUTSIDE | {"unless": at("/path", starts_with="/srv/project")}, DOES_NOT),
    (FORCE, FORCE | {"when": at("/command", matches=r"push .*--?f")}, DOES),
    (FORCE, FORCE | {"when": at("/command", contains="push --force")}, DOES_NOT),
    (rule(when=at("/n", greater=10)), rule(when=at("/n", greater=9.5)), DOES),
    (rule(when=at("/n", greater=10)), rule(when=at("/n", greater=10.5)), DOES_NOT),
    (rule(when=at("/argv", contains="rm")), rule(when=at("/argv", any={"starts_with": "r"})), DOES),
    (rule(when=at("/argv", any={"starts_with": "r"})), rule(when=at("/argv", contains="rm")), DOES_NOT),
    (rule(when=at("/argv", any={"equals": "rm"})), rule(when=at("/argv", any={"one_of": ["rm", "dd"]})), DOES),
    (rule(unless=at("/x", exists=True)), rule(unless=at("/x", type_is="string")), DOES),
    (rule(agents="main"), rule(agents=["main", "sub"]), DOES),
    ({"ask": "sure?", "tools": "pay"}, rule(tools="p*"), DOES),
    (rule(tools="pay"), {"ask": "sure?", "tools": "p*"}, DOES_NOT),
]


@pytest.mark.parametrize(("old", "new", "verdict"), RULES)
def test_rules_are_compared_by_proof(old: dict[str, Any], new: dict[str, Any], verdict: Verdict) -> None:
    """Globs, paths, patterns, numbers, lists and callers: proved, or a call that the kernel decides as told."""
    before, after = (Interceptors(rules=parse_rules([it])) for it in (old, new))
    found = refine(before, after)
    assert found.verdict is verdict
    if found.call is None:
        assert found.how.startswith("proved")
        return
    told = [decide(it, TOOL_CALL, found.call, scope=found.scope).verdict.value for it in (before, after)]
    assert told == [found.old, found.new]


def test_a_question_that_takes_too_long_is_unknown() -> None:
    """No time, no answer."""
    old = rule(when=at("/c", matches=r"(?i)(curl|wget)\s[^;&]*\|\s*(sudo\s+)?(ba|da|z|k)?sh"))
    new = rule(when=at("/c", matches=r"(?i)(curl|wget)[^;]*\|[^;]*sh"))
    found = refine(Interceptors(rules=parse_rules([old])), Interceptors(rules=parse_rules([new])), seconds=0.001)
    assert (found.verdict, found.call) == (UNKNOWN, None)


@gate
def starts(call: ToolCall) -> Block | None:
    """By its beginning."""
    return block("dangerous") if call.name.startswith("dangerous_") else None


@gate
def dot(call: ToolCall) -> Block | None:
    """By a pattern whose dot is no line feed."""
    return block("dangerous") if re.match(r"dangerous_.", call.name) else None


@gate
def dot_all(call: ToolCall) -> Block | None:
    """By a pattern whose dot is anything."""
    return block("dangerous") if re.match(r"dangerous_.", call.name, re.DOTALL) else None


@gate
def wider(call: ToolCall) -> Block | None:
    """By less of its beginning."""
    return block("dangerous") if call.name.startswith("danger") else None


@gate(tools="bash")
def removes(call: ToolCall) -> Block | None:
    """By how the command begins."""
    return block("removes") if call.arguments["command"].startswith("rm -rf") else None


@gate(tools="bash")
def removes_text(call: ToolCall) -> Block | None:
    """The same, but of text alone."""
    command = call.arguments.get("command")
    return block("removes") if isinstance(command, str) and command.startswith("rm -rf") else None


@gate(tools="bash")
def removes_more(call: ToolCall) -> Block | None:
    """By less of the word; in doubt it blocks."""
    command = call.arguments.get("command")
    return block("removes") if not isinstance(command, str) or command.startswith("rm") else None


@gate
def pays(call: ToolCall) -> Ask | None:
    """It asks."""
    return ask("a payment") if call.name == "pay" else None


@gate
def pays_never(call: ToolCall) -> Block | None:
    """It blocks."""
    return block("no payments") if call.name == "pay" else None


CODE: list[tuple[object, object, Verdict]] = [
    (dot_all, dot, DOES_NOT),
    (starts, dot, DOES_NOT),
    (dot_all, starts, DOES),
    (starts, wider, DOES),
    (removes, removes_text, DOES_NOT),
    (removes, removes_more, DOES),
    (pays, pays_never, DOES),
    (pays_never, pays, DOES_NOT),
]


@pytest.mark.parametrize(("old", "new", "verdict"), CODE, ids=lambda it: getattr(it, "name", ""))
def test_code_is_compared_by_examples_and_paths(old: object, new: object, verdict: Verdict) -> None:
    """What refines is confirmed over all paths; what does not is shown by a call."""
    found = refine(old, new, examples=200, seconds=20)
    assert found.verdict is verdict, found
    assert (found.call is None) is (verdict is DOES)
    assert verdict is DOES_NOT or "confirmed by CrossHair over all paths" in found.how


def test_the_newline_bypass_is_found_by_crosshair_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without examples, paths alone lead to the line feed that a dot does not match."""
    found = _paths.by_paths(Interceptors(tool_call=[dot_all]), Interceptors(tool_call=[dot]), set(), seconds=20)
    assert (found.verdict, found.how) == (DOES_NOT, "found by CrossHair")
    assert found.call is not None
    assert found.call.name.startswith("dangerous_\n")


def test_what_both_have_is_set_aside() -> None:
    """Where the new policy has all code of the old one, only rules are to be compared."""
    one, two = parse_rules([rule(tools="a")]), parse_rules([rule(tools="a*")])
    old, new = Interceptors(tool_call=[removes], rules=one), Interceptors(tool_call=[removes, starts], rules=two)
    assert refine(old, new, examples=50).verdict is DOES
    assert refine(new, old, examples=200).verdict is DOES_NOT


def test_a_rewriter_more_is_not_set_aside() -> None:
    """One that renames what the old policy blocked lets it through."""

    @rewriter
    def renames(call: ToolCall) -> Replace | None:
        return replace(ToolCall(call.id, "safe", call.arguments)) if call.name.startswith("dangerous_") else None

    found = refine(starts, Interceptors(tool_call=[renames, starts]), examples=100)
    assert (found.verdict, found.new) == (DOES_NOT, "proceed")


def test_more_than_crosshair_can_follow_is_unknown() -> None:
    """A gate that hashes what it reads, or asks for many arguments, is not confirmed; that counts as a failure."""

    def of_many(call: ToolCall) -> Block | None:
        return block("no") if any(call.arguments.get(key) == "x" for key in "abcde") else None

    def of_many_too(call: ToolCall) -> Block | None:
        return block("no") if any(call.arguments.get(key) == "x" for key in "abcdef") else None

    assert refine(gate(of_many), gate(of_many_too), examples=50, seconds=5).verdict is UNKNOWN


class Limit:
    """A gate that keeps count."""

    def __init__(self) -> None:
        self.seen = 0

    def interceptors(self) -> Interceptors:
        """What it does."""
        return Interceptors(tool_call=[gate(self.judge)])

    def judge(self, call: ToolCall) -> Block | None:
        """Block the third."""
        self.seen += 1
        return block("too many") if self.seen > 2 else None


class Later(Limit):
    """A gate that keeps count, and blocks later."""

    def judge(self, call: ToolCall) -> Block | None:
        """Block the fourth."""
        self.seen += 1
        return block("too many") if self.seen > 3 else None


def test_what_keeps_state_is_not_compared_by_one_call() -> None:
    """A count that one call cannot show is unknown, and a factory is asked for."""
    assert refine(Limit, Later, examples=50).verdict is UNKNOWN
    assert refine(Limit, Limit, examples=50).verdict is DOES
    assert "give a function of nothing" in refine(Limit().judge, Limit, examples=50).how


def test_blocks_alone_can_be_compared() -> None:
    """An ask that is gone loosens, unless only blocks count."""
    assert refine(pays, starts, examples=100, seconds=10).verdict is DOES_NOT
    assert refine(pays, starts, examples=100, seconds=10, blocks_only=True).verdict is DOES


def test_a_comparison_that_is_broken_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing were as strict as anything, or examples were not tried, these tests would fail."""
    broken: Callable[..., int] = lambda *_: 0  # noqa: E731
    monkeypatch.setattr("seamlaw_spec.refine._refinement.strictness", broken)
    assert refine(pays_never, pays, examples=50, seconds=5).verdict is not DOES_NOT
