"""`seamlaw lint` about the host: each thing that a policy needs of it and that is not there is found."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
Linted = Callable[..., list[tuple[str, str, str]]]
CODE = """
from seamlaw import AgentScoped, Interceptors, Policy, ask, gate, parse_rules

@gate(tools="push")
def asks(call):
    if call.arguments.get("force") is True:
        return ask("force", target="slack://ops")
    return ask("no target") if "draft" in call.arguments else None

@gate(tools="deploy", agents="coder")
def for_coder(call):
    return None

escalates = Policy("costs").require(
    lambda call: call.arguments["amount"] < 10, reason="dear", on_fail="ask", target="webhook://boss"
)
juniors = AgentScoped(escalates, ["junior", "trainee"])
code = Interceptors(tool_call=[asks])
policy = Interceptors(tool_call=[escalates.as_gate()])
scoped = Interceptors(tool_call=[juniors.as_gate()])
nested = Interceptors(tool_call=[(juniors & Policy("other").require(lambda call: True, reason="x")).as_gate()])
agents = Interceptors(tool_call=[for_coder])
rules = Interceptors(rules=parse_rules([
    {"name": "cli", "ask": "why", "tools": "a", "target": "CLI://"},
    {"name": "slack", "ask": "why", "tools": "b", "target": "slack://ops"},
    {"name": "name", "ask": "why", "tools": "c", "target": "the owner"},
    {"name": "none", "ask": "why", "tools": "d"},
    {"name": "refusal", "refuse": "no", "tools": "e"},
]))
everything = Interceptors(rules=parse_rules([{"note": "seen"}]))
"""
HOST = ("uncovered tool", "missing handler", "no target", "no such role", "needs identity")


@pytest.fixture(name="linted")
def _linted(run: Run, tmp_path: Path) -> Linted:
    """What is found about a bundle of the module above."""
    path = tmp_path / "bundles.py"
    path.write_text(CODE)

    def lint(name: str, *more: str) -> list[tuple[str, str, str]]:
        found = json.loads(run("lint", f"{path}:{name}", "--json", *more).stdout)["findings"]
        return [(one["level"], one["kind"], one["about"]) for one in found if one["kind"] in HOST]

    return lint


def test_a_tool_that_nobody_is_asked_about_is_found(linted: Linted) -> None:
    """Of those that --tools names; a filter for all covers all."""
    assert linted("rules", "--tools", "a, e,f") == [("warning", "uncovered tool", "f")]
    assert linted("everything", "--tools", "a,f") == []
    assert linted("rules") == []


def test_an_ask_that_reaches_nobody_is_found(linted: Linted) -> None:
    """By the schemes that --handlers names, in any letters; without these the host is not known."""
    assert linted("rules", "--handlers", "cli") == [
        ("error", "missing handler", "tool_call: slack"),
        ("error", "missing handler", "tool_call: name"),
        ("warning", "no target", "tool_call: none"),
    ]
    assert [one[1:] for one in linted("rules", "--handlers", "cli://,slack")] == [
        ("missing handler", "tool_call: name"),
        ("no target", "tool_call: none"),
    ]
    assert linted("rules") == []


@pytest.mark.parametrize(
    ("bundle", "handlers", "found"),
    [
        ("policy", "cli", ["missing handler"]),
        ("policy", "webhook", []),
        ("nested", "cli", ["missing handler"]),
        ("code", "cli", ["missing handler", "no target"]),
        ("code", "slack", ["no target"]),
    ],
)
def test_asks_of_policies_and_of_code_are_found_too(
    linted: Linted, bundle: str, handlers: str, found: list[str]
) -> None:
    """Of policies as they are written; of code by what it says to values made around its constants."""
    kinds = [kind for _, kind, _ in linted(bundle, "--handlers", handlers) if kind != "needs identity"]
    assert kinds == found


def test_a_policy_for_some_callers_says_that_it_needs_to_know_them(linted: Linted) -> None:
    """Whoever is not known is judged as well; roles that nobody has are found where --roles names those there are."""
    assert [one[:2] for one in linted("scoped")] == [("note", "needs identity")]
    assert [one[:2] for one in linted("nested")] == [("note", "needs identity")]
    assert [one[:2] for one in linted("agents")] == [("note", "needs identity")]
    assert linted("policy") == []
    assert [one[:2] for one in linted("scoped", "--roles", "junior")] == [
        ("warning", "no such role"),
        ("note", "needs identity"),
    ]
    assert [one[:2] for one in linted("scoped", "--roles", "junior,trainee,senior")] == [("note", "needs identity")]


def test_a_note_fails_nothing_and_an_error_does(run: Run, linted: Linted, tmp_path: Path) -> None:
    """The exit codes are as for everything that is found."""
    bundles = f"{tmp_path}/bundles.py"
    assert run("lint", f"{bundles}:scoped", "--strict").exit_code == 0
    assert run("lint", f"{bundles}:policy", "--handlers", "cli").exit_code == 1
    assert run("lint", f"{bundles}:everything", "--tools", "a", "--handlers", "cli", "--strict").exit_code == 0
