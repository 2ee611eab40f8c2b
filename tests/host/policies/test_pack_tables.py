"""`[packs.NAME]` in policy files: packs in order, before the rules; what is wrong is told with file, line and key."""

import json
from pathlib import Path

import pytest

from seamlaw import TOOL_CALL, Interceptors, ToolCall, decide
from seamlaw_host.policies import PolicyError, load_policies, load_policy
from seamlaw_host.policies._load import read_policy

TOML = """\
[packs.tool_aliases]
aliases = { bash = ["sh", "shell"] }

[packs.input_limit]
limit = 100

[packs.publishing]
use = "confirm"
patterns = ["publish"]
tools = "bash"
target = "cli://lead"

[[rules]]
refuse = "nothing is removed"
tools = ["bash"]
when = [{ at = "/command", contains = "rm" }]
"""
DATA = {
    "packs": {
        "tool_aliases": {"aliases": {"bash": ["sh", "shell"]}},
        "input_limit": {"limit": 100},
        "publishing": {"use": "confirm", "patterns": ["publish"], "tools": "bash", "target": "cli://lead"},
    },
    "rules": [{"refuse": "nothing is removed", "tools": ["bash"], "when": [{"at": "/command", "contains": "rm"}]}],
}
YAML = """\
packs:
  tool_aliases:
    aliases: {bash: [sh, shell]}
  input_limit:
    limit: 100
  publishing:
    use: confirm
    patterns: [publish]
    tools: bash
    target: cli://lead
rules:
  - refuse: nothing is removed
    tools: [bash]
    when: [{at: /command, contains: rm}]
"""


def _written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def _said(bundle: Interceptors, tool: str, command: str) -> tuple[str, str, str]:
    outcome = decide(bundle, TOOL_CALL, ToolCall("1", tool, {"command": command}))
    return outcome.verdict.value, outcome.interceptor or "", outcome.value.name


def test_two_tables_of_a_pack_that_counts_are_two_limits(tmp_path: Path) -> None:
    """In one Redis, too: each counts by its label, unless the table says by which."""
    path = _written(
        tmp_path,
        "a.toml",
        """
        [packs.searches]
        use = "rate_limit"
        limit = 9
        per_s = 60
        [packs.rate_limit]
        limit = 9
        per_s = 60
        [packs.shared]
        use = "rate_limit"
        limit = 9
        per_s = 60
        label = "searches"
        """,
    )
    found = read_policy(path).packs
    assert found is not None
    assert [table["label"] for _, _, table in found.tables] == ["searches", "rate_limit", "searches"]
    gates = load_policy(path).tool_call
    assert [gate.name for gate in gates] == ["searches", "rate_limit", "shared: searches"]


@pytest.mark.parametrize(("name", "text"), [("a.toml", TOML), ("a.json", json.dumps(DATA)), ("a.yaml", YAML)])
def test_packs_and_rules_of_one_file(tmp_path: Path, name: str, text: str) -> None:
    """In every format the packs of a file decide, in its order, and the rules judge what they left."""
    bundle = load_policy(_written(tmp_path, name, text))
    assert [one.name for one in bundle.tool_call] == [
        "tool_aliases",
        "tool_aliases.names",
        "input_limit",
        "publishing",
    ]
    assert _said(bundle, "sh", "ls") == ("proceed", "", "bash")
    assert _said(bundle, "sh", "rm x")[0] == "block"  # the rule is for bash, and judges the call that runs
    assert _said(bundle, "shell", "x" * 101)[:2] == ("block", "input_limit")
    assert _said(bundle, "bash", "publish it")[0] == "ask"
    assert decide(bundle, TOOL_CALL, ToolCall("1", "sh", {"command": "publish"})).asks[0].interceptor == "publishing"


def test_the_order_of_the_file_is_the_order_of_the_chain(tmp_path: Path) -> None:
    """Of two packs that rewrite, the one that stands first in the file is asked first."""
    one, other = (
        '[packs.a]\nuse="tool_aliases"\naliases={x=["y"]}\n',
        '[packs.b]\nuse="tool_aliases"\naliases={z=["x"]}\n',
    )
    first, second = (
        load_policy(_written(tmp_path, f"{n}.toml", t)) for n, t in (("1", one + other), ("2", other + one))
    )
    assert _said(first, "y", "")[2] == "z"
    assert _said(second, "y", "")[2] == "x"
    assert [it.name for it in first.tool_call] == ["a", "a: tool_aliases.names", "b", "b: tool_aliases.names"]


def test_packs_of_all_files_stand_before_the_host(tmp_path: Path) -> None:
    """What rewrites in a file of packs is asked before code that is named earlier: plugins come before the host."""
    code = _written(
        tmp_path,
        "code.py",
        "from seamlaw import Interceptors, interceptor, note\n"
        "bundle = Interceptors(tool_call=[interceptor(lambda call: note(call.name), name='seen')])\n",
    )
    packs = _written(tmp_path, "packs.toml", '[packs.tool_aliases]\naliases = { bash = ["sh"] }\n')
    bundle = load_policies(f"{code}:bundle", packs)
    outcome = decide(bundle, TOOL_CALL, ToolCall("1", "sh", {}))
    assert [(entry.interceptor, entry.reason) for entry in outcome.log][-1] == ("seen", "bash")


@pytest.mark.parametrize(
    ("text", "line", "place", "problem"),
    [
        ("[packs.input_limt]\n", 1, "packs.input_limt", "no pack is called input_limt; did you mean input_limit?"),
        (
            '[packs.a]\nx = 1\nuse = "confrm"\n',
            3,
            "packs.a.use",
            "no pack is called confrm; did you mean confirm?",
        ),
        ("[packs.input_limit]\nlimits = 7\n", 2, "packs.input_limit.limits", "unknown key; did you mean limit?"),
        ('[packs.input_limit]\n\nlimit = "x"\n', 3, "packs.input_limit.limit", "must be a whole number"),
        ("[packs.input_limit]\nlimit = 1\n", 2, "packs.input_limit.limit", "must be a whole number, at least 2"),
        (
            '[packs.path_sandbox]\nroots = [\n  "/srv",\n  "here",\n]\n',
            4,
            "packs.path_sandbox.roots[1]",
            "must be an absolute path, or begin with ~/",
        ),
        (
            '[packs.confirm]\n[packs.confirm.patterns]\nok = "a"\n"not so" = "("\n',
            4,
            "packs.confirm.patterns.not so",
            "",
        ),
        ("[packs.path_sandbox]\n", 1, "packs.path_sandbox", "lacks roots"),
        ('[packs.metrics]\nclock = "x"\n', 2, "packs.metrics.clock", "is given in Python alone"),
        ('[packs."a b"]\n', 1, "packs.a b", "a pack is called by letters, digits, _ and -"),
        ("[packs]\nconfirm = 1\n", 2, "packs.confirm", "must be a table of what"),
        ("[packs.x]\nuse = 1\n", 2, "packs.x.use", "must be text: the name of a pack"),
        ("packs = 1\n", None, "packs", "must be a table of packs"),
        ("[packs]\n", None, "", "no rules, so everything would pass"),
        ("[pack.confirm]\n", 1, "pack", "unknown key; did you mean packs?"),
        ("[tool]\nneeds = {}\n", 1, "tool", "unknown key; there are rules and packs"),
        ('[packs.trust]\nneeds = { a = "low" }\nothrwise = "low"\n', 3, "packs.trust.othrwise", "unknown key; did you"),
        ('[packs.trust]\nneeds = { a = "low" }\notherwise = "?"\n', 3, "packs.trust.otherwise", ""),
        ('[packs.input_limit]\n[[rules]]\nrefuse = "x"\nwen = []\n', 4, "rules[0].wen", ""),
    ],
)
def test_a_mistake_is_told_with_its_place(
    tmp_path: Path, text: str, line: int | None, place: str, problem: str
) -> None:
    """A pack or key that is not known, and what the pack itself refuses, is refused with file, line and key."""
    path = _written(tmp_path, "p.toml", text)
    with pytest.raises(PolicyError) as refused:
        load_policy(path)
    assert refused.value.source == str(path)
    assert (refused.value.place, refused.value.problem[: len(problem)]) == (place, problem)
    assert line is None or refused.value.line == line


def test_a_value_is_never_quoted(tmp_path: Path) -> None:
    """What stands in a configuration may be a secret, and is in no error."""
    path = _written(tmp_path, "p.toml", '[packs.confirm]\npatterns = ["(hunter2"]\n')
    with pytest.raises(PolicyError) as refused:
        load_policy(path)
    assert "hunter2" not in str(refused.value)


def test_each_reading_has_a_memory_of_its_own(tmp_path: Path) -> None:
    """A file that was read once makes packs anew, so that what one remembers no other knows."""
    loaded = read_policy(_written(tmp_path, "p.toml", "[packs.plan_gate]\n"))
    one, other = loaded.bundle(), loaded.bundle()
    assert [it.name for it in one.context] == ["plan_gate.messages"]
    assert one.context[0].function != other.context[0].function
