"""What a turn, a call and a session cost as a whole."""

import json
import os
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from benchmarks.cases import ARGUMENTS, CALL, Case, built, floor_of, realistic
from benchmarks.conftest import Measure
from seamlaw import (
    Block,
    Interceptors,
    Message,
    ProviderRequest,
    Replace,
    ToolCall,
    ToolResult,
    block,
    gate,
    parse_rules,
    replace,
)
from seamlaw_host.bench import Work, calling
from seamlaw_host.cli._main import seamlaw
from seamlaw_host.engine import Engine
from seamlaw_host.ledger import Ledger
from seamlaw_host.policies import load_policy
from seamlaw_host.replay import Judge
from seamlaw_host.sessions import Malformed, Recorded, read_session

POLICY = str(Path(__file__).parents[1] / "examples/policies/coding_agent.toml")
MESSAGES = (
    Message("system", "You are a coding agent."),
    Message("user", "Tidy the greeting, run the tests and publish."),
    Message("assistant", "I shall look at the repository first.", tool_calls=[CALL]),
)
REQUEST = ProviderRequest("a-model", MESSAGES, tools=[{"name": "bash"}, {"name": "edit"}], kwargs={"temperature": 0})
RESULT = ToolResult("On branch main\nnothing to commit, working tree clean\n" * 8)


def no_keys_in_context(messages: tuple[Message, ...]) -> Block | None:
    """The last message holds no private key."""
    return block("a private key") if "PRIVATE KEY" in messages[-1].text else None


def known_model(request: ProviderRequest) -> Block | None:
    """The model is one of those that are meant."""
    return None if request.model in ("a-model", "another-model") else block("an unknown model")


def no_force_push(call: ToolCall) -> Block | None:
    """No command rewrites history."""
    command = call.arguments["command"]
    return block("a force push") if "push" in command and "--force" in command else None


def stays_inside(call: ToolCall) -> Block | None:
    """The command runs in the workspace."""
    return None if call.arguments["cwd"].startswith("/srv/workspace") else block("outside")


def no_keys_in_output(result: ToolResult, call: ToolCall) -> Block | None:
    """The output holds no private key."""
    return block("a private key") if "PRIVATE KEY" in str(result.output) else None


FIVE = Interceptors(
    context=[no_keys_in_context],
    provider_request=[known_model],
    tool_call=[gate(no_force_push, tools=["bash", "run_*"]), gate(stays_inside)],
    tool_result=[no_keys_in_output],
)


def bare_turn() -> None:
    """The same five, called by hand."""
    no_keys_in_context(MESSAGES)
    known_model(REQUEST)
    no_force_push(CALL)
    stays_inside(CALL)
    no_keys_in_output(RESULT, CALL)


def turn_of(bundle: Interceptors) -> Callable[[], None]:
    """A turn at all four seams."""
    made = built(bundle)

    def turn() -> None:
        made.context(MESSAGES)
        made.provider_request(REQUEST)
        made.tool_call(CALL)
        made.tool_result(RESULT, CALL)

    return turn


def test_turn(measure: Measure) -> None:
    """One governed turn, which all five let through."""
    measure(Case("turn/passes", calling(turn_of(FIVE)), calling(bare_turn), "the five called by hand"))


def test_turn_with_a_replacement(measure: Measure) -> None:
    """The same, with one that sets a time-out each time."""

    def limited(call: ToolCall) -> Replace | None:
        return replace(ToolCall(call.id, call.name, {**call.arguments, "timeout": 30}))

    def bare() -> None:
        limited(CALL)
        bare_turn()

    bundle = Interceptors(
        context=FIVE.context,
        provider_request=FIVE.provider_request,
        tool_call=[limited, *FIVE.tool_call],
        tool_result=FIVE.tool_result,
    )
    measure(Case("turn/replaces", calling(turn_of(bundle)), calling(bare), "the six called by hand"))


# Where the time of a governed call goes


def done(**arguments: object) -> object:
    """The tool."""
    return RESULT.output


def recorded_calls() -> Work:
    """Calls, and their records, redacted: a ledger puts that off, so it is drained at the end of each sample."""
    ledger = Ledger()
    call = Engine(FIVE, ledger=ledger).call

    def work(number: int) -> None:
        for _ in range(number):
            call("bash", done, ARGUMENTS)
        ledger.records()

    return work


def parts() -> dict[str, Work]:
    """A governed call, and what it is made of; each is measured alone."""
    made = built(FIVE)
    engine = Engine(FIVE)

    def decided() -> None:
        made.tool_call(CALL)
        made.tool_result(RESULT, CALL)

    def asked() -> None:
        no_force_push(CALL)
        stays_inside(CALL)
        no_keys_in_output(RESULT, CALL)

    return {
        "Engine.call, recorded": recorded_calls(),
        "Engine.call": calling(engine.call, "bash", done, ARGUMENTS),
        "values": lambda number: [
            (ToolCall("call-1", "bash", ARGUMENTS), ToolResult(RESULT.output)) for _ in range(number)
        ],
        "plan": calling(decided),
        "interceptors": calling(asked),
    }


@pytest.mark.parametrize("part", ["Engine.call", "Engine.call, recorded", "values", "plan", "interceptors"])
def test_governed_call(measure: Measure, part: str) -> None:
    """A call through the engine, recorded and without a record, and its parts."""
    made = parts()
    measure(Case(f"governed/{part}", made[part], made["interceptors"], "its interceptors called by hand"))


# Sessions

COMMANDS = ("git status --short", "pytest -q tests", "ls -la src", "cat README.md", "git push --force origin main")


def lines(count: int) -> list[str]:
    """A session in Seamlaw's own shape: commands, reads and edits, with their results."""

    def line(at: int) -> dict[str, Any]:
        if at % 3 == 0:
            call: dict[str, Any] = {"tool": "Bash", "arguments": {"command": COMMANDS[at // 3 % len(COMMANDS)]}}
        elif at % 3 == 1:
            call = {"tool": "Read", "arguments": {"file_path": f"/tmp/demo/src/module_{at % 50}.py"}}
        else:
            arguments = {"file_path": f"/tmp/demo/src/{at % 50}.py", "old_string": "a", "new_string": "b" * 200}
            call = {"tool": "Edit", "arguments": arguments}
        return {**call, "agent": "main", "result": {"output": "done\n" * 10}}

    return [json.dumps(line(at)) for at in range(count)]


def recorded(path: Path, count: int) -> tuple[list[str], list[Recorded]]:
    """The lines, written to a file, and the calls read from it."""
    written = lines(count)
    path.write_text("\n".join(written) + "\n", "utf-8")
    events = [event for event in read_session(str(path)).events if not isinstance(event, Malformed)]
    if len(events) != count:
        raise AssertionError("the session was not read")
    return written, events


@pytest.mark.parametrize("count", [100, 1_000, 10_000])
def test_judge(measure: Measure, tmp_path: Path, count: int) -> None:
    """A session of so many calls and results, decided; beside the parsing of its lines."""
    written, events = recorded(tmp_path / "session.jsonl", count)
    judge = Judge(load_policy(POLICY))

    def play() -> None:
        for event in events:
            judge.judge(event)

    def parse() -> None:
        for line in written:
            json.loads(line)

    measure(
        Case(f"session/{count}", calling(play), calling(parse), "json.loads of its lines", count),
        pairs=7,
        sample_s=0.02,
    )


@pytest.mark.parametrize("count", [100, 1_000, 10_000])
def test_replay(measure: Measure, figure: Callable[..., None], tmp_path: Path, count: int) -> None:
    """The command `seamlaw replay --json` over the same session, its output thrown away."""
    written, _ = recorded(tmp_path / "session.jsonl", count)
    least: list[float] = []

    def replay(number: int) -> None:
        for _ in range(number):
            begun = time.perf_counter()
            with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
                seamlaw.main(["replay", str(tmp_path / "session.jsonl"), "-p", POLICY, "--json"], standalone_mode=False)
            least.append(time.perf_counter() - begun)

    def parse() -> None:
        for line in written:
            json.loads(line)

    measure(Case(f"replay/{count}", replay, calling(parse), "json.loads of its lines", count), pairs=3, sample_s=0.02)
    figure(f"replay/{count} calls", count / min(least), "calls per second")


@pytest.mark.parametrize("count", [1, 4, 16, 64])
def test_rules_that_apply(measure: Measure, count: int) -> None:
    """So many rules for this tool, each with a condition that does not hold; beside functions that test the same."""
    rules = [
        {"refuse": "no", "tools": "bash", "when": [{"at": "/command", "contains": f"forbidden-{at:03}"}]}
        for at in range(count)
    ]
    run = built(Interceptors(rules=parse_rules(rules))).tool_call
    measure(
        Case(
            f"rules/applying/{count}", calling(run, CALL), floor_of(realistic(count)), "a bare loop of functions", count
        )
    )
