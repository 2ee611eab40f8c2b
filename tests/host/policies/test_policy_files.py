"""Policies in files: what is read, and what is refused with file, line and key."""

import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from seamlaw import TOOL_CALL, Interceptors, ToolCall, Verdict, decide, parse_rules
from seamlaw_host.policies import PolicyError, load_policies, load_policy

TOML = """\
[[rules]]
refuse = "writes stay in the workspace"
tools  = ["write_file", "edit_*"]
unless = [{ at = "/path", under = "/srv/workspace" }]

[[rules]]
default = { tool = "bash", at = "/timeout", value = 60000 }
"""
YAML = """\
rules:
  - refuse: writes stay in the workspace
    tools: &writers [write_file, "edit_*"]
    unless:
      - {at: /path, under: /srv/workspace}
  - default: {tool: bash, at: /timeout, value: 60000}
"""
DATA = {
    "rules": [
        {
            "refuse": "writes stay in the workspace",
            "tools": ["write_file", "edit_*"],
            "unless": [{"at": "/path", "under": "/srv/workspace"}],
        },
        {"default": {"tool": "bash", "at": "/timeout", "value": 60000}},
    ]
}


def written(folder: Path, name: str, text: str) -> Path:
    """Write a policy file."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def refusal(folder: Path, name: str, text: str) -> str:
    """Give what the refusal of a file says after its folder."""
    path = written(folder, name, text)
    with pytest.raises(PolicyError) as refused:
        load_policy(path)
    return str(refused.value).removeprefix(f"{folder}/")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.toml", TOML),
        ("p.TOML", "\ufeff" + TOML.replace("\n", "\r\n")),
        ("p.json", json.dumps(DATA)),
        ("p.yaml", YAML),
    ],
)
def test_the_formats_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    """One policy reads as the same rules from TOML, JSON and YAML, with a byte-order mark and CRLF, too."""
    assert load_policy(written(tmp_path, name, text)).rules == parse_rules(DATA)


def test_a_rule_without_a_name_is_called_by_its_file_and_line(tmp_path: Path) -> None:
    """What decided is found in the file at once; a name that is given is kept."""
    text = f'# comment\n{TOML}\n[[rules]]\nrefuse = "no"\nname = "mine"\n'
    bundle = load_policy(written(tmp_path, "team.toml", text))
    assert [each.name for each in bundle.by_rule] == ["team.toml:2", "team.toml:7", "mine"]


def test_several_policies_only_add_up(tmp_path: Path) -> None:
    """Merged in order: a later policy forbids more, and allows nothing that an earlier one forbids."""
    no_rm = written(tmp_path, "a.toml", '[[rules]]\nrefuse = "no"\ntools = ["rm"]\n')
    note = written(tmp_path, "b.toml", '[[rules]]\nnote = "seen"\ntools = ["rm"]\n')
    for order in [(no_rm, note), (note, no_rm)]:
        outcome = decide(load_policies(*order), TOOL_CALL, ToolCall("1", "rm"))
        assert outcome.verdict is Verdict.BLOCK
        assert len(outcome.log) == 2


def test_an_empty_policy_must_be_meant(tmp_path: Path) -> None:
    """A file without rules is refused, for everything would pass; an empty list says that this is meant."""
    for name, text in {"e.toml": "", "e.yaml": "# nothing\n", "e.json": "{}", "n.json": "null"}.items():
        assert "everything would pass" in refusal(tmp_path, name, text)
    for name, text in {"m.toml": "rules = []", "m.yaml": "rules: []", "m.json": '{"rules": []}'}.items():
        assert load_policy(written(tmp_path, name, text)) == Interceptors()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        # the file itself
        ("a.toml", "rules = [", "a.toml:1: no TOML: Invalid value"),
        ("a.toml", 'x = 1\n\nx = "a', "a.toml:3: no TOML: "),
        ("a.json", '{"rules": [\n1,]}', "a.json:2: no JSON: "),
        ("a.yaml", "rules:\n\t- x", "a.yaml:2: no YAML: "),
        ("a.yaml", "rules: []\n---\nrules: []", "a.yaml:2: no YAML: "),
        ("a.json", "[" * 100_000, "a.json: nested too deeply"),
        ("a.toml", "rules = " + "[" * 20_000, "a.toml: nested too deeply"),
        ("a.yaml", "[" * 2_000, "a.yaml: nested too deeply"),
        ("a.json", '{"rules": 1' + "0" * 5000 + "}", "a.json: a number with too many digits"),
        # its keys
        ("a.toml", "rulez = []", "a.toml:1: rulez: unknown key; did you mean rules?"),
        ("a.toml", "rules = []\n[tool]\nx = 1", "a.toml:2: tool: unknown key; there are rules and packs"),
        ("a.toml", '[rules]\nrefuse = "no"',
         "a.toml:1: rules: must be a list of rules; in TOML each begins with [[rules]]"),
        ("a.json", "[]", "a.json:1: must be a table with the keys rules and packs"),
        ("a.json", '{"rules": 1}', "a.json:1: rules: must be a list of rules"),
        ("a.json", '{"rules": [\n{"refuse": "a",\n "refuse": "b"}]}', "a.json:3: rules[0].refuse: is given twice"),
        ("a.yaml", "rules:\n- refuse: a\n  refuse: b\n", "a.yaml:3: rules[0].refuse: is given twice"),
        # its rules
        ("a.toml", "\n[[rules]]\ntools = ['x']", "a.toml:2: rules[0]: must have exactly one of refuse, ask"),
        ("a.toml", '[[rules]]\nrefuse = "x"\ntool = "y"', "a.toml:3: rules[0].tool: unknown key; did you mean tools?"),
        ("a.toml", '[[rules]]\nrefuse = "x"\n\n[[rules]]\nask = "x"\nwhen = [\n  {at = "/x", matches = "("},\n]',
         "a.toml:7: rules[1].when[0].matches: no regular expression"),
        ("a.toml", '[[rules]]\nrefuse = "x"\n[[rules.when]]\nat = "/a"\nexists = true\n[[rules.when]]\nat = "x"',
         "a.toml:7: rules[0].when[1].at: must be a JSON pointer"),
        ("a.toml", '[[rules]]\nrefuse = "x"\ntools = [\n"a",\n"[b"]', "a.toml:3: rules[0].tools: glob 1 is no glob"),
        ("a.toml", '[[rules]]\n[rules.default]\ntool = "x"\nat = "/y"\nvalue = nan',
         "a.toml:5: rules[0].default.value: NaN"),
        ("a.toml", '[[rules]]\n[rules.default]\ntool = "x"\nat = "/y"\nvalue = {a = [1,\ninf]}',
         "a.toml:5: rules[0].default.value/a/1: NaN"),
        ("a.toml", '[[rules]]\ndefault.tool = "x"\ndefault.at = "/y"\ndefault.value = 2020-01-01',
         "a.toml:4: rules[0].default.value: date is no JSON"),
        ("a.json", '{"rules": [{"ask": "x",\n"timeout_s": Infinity}]}', "a.json:2: rules[0].timeout_s: "),
        ("a.json", '{"rules": [{"ask": "x",\n"when": [{"at": "/x", "less": NaN}]}]}',
         "a.json:2: rules[0].when[0].less: "),
        ("a.yaml", "rules:\n- ask: x\n  when:\n  - at: /x\n    less: .nan\n", "a.yaml:5: rules[0].when[0].less: "),
        # YAML that is more than JSON
        ("a.yaml", "rules:\n- refuse: 2020-01-01\n", "a.yaml:2: rules[0].refuse: timestamp is no JSON; if it is text"),
        ("a.yaml", "rules:\n- refuse: x\n  tools: !mine [a]\n", "a.yaml:3: rules[0].tools: !mine is no JSON"),
        ("a.yaml", "rules:\n- refuse: x\n  ? [a]\n  : b\n", "a.yaml:3: rules[0]: a key must be text"),
        ("a.yaml", "rules: &a\n- *a\n", "a.yaml: nested too deeply"),
        ("a.yaml", "rules:\n- refuse: x\n  <<: {tools: [a]}\n", "a.yaml:3: rules[0].<<: merge is no JSON"),
        ("a.yaml", "rules:\n- 1: x\n", "a.yaml:2: rules[0]: a key is no string"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_file_line_and_key(tmp_path: Path, name: str, text: str, told: str) -> None:
    """A policy is refused as a whole, and the message leads to the place."""
    assert refusal(tmp_path, name, text).startswith(told)


def test_yaml_takes_no_norway_for_an_answer(tmp_path: Path) -> None:
    """`no` is text, as YAML 1.2 has it, and aliases stand for what they name."""
    text = "rules:\n- refuse: no\n  tools: &t [no, yes]\n- note: on\n  tools: *t\n"
    (first, second) = load_policy(written(tmp_path, "a.yaml", text)).by_rule
    assert first.tools == second.tools
    assert first.tools.patterns == ("no", "yes")


def test_a_few_aliases_do_not_become_billions(tmp_path: Path) -> None:
    """What aliases would blow up to is counted and refused."""
    names = "abcdefghij"
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]" for a, b in pairwise(names)]
    assert "more than 100000 values" in refusal(tmp_path, "bomb.yaml", "\n".join(lines))


def test_yaml_without_its_reader_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ruamel.yaml is not installed, the message says what to install."""
    for module in [name for name in sys.modules if name.startswith("ruamel")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "ruamel.yaml", None)
    assert refusal(tmp_path, "a.yaml", YAML) == "a.yaml: YAML needs an extra: pip install 'seamlaw[yaml]'"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """No such file, a folder, no UTF-8, far too large, and a name that says nothing."""
    for name, told in {
        "none.toml": "none.toml: No such file or directory",
        "policy": "policy: no known kind of policy: a file named *.toml, *.json, *.yaml, *.yml, or module:name",
    }.items():
        with pytest.raises(PolicyError, match=r".") as refused:
            load_policy(tmp_path / name)
        assert str(refused.value).endswith(told)
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(PolicyError, match="Is a directory"):
        load_policy(tmp_path / "folder.toml")
    (tmp_path / "latin.toml").write_bytes(b'[[rules]]\nrefuse = "gr\xfc\xdfe"\n')
    with pytest.raises(PolicyError, match=r"latin\.toml:2: not UTF-8"):
        load_policy(tmp_path / "latin.toml")
    (tmp_path / "large.json").write_bytes(b" " * (16 * 2**20 + 1))
    with pytest.raises(PolicyError, match="larger than"):
        load_policy(tmp_path / "large.json")
