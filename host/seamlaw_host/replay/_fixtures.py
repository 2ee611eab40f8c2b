"""Recorded decisions as a file of tests: each call with what was decided of it, as plain literals.

Whatever stands in a record is written by `repr`, of JSON alone, so that nothing in it can be code.
"""

import json
from collections.abc import Iterable, Iterator
from pprint import pformat
from typing import Any

from attrs import define, field, frozen

from seamlaw import Scope, ToolCall, ToolResult, Verdict, thaw
from seamlaw_host.sessions import Malformed, Recorded, Was

from ._changes import json_text
from ._differences import differences
from ._judge import Judge, Judged

__all__ = ["Fixtures", "decided_again"]

SCOPE = ("session", "agent", "role", "trust", "chain", "domain")
HEAD = '''"""What was decided, as tests: each call of a ledger, with what was decided of it.

Made by `seamlaw fixtures`. A case is skipped where a part of the call was not recorded as it was, and expected to
fail where the policy decided otherwise when this file was made.
"""

from pathlib import Path
from typing import Any

import pytest

from seamlaw_host.policies import load_policies
from seamlaw_host.replay import Judge, decided_again

HERE = Path(__file__).parent
JUDGE = Judge(load_policies({policies}))
CASES = [
'''
TAIL = ''']


@pytest.mark.parametrize(("call", "decided"), CASES)
def test_the_policy_decides_as_was_recorded(call: dict[str, Any], decided: dict[str, Any]) -> None:
    """Verdict, who decided and why, what goes on, and what becomes of the result."""
    again = decided_again(JUDGE, call)
    assert {name: again[name] for name in decided} == decided
'''


def decided_again(judge: Judge, call: dict[str, Any]) -> dict[str, Any]:
    """Decide a call of a file of tests, in the circumstances that it tells."""
    scope = Scope(**{name: call[name] for name in SCOPE if name in call})
    result = ToolResult(**call["result"]) if "result" in call else None
    made = ToolCall("", call["tool"], call["arguments"])
    was = Was(Verdict.PROCEED, state=call.get("state", {}))
    judged = judge.judge(Recorded("", made, scope, result, "" if result is not None else None, was))
    return _decided(judged)


def _decided(judged: Judged) -> dict[str, Any]:
    outcome, result = judged.call, judged.result
    goes_on = outcome.verdict is not Verdict.BLOCK
    shown = None
    if judged.recorded.result is not None and goes_on:
        shown = Verdict.PROCEED.value if result is None else result.verdict.value
    return {
        "verdict": outcome.verdict.value,
        "decided_by": outcome.interceptor,
        "reason": outcome.reason,
        "effective": {"tool": outcome.value.name, "arguments": thaw(outcome.value.arguments)} if goes_on else None,
        "result": shown,
    }


@frozen
class _Case:
    place: str
    call: dict[str, Any]
    decided: dict[str, Any]
    mark: str = ""

    @property
    def key(self) -> str:
        """What makes two cases one."""
        return json.dumps([self.call, self.decided, self.mark], sort_keys=True)

    def lines(self) -> Iterator[str]:
        """Write it."""
        yield "    pytest.param(\n"
        for each in (self.call, self.decided):
            yield "".join(
                f"        {line}\n" for line in (pformat(each, width=108, sort_dicts=False) + ",").splitlines()
            )
        yield f"        marks=pytest.mark.{self.mark},\n" if self.mark else ""
        yield f"        id={self.place!a},\n    ),\n"


@define
class Fixtures:
    """The cases of a ledger under a policy; two that are the same are one, and there are at most `most`."""

    judge: Judge
    most: int = 1_000
    cases: int = 0
    skipped: int = 0
    differing: int = 0
    left_out: int = 0
    _seen: set[str] = field(factory=set[str])

    def written(self, events: Iterable[Recorded | Malformed], policies: Iterable[str]) -> Iterator[str]:
        """Write the file in pieces; `policies` are Python expressions of what is to be loaded."""
        yield HEAD.replace("{policies}", ", ".join(policies))
        for event in events:
            case = self._case(event)
            if case is None or case.key in self._seen:
                continue
            if self.cases >= self.most:
                self.left_out += 1
                continue
            self._seen.add(case.key)
            self.cases += 1
            self.skipped += case.mark.startswith("skip")
            self.differing += case.mark.startswith("xfail")
            yield from case.lines()
        yield TAIL

    def _case(self, event: Recorded | Malformed) -> _Case | None:
        if isinstance(event, Malformed):
            mark = f"skip(reason={event.problem!a})"
            return None if event.tool is None else _Case(event.place, {"tool": event.tool}, {}, mark)
        if event.was is None:
            return None
        judged = self.judge.judge(event)
        call, decided = _call(judged, event.was), _was(event, event.was)
        if judged.unreliable:
            return _Case(event.place, call, decided, f"skip(reason={'; '.join(judged.unreliable)!a})")
        return _Case(event.place, call, decided, _mark(judged, decided))


def _mark(judged: Judged, decided: dict[str, Any]) -> str:
    """Expect a case to fail if it would, now."""
    again = _decided(judged)
    if {name: again[name] for name in decided} == decided:
        return ""
    told = "; ".join(f"{each.what} was {each.before}, is {each.after}" for each in differences(judged))
    return f"xfail(strict=True, reason={told or 'the reason is another one'!a})"


def _call(judged: Judged, was: Was) -> dict[str, Any]:
    recorded = judged.recorded
    scope = {name: value for name in SCOPE if (value := getattr(recorded.scope, name))}
    call: dict[str, Any] = {"tool": recorded.call.name, "arguments": _plain(recorded.call.arguments), **scope}
    if judged.asked:
        call["state"] = _plain({name: was.state[name] for name in sorted(judged.asked) if name in was.state})
    if recorded.result is not None and was.result_verdict is not None:
        result = recorded.result
        call["result"] = {"output": _plain(result.output), "error": result.error, "metadata": _plain(result.metadata)}
    return call


def _was(recorded: Recorded, was: Was) -> dict[str, Any]:
    """Say what was decided, as far as it can be compared with what is decided again."""
    decided: dict[str, Any] = {"verdict": was.verdict.value}
    if was.verdict is not Verdict.PROCEED and was.decided_by is not None:
        decided["decided_by"] = was.decided_by
    if was.verdict is Verdict.BLOCK:
        decided["reason"] = was.reason
    elif not was.changed or was.effective is not None:
        goes_on = was.effective or recorded.call
        decided["effective"] = {"tool": goes_on.name, "arguments": _plain(goes_on.arguments)}
    if was.result_verdict is not None and recorded.result is not None and was.verdict is not Verdict.BLOCK:
        decided["result"] = was.result_verdict.value
    return decided


def _plain(value: object) -> Any:
    return json.loads(json_text(value))
