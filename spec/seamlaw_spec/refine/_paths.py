"""Code against code: CrossHair follows both through every path, with a name and texts that may be anything."""

import ast
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from attrs import define

from seamlaw import TOOL_CALL, Allow, Ask, Interceptor, Interceptors, Note, Replace, Scope, Several, ToolCall
from seamlaw.values._frozen import FrozenDict
from seamlaw_spec.kit.errors import MissingExtra

from ._refinement import Refinement, Verdict, loosened

__all__ = ["by_paths"]

MOST_KEYS = 3
ASKS, BLOCKS = 2, 3


@define
class _Compared:
    """What the functions below compare: CrossHair is given a function, not an object."""

    old: tuple[Interceptor, ...] = ()
    new: tuple[Interceptor, ...] = ()
    keys: tuple[str, ...] = ()
    least: int = 2  # as strict as what counts


NOW = _Compared()


def keeps_0(name: str) -> bool:
    """It keeps what the old one stopped.

    post: _
    """
    return _keeps(name, ())


def keeps_1(name: str, a: str | None) -> bool:
    """It keeps what the old one stopped.

    post: _
    """
    return _keeps(name, (a,))


def keeps_2(name: str, a: str | None, b: str | None) -> bool:
    """It keeps what the old one stopped.

    post: _
    """
    return _keeps(name, (a, b))


def keeps_3(name: str, a: str | None, b: str | None, c: str | None) -> bool:
    """It keeps what the old one stopped.

    post: _
    """
    return _keeps(name, (a, b, c))


KEEPS: tuple[Callable[..., bool], ...] = (keeps_0, keeps_1, keeps_2, keeps_3)


def _keeps(name: str, texts: Sequence[str | None]) -> bool:
    call = _call(name, {key: text for key, text in zip(NOW.keys, texts, strict=True) if text is not None})
    before, after = _strictness(NOW.old, call), _strictness(NOW.new, call)
    return after >= before or before < NOW.least


def _call(name: str, arguments: dict[str, Any]) -> ToolCall:
    """A call of texts that are not known yet, put together around its maker, which would look at each character."""
    held = dict.__new__(FrozenDict)
    dict[str, Any].update(held, arguments)
    made = object.__new__(ToolCall)
    for field, value in (("id", "id-1"), ("name", name), ("arguments", held)):
        object.__setattr__(made, field, value)
    return made


def _strictness(everyone: tuple[Interceptor, ...], call: ToolCall) -> int:
    """How strict these are, told without the kernel, whose care for odd answers would take CrossHair too long."""
    value, worst = call, 0
    for asked in everyone:
        if asked.function is None or not _admits(asked, value.name):
            continue
        try:
            answer = asked.ask((value,), Scope())
        except Exception:
            answer = True  # no decision, and so a fault
        if type(answer) is Replace and not asked.is_gate:
            value = answer.value
            continue
        worst = max(worst, _level(answer))
        if worst == BLOCKS and not asked.is_gate:
            return worst
    return worst


def _level(answer: object) -> int:
    if type(answer) is Several:
        return max(map(_level, answer.decisions), default=0)
    if type(answer) is Ask:
        return ASKS
    return 0 if answer is None or type(answer) in (Allow, Note) else BLOCKS


def _admits(asked: Interceptor, name: str) -> bool:
    tools = asked.tools
    return (
        not tools.patterns
        or any(name == one for one in tools.exact)
        or any(name.startswith(one) for one in tools.prefixes)
        or any(name.endswith(one) for one in tools.suffixes)
        or (tools.other is not None and tools.other.match(name) is not None)
    )


def by_paths(
    old: Interceptors, new: Interceptors, keys: set[str], *, seconds: float, blocks_only: bool = False
) -> Refinement:
    """Compare two policies of code; refined is what is confirmed over all paths."""
    if len(keys) > MOST_KEYS:
        return Refinement(Verdict.UNKNOWN, f"more than {MOST_KEYS} arguments are asked for: {', '.join(sorted(keys))}")
    try:
        crosshair, options = import_module("crosshair.core_and_libs"), import_module("crosshair.options")
    except ModuleNotFoundError:
        raise MissingExtra("CrossHair") from None
    NOW.old, NOW.new, NOW.keys = old.ordered(TOOL_CALL), new.ordered(TOOL_CALL), tuple(sorted(keys))
    NOW.least = BLOCKS if blocks_only else ASKS
    kind = [options.AnalysisKind.PEP316]
    told = options.AnalysisOptionSet(
        analysis_kind=kind, per_condition_timeout=seconds, per_path_timeout=seconds / 4, report_all=True
    )
    found = list(crosshair.run_checkables(crosshair.analyze_function(KEEPS[len(keys)], told)))
    return _read(found, old, new, blocks_only)


def _read(messages: list[Any], old: Interceptors, new: Interceptors, blocks_only: bool) -> Refinement:
    states = [message.state.name for message in messages]
    for message in messages:
        shown = _given(message.message)
        if shown is not None:
            arguments = {key: text for key, text in zip(NOW.keys, shown[1:], strict=True) if text is not None}
            call = ToolCall("id-1", str(shown[0]), arguments)
            looser = loosened(old, new, call, Scope(), "found by CrossHair", blocks_only)
            if looser is not None:
                return looser
    if states == ["CONFIRMED"]:
        texts = f" and any text, or none, as {', '.join(NOW.keys)}" if NOW.keys else ""
        return Refinement(Verdict.REFINES, f"confirmed by CrossHair over all paths, for any name{texts}")
    return Refinement(Verdict.UNKNOWN, "CrossHair could not follow every path in its time")


def _given(message: str) -> list[Any] | None:
    """The arguments of a counterexample, as it is told."""
    told = re.search(r"when calling keeps_\d(\(.*?\))(?: \(which returns.*)?$", message, re.DOTALL)
    try:
        call = ast.parse(f"f{told[1]}", mode="eval").body if told else None
        return [ast.literal_eval(argument) for argument in call.args] if isinstance(call, ast.Call) else None
    except (SyntaxError, ValueError):
        return None
