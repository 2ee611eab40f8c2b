"""`seamlaw bench`: what it tells, and when it fails a pipeline."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]
Write = Callable[..., str]

BASH = '{"tool": "bash", "arguments": {"command": "ls"}, "agent": "main", "result": {"output": "notes"}}'
READ = '{"tool": "read", "arguments": {"path": "notes"}}'
NO_CALL = '{"tool": "bash", "arguments": 7}'
BROKEN = '{"tool": "bash", "arguments": {'
CODE = """\
from seamlaw import Interceptors, gate
def quick(call): return None
def slow(call): sum(range(5_000))
def fails(call): return call.arguments["of a session alone"]
bundle = Interceptors(tool_call=[quick, gate(slow)], tool_result=[lambda result: None])
failing = Interceptors(tool_call=[fails])
empty = Interceptors()
observed = Interceptors(handlers=[quick])
"""


@pytest.fixture
def code(tmp_path: Path) -> str:
    """Write a policy in Python."""
    path = tmp_path / "policies.py"
    path.write_text(CODE, "utf-8")
    return f"{path}:bundle"


def bench(run: Run, *arguments: str) -> Result:
    """Measure for a moment."""
    return run("bench", *arguments, "--seconds", "0.05")


def measured(run: Run, *arguments: str) -> dict[str, Any]:
    """Measure, and read the one JSON object."""
    result = bench(run, *arguments, "--json")
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def scaled(data: dict[str, Any], factor: float) -> str:
    """The same measurement, had everything cost so many times as much."""
    for seam in data["seams"]:
        seam["empty_calls"] *= factor
        for part in seam["interceptors"]:
            part["empty_calls"] *= factor
    return json.dumps(data)


def test_a_table_for_each_seam_names_the_dearest_first(run: Run, code: str) -> None:
    """The planted slow one leads; the kernel has its line; what the columns mean is said."""
    result = bench(run, code)
    assert result.exit_code == 0, result.output
    lines = [line.strip() for line in result.stdout.splitlines()]
    table = lines[lines.index(next(line for line in lines if line.startswith("tool_call"))) :]
    names = [line.split()[0] for line in table if line.startswith(("slow ", "quick ", "(the kernel)"))][:3]
    assert names == ["slow", "quick", "(the"]
    assert "times a bare loop" in table[0]
    assert any(line.startswith("tool_result") for line in lines)
    assert "An empty call is a call of a function that does nothing." in result.stdout
    assert all(line == line.rstrip() for line in result.stdout.splitlines())


def test_json_has_every_figure_as_a_ratio_too(run: Run, code: str) -> None:
    """One object of the schema, with the policy, what it was measured on, and the versions."""
    found = measured(run, code)
    assert (found["schema"], found["type"], found["measured_on"]) == ("seamlaw/1", "bench", "made-up values")
    assert set(found["versions"]) == {"python", "seamlaw"}
    (seam,) = [seam for seam in found["seams"] if seam["seam"] == "tool_call"]
    slow, quick = seam["interceptors"]
    assert (slow["interceptor"], slow["kind"], quick["interceptor"], quick["kind"]) == (
        "slow",
        "gate",
        "quick",
        "chain",
    )
    assert slow["empty_calls"] > 20 * quick["empty_calls"]
    assert abs(sum(part["share"] for part in seam["interceptors"]) + seam["kernel"] - 1) < 0.5
    assert seam["ratio"] > 0


def test_a_session_is_measured_on_its_own_calls_and_results(run: Run, code: str, session: Write) -> None:
    """As many values as it has; what cannot be read is told and left out."""
    result = bench(run, code, "--session", session(BASH, READ, BROKEN), "--json")
    found = json.loads(result.stdout)
    assert (found["measured_on"], result.exit_code) == ("session", 0)
    assert {seam["seam"]: seam["values"] for seam in found["seams"]} == {"tool_call": 2, "tool_result": 1}
    assert result.stderr.startswith("seamlaw: left out, line 3: ")


def test_rules_are_measured_too(run: Run, policy: str) -> None:
    """A file of rules, on calls of the tools that they name."""
    (seam,) = measured(run, policy)["seams"]
    assert {part["interceptor"] for part in seam["interceptors"]} == {"no-rm", "push", "fill", "seen"}
    assert {part["kind"] for part in seam["interceptors"]} == {"rule", "default"}


def test_several_policies_are_merged(run: Run, policy: str, code: str) -> None:
    """All are asked."""
    found = measured(run, policy, code)
    named = {part["interceptor"] for seam in found["seams"] for part in seam["interceptors"]}
    assert {"no-rm", "slow", "quick"} <= named


def test_who_fails_is_told(run: Run, code: str) -> None:
    """A figure that is that of a fault is no figure of the policy."""
    result = bench(run, code.replace(":bundle", ":failing"))
    assert "fails failed on 1 of 1 values" in result.stdout


def test_a_regression_fails_the_pipeline_and_is_named(run: Run, code: str, tmp_path: Path) -> None:
    """Where everything cost a tenth before, each is told with both figures, and the exit code is 1."""
    old = tmp_path / "old.json"
    old.write_text(scaled(measured(run, code), 0.1), "utf-8")
    result = bench(run, code, "--compare", str(old))
    assert result.exit_code == 1
    assert "seamlaw: slower: tool_call as a whole: " in result.stderr
    assert "seamlaw: slower: tool_call, slow: " in result.stderr
    assert "25% is let pass" in result.stderr


def test_a_planted_slow_interceptor_is_a_regression(run: Run, code: str, tmp_path: Path) -> None:
    """The interceptor that became slow is named, and the one that did not is not."""
    old = tmp_path / "old.json"
    file = Path(code.partition(":")[0])
    file.write_text(CODE.replace("5_000", "50"), "utf-8")
    old.write_text(json.dumps(measured(run, code)), "utf-8")
    file.write_text(CODE, "utf-8")
    result = bench(run, code, "--compare", str(old), "--tolerance", "4")
    assert result.exit_code == 1
    assert "slower: tool_call, slow: " in result.stderr
    assert "slower: tool_call, quick: " not in result.stderr


def test_what_costs_no_more_passes(run: Run, code: str, tmp_path: Path) -> None:
    """Where everything cost ten times as much before, the exit code is 0, and it is said."""
    old = tmp_path / "old.json"
    old.write_text(scaled(measured(run, code), 10), "utf-8")
    result = bench(run, code, "--compare", str(old))
    assert (result.exit_code, result.stderr) == (0, "seamlaw: nothing costs more than before by more than 25%\n")


def test_what_cannot_be_compared_well_is_said(run: Run, code: str, session: Write, tmp_path: Path) -> None:
    """Other values, other versions, and what is no longer there."""
    old = tmp_path / "old.json"
    before = measured(run, code)
    before["versions"]["python"] = "3.0"
    before["seams"][0]["interceptors"].append({"interceptor": "gone", "empty_calls": 1})
    old.write_text(scaled(before, 10), "utf-8")
    result = bench(run, code, "--compare", str(old), "--session", session(BASH))
    assert "the earlier figures were measured on other values" in result.stderr
    assert "the earlier figures were measured with another Python" in result.stderr
    assert "no longer there: tool_call, gone" in result.stderr


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"type": "bench"}', '{"type": "bench", "seams": [{}]}', "\ud800"])
def test_what_is_no_earlier_measurement_is_refused(run: Run, code: str, tmp_path: Path, text: str) -> None:
    """It is a mistake of usage, before anything is measured."""
    old = tmp_path / "old.json"
    old.write_bytes(text.encode("utf-8", "surrogatepass"))
    result = bench(run, code, "--compare", str(old))
    assert (result.exit_code, "is not what seamlaw bench --json wrote" in result.stderr) == (2, True)


@pytest.mark.parametrize("name", ["empty", "observed"])
def test_nothing_to_measure_is_no_success(run: Run, code: str, name: str) -> None:
    """A bundle to which nobody listens measures nothing, and says so."""
    result = bench(run, code.replace(":bundle", f":{name}"))
    assert (result.exit_code, "Nobody listens at any seam" in result.stderr) == (2, True)


def test_a_session_without_a_call_is_a_mistake(run: Run, code: str, session: Write) -> None:
    """Nothing is measured on nothing."""
    result = bench(run, code, "--session", session(NO_CALL))
    assert (result.exit_code, "there is no call in it that could be read" in result.stderr) == (2, True)


def test_what_a_policy_prints_while_it_is_measured_goes_to_standard_error(run: Run, tmp_path: Path) -> None:
    """Standard output is the report's alone."""
    path = tmp_path / "loud.py"
    path.write_text("from seamlaw import Interceptors\nbundle = Interceptors(tool_call=[lambda call: print('loud')])\n")
    result = bench(run, f"{path}:bundle", "--json")
    assert ("loud" in result.stdout.replace("loud.py", ""), "loud" in result.stderr) == (False, True)
