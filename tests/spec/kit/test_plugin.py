"""The pytest plugin: a test for each law of a policy that is named, and nothing where none is."""

import subprocess
import sys
from collections.abc import Callable

import pytest

pytest_plugins = ["pytester"]

POLICY = """
from seamlaw import block, gate

@gate
def careful(call):
    return block("no") if call.name == "rm" else None

@gate
def hasty(call):
    return block("no") if "rm" in call.arguments["command"] else None
"""
OURS = ("-p", "no:seamlaw", "-p", "seamlaw_spec.pytest_plugin", "-p", "no:randomly", "-p", "no:cacheprovider")
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run pytest in a process of its own, beside a policy."""
    pytester.makepyfile(policies=POLICY)

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess(*OURS, *arguments)

    return run


def test_each_law_of_a_named_policy_is_a_test(run: Run) -> None:
    """A sound policy passes, law by law, where there is no other test at all."""
    result = run("--seamlaw", "policies:careful", "--seamlaw-examples", "20", "-v")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*policies:careful::never_raises PASSED*"])
    assert result.parseoutcomes()["passed"] >= 8


def test_a_file_of_rules_is_a_policy(run: Run, pytester: pytest.Pytester) -> None:
    """Rules in TOML, JSON and YAML are checked like those in Python."""
    pytester.makefile(".toml", rules='[[rules]]\nrefuse = "no"\ntools = ["rm"]\n')
    pytester.makefile(".json", rules='{"rules": [{"refuse": "no", "tools": ["rm"]}]}')
    pytester.makefile(".yaml", rules='rules:\n  - refuse: "no"\n    tools: [rm]\n')
    named = [option for kind in ("toml", "json", "yaml") for option in ("--seamlaw", f"rules.{kind}")]
    result = run(*named, "--seamlaw-examples", "5", "-v")
    assert result.ret == 0
    result.stdout.fnmatch_lines([f"*rules*{kind}::never_raises PASSED*" for kind in ("toml", "json", "yaml")])


def test_a_broken_law_fails_with_its_sentence_and_a_test_to_paste(run: Run) -> None:
    """What is told is the law, the counterexample and the code, without a trace through the kit."""
    result = run("--seamlaw", "policies:hasty", "--seamlaw-examples", "30")
    assert result.ret == 1
    assert result.parseoutcomes()["failed"] == 1
    told = [
        "*tool_call: hasty: It answers whatever it is shown*",
        "*it raised KeyError*",
        "*def test_never_raises() -> None:*",
    ]
    result.stdout.fnmatch_lines(told)
    result.stdout.no_fnmatch_line("*Traceback*")


def test_hints_fail_only_if_told_to(run: Run) -> None:
    """`--seamlaw-strict` lets what is likely a mistake fail as well."""
    result = run("--seamlaw", "policies:hasty", "--seamlaw-examples", "60", "--seamlaw-strict")
    assert result.parseoutcomes()["failed"] > 1


def test_what_is_no_policy_is_a_usage_error(run: Run) -> None:
    """A name that leads nowhere is told before anything runs."""
    result = run("--seamlaw", "policies:nothing")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*policies:nothing: AttributeError*"])


def test_the_decorator_makes_tests_of_one_function(run: Run, pytester: pytest.Pytester) -> None:
    """In a test file, `laws` makes a test for each law, all or some, and runs the body after each."""
    pytester.makepyfile(
        test_mine="""
        import policies
        from seamlaw_spec.kit import laws

        ran = []

        @laws("policies:careful", examples=20, only=["never_raises", "says_why"])
        def test_careful():
            ran.append(1)

        @laws(policies.hasty, examples=30, skip=["is_deterministic"])
        def test_hasty():
            raise NotImplementedError("is not reached where the law is broken")

        def test_the_body_ran():
            assert ran == [1, 1]
        """
    )
    result = run("-v")
    result.stdout.fnmatch_lines(
        ["*test_careful?never_raises? PASSED*", "*test_careful?says_why? PASSED*", "*test_hasty?never_raises? FAILED*"]
    )
    result.stdout.no_fnmatch_line("*test_hasty?is_deterministic*")
    result.stdout.fnmatch_lines(["*test_the_body_ran PASSED*"])


@pytest.mark.parametrize("before", ["", "from seamlaw_spec.laws import LAWS\n", "import seamlaw_spec.kit\n"])
def test_the_decorator_is_there_by_the_name_of_the_package(run: Run, pytester: pytest.Pytester, before: str) -> None:
    """`seamlaw_spec.laws` is the decorator too, whatever was imported before; the kernel's laws stay there."""
    pytester.makepyfile(
        test_policy=before
        + """
import seamlaw_spec

@seamlaw_spec.laws("policies:careful", examples=5, only=["never_raises"])
def test_careful():
    assert "first_block_wins" in seamlaw_spec.laws.LAWS
"""
    )
    assert run().parseoutcomes() == {"passed": 1}


def test_nothing_happens_where_no_policy_is_named(run: Run, pytester: pytest.Pytester) -> None:
    """Other tests run as they would without the plugin."""
    pytester.makepyfile(test_other="def test_other(): pass")
    result = run()
    result.assert_outcomes(passed=1)


def test_the_plugin_imports_nothing_of_seamlaw_before_it_is_asked() -> None:
    """Neither the kernel nor Hypothesis nor attrs is loaded by what pytest loads wherever Seamlaw is installed."""
    code = "import sys, pytest; before = set(sys.modules); import seamlaw_spec.pytest_plugin; "
    code += "print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == ["seamlaw_spec", "seamlaw_spec.pytest_plugin"]
