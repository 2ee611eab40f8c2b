"""The commands that judge policies: verify POLICY, refine, lint; what they find, and their exit codes."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

GATES = """
import os, re
from hypothesis import strategies as st
from seamlaw import ToolCall, ToolResult, block, gate, replace, rewriter

@gate
def careful(call):
    return block("no") if call.name == "rm" else None

@gate
def hasty(call):
    return block("no") if "rm" in call.arguments["command"] else None

@gate
def small(call):
    return block("no") if "drop table" in str(call.arguments.get("sql")) else None

@gate
def dot(call):
    return block("dangerous") if re.match(r"dangerous_.", call.name) else None

@gate
def dot_all(call):
    return block("dangerous") if re.match(r"dangerous_.", call.name, re.DOTALL) else None

@gate
def begins(call):
    return block("dangerous") if call.name.startswith("dangerous_") else None

@rewriter
def overlooks(result: ToolResult):
    text = result.output
    return replace(ToolResult(text.replace("sk-12345678", "***"))) if isinstance(text, str) else None

def silent(call):
    return None

ours = {"tool_call": st.just(ToolCall("1", "rm"))}
"""
OLD = '[[rules]]\nrefuse = "no"\ntools = "*_file"\n'
NEW = '[[rules]]\nrefuse = "no"\ntools = ["read_file", "write_file"]\n'


@pytest.fixture
def gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write policies into the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gates.py").write_text(GATES, "utf-8")
    (tmp_path / "old.toml").write_text(OLD, "utf-8")
    (tmp_path / "new.toml").write_text(NEW, "utf-8")
    (tmp_path / "empty.toml").write_text("rules = []\n", "utf-8")
    return "gates.py"


def verify(run: Run, policy: str, *more: str) -> Result:
    """Verify with few examples."""
    return run("verify", policy, "--examples", "40", *more)


def test_a_policy_that_keeps_its_laws_ends_with_0(run: Run, gates: str) -> None:
    """Each law is told with how many examples it held."""
    result = verify(run, "gates.py:careful")
    assert (result.exit_code, "holds    never_raises (4" in result.stdout) == (0, True), result.output


def test_a_broken_law_ends_with_1_and_its_test_fails(run: Run, gates: str) -> None:
    """The sentence of the law and a test to paste are told."""
    result = verify(run, "gates.py:hasty", "--only", "never_raises")
    assert (result.exit_code, "it raised KeyError: 'command'" in result.stdout) == (1, True)
    told = result.stdout.partition("    from seamlaw")[2]
    test = "\n".join(line.removeprefix("    ") for line in ("    from seamlaw" + told).splitlines())
    names: dict[str, Callable[[], None]] = {}
    exec(test, names)
    with pytest.raises(AssertionError):
        names["test_never_raises"]()


def test_hints_and_silence_fail_only_if_strict(run: Run, gates: str) -> None:
    """What is likely a mistake is told in any case."""
    assert verify(run, "gates.py:small").exit_code == 0
    assert verify(run, "gates.py:small", "--strict").exit_code == 1
    assert verify(run, "gates.py:silent").exit_code == 0
    assert verify(run, "gates.py:silent", "--strict").exit_code == 1


def test_json_holds_every_check(run: Run, gates: str) -> None:
    """One object, with the counterexample as code."""
    result = verify(run, "gates.py:hasty", "--json")
    data = json.loads(result.stdout)
    broken = [check for check in data["checks"] if not check["holds"] and check["level"] == "law"]
    assert (data["holds"], [check["law"] for check in broken]) == (False, ["never_raises"])
    assert "def test_never_raises()" in broken[0]["test"]


def test_a_secret_from_the_environment_is_looked_for_and_never_told(
    run: Run, gates: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands in the counterexample as three asterisks."""
    monkeypatch.setenv("KEY", "sk-12345678")
    result = verify(run, "gates.py:overlooks", "--secret-env", "KEY", "--only", "leaks_no_configured_secret")
    assert (result.exit_code, "a secret is left at" in result.stdout) == (1, True)
    assert "sk-12345678" not in result.output
    assert verify(run, "gates.py:overlooks", "--secret-env", "NO_SUCH").exit_code == 2


def test_strategies_of_your_own_are_taken(run: Run, gates: str) -> None:
    """A mapping of seams to strategies; what is none is refused."""
    assert verify(run, "gates.py:hasty", "--strategies", "gates.py:ours", "--only", "says_why").exit_code == 0
    assert verify(run, "gates.py:hasty", "--strategies", "gates.py:silent").exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "nowhere:policy"],
        ["verify", "absent.toml"],
        ["verify", "gates.py:hasty", "--only", "never_raise"],
        ["refine", "old.toml", "absent.toml"],
        ["refine", "old.toml"],
        ["lint", "gates.py:absent"],
    ],
)
def test_what_cannot_be_verified_is_a_usage_error(run: Run, gates: str, arguments: list[str]) -> None:
    """No such policy, no such law, too little."""
    assert run(*arguments).exit_code == 2


@pytest.mark.parametrize("name", ["policy.tml", "./policy", "folder/policy"])
def test_a_policy_of_no_known_kind_is_not_taken_for_a_mistake_about_the_kernel(run: Run, name: str) -> None:
    """It is told which files are policies."""
    told = run("verify", name)
    assert told.exit_code == 2
    assert "no known kind of policy" in told.stderr


def test_the_help_tells_of_the_kernel_and_of_policies(run: Run) -> None:
    """Both can be verified."""
    told = run("verify", "--help").stdout
    assert "Check the laws of the kernel." in told
    assert "POLICY" in told


def test_rules_are_refined_or_a_call_shows_that_not(run: Run, gates: str) -> None:
    """Files are read as every command reads them."""
    assert run("refine", "new.toml", "old.toml").exit_code == 0
    result = run("refine", "old.toml", "new.toml", "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["verdict"], data["old"], data["new"]) == (1, "does not", "block", "proceed")
    assert data["call"]["tool"].endswith("_file")


def test_the_newline_bypass_is_shown(run: Run, gates: str) -> None:
    """A dot that matches no line feed lets through what one that does stopped."""
    result = run("refine", "gates.py:dot_all", "gates.py:dot", "--examples", "100")
    assert (result.exit_code, r"ToolCall('id-1', 'dangerous_\n')" in result.stdout) == (1, True), result.stdout


def test_lint_tells_mistakes_by_their_level(run: Run, gates: str) -> None:
    """An error fails, a warning only if strict; nothing found is said."""
    assert run("lint", "empty.toml").exit_code == 1
    assert run("lint", "old.toml").stdout == "nothing found\n"
    assert run("lint", "old.toml", "--tools", "bash").exit_code == 0
    result = run("lint", "old.toml", "--tools", "bash", "--strict", "--json")
    kinds = [one["kind"] for one in json.loads(result.stdout)["findings"]]
    assert (result.exit_code, kinds) == (1, ["no such tool", "uncovered tool"])


@pytest.mark.parametrize(
    ("library", "arguments"),
    [
        ("hypothesis", ["verify", "old.toml"]),
        ("z3", ["lint", "old.toml"]),
        ("z3", ["refine", "old.toml", "new.toml"]),
        ("crosshair.core_and_libs", ["refine", "gates.py:dot_all", "gates.py:begins"]),
    ],
)
def test_a_library_that_is_not_there_is_told_with_what_brings_it(
    gates: str, library: str, arguments: list[str]
) -> None:
    """What verifies is an extra; without it the command ends with 2 and names it."""
    code = f"import sys; sys.modules[{library!r}] = None; from seamlaw_host.cli import main; "
    code += f"sys.argv[1:] = {arguments!r}; main()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, "pip install 'seamlaw[verify]'" in ended.stderr) == (2, True), ended.stderr
