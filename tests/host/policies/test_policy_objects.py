"""Policies in Python, named by module or file."""

import sys
from pathlib import Path

import pytest

from seamlaw import SEAMS, TOOL_CALL, TOOL_RESULT, ToolCall, ToolResult, Verdict, decide
from seamlaw_host.policies import PolicyError, load_policies, load_policy
from seamlaw_spec.kit import subject_of

MODULE = """
from seamlaw import Interceptors, Message, Policy, ToolCall, ToolResult, block, gate, interceptor, parse_rules

def refuses(call):
    return block("no")

def makes():
    return Interceptors(tool_call=[refuses])

def is_false(call):
    return False

def shown(result, call):
    return "secret" not in str(result.output)

def of_result(result: ToolResult):
    return None

def of_context(messages: tuple[Message, ...]):
    return None

def of_call_and_scope(call: ToolCall, scope):
    return None

@gate
def gate_of_result(result: ToolResult, call: ToolCall):
    return None

def unlike_a_call(it):
    return block("no") if "secret" in str(it.output) else None

def two_unnamed(one, other):
    return None

class Holder:
    inner = Interceptors(tool_call=[refuses])

class Pack:
    def interceptors(self):
        return Interceptors(tool_call=[refuses])

class EmptyPack:
    def interceptors(self):
        return []

pack = Pack()

class Callable:
    def __call__(self, call):
        return block("no")

bundle = Interceptors(tool_call=[refuses])
one_gate = gate(refuses, name="g")
policy = Policy("p").require(is_false, reason="no")
results = Policy("p").require(shown, reason="secret", hook="post")
rules = parse_rules([{"refuse": "no"}])
rule = rules[0]
several = [refuses, policy, rules]
empty = Interceptors()
number = 7
nothing = None
text = "bundle"

def makes_none():
    return None

def makes_an_empty_list():
    return []

def makes_a_list_with_an_empty_one():
    return [refuses, parse_rules([])]

def makes_a_class():
    return Policy

def makes_an_empty_bundle():
    return [Interceptors()]

class NoPolicy:
    def __init__(self, call):
        pass

none_at_all = []

async def late(call):
    return None

def two(call: ToolCall, scope, more):
    return None

def fails():
    raise ValueError("broken on purpose")

def leaves():
    raise SystemExit(0)
"""
CALL = ToolCall("1", "bash")


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Write the module."""
    (tmp_path / "team_policy.py").write_text(MODULE, "utf-8")
    return str(tmp_path / "team_policy.py")


@pytest.mark.parametrize(
    "name", "bundle makes refuses one_gate policy rules rule several Holder.inner Callable pack Pack".split()
)
def test_whatever_can_be_a_policy_is_taken(file: str, name: str) -> None:
    """A bundle, what makes one, a function of the call, a gate, a policy, rules, and lists of these all decide."""
    assert decide(load_policy(f"{file}:{name}"), TOOL_CALL, CALL).verdict is Verdict.BLOCK


def test_no_source_undoes_a_block_but_each_may_change_what_is_judged(tmp_path: Path) -> None:
    """As the docstring has it: another's gate loosens nothing, another's default changes the value."""
    named = {
        "refuses": '[[rules]]\nrefuse = "say why"\nunless = [{at = "/reason", exists = true}]\n',
        "notes": '[[rules]]\nnote = "seen"\n',
        "fills": '[[rules]]\ndefault = {tool = "*", at = "/reason", value = "n/a"}\n',
    }
    for name, text in named.items():
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    refuses, notes, fills = (tmp_path / f"{name}.toml" for name in named)
    for sources in ((refuses, notes), (notes, refuses)):
        assert decide(load_policies(*sources), TOOL_CALL, CALL).verdict is Verdict.BLOCK
    for sources in ((refuses, fills), (fills, refuses)):
        assert decide(load_policies(*sources), TOOL_CALL, CALL).verdict is Verdict.PROCEED


def test_a_policy_judges_results_too(file: str) -> None:
    """The `post` requirements of a policy are asked at the results."""
    bundle = load_policy(f"{file}:results")
    assert decide(bundle, TOOL_CALL, CALL).verdict is Verdict.PROCEED
    assert decide(bundle, TOOL_RESULT, ToolResult("a secret"), CALL).verdict is Verdict.BLOCK


@pytest.mark.parametrize(
    ("name", "seams"),
    [
        ("refuses", ["tool_call"]),
        ("of_call_and_scope", ["tool_call"]),
        ("of_result", ["tool_result"]),
        ("gate_of_result", ["tool_result"]),
        ("of_context", ["context"]),
        ("policy", ["tool_call"]),
        ("results", ["tool_result"]),
    ],
)
def test_it_stands_where_verifying_finds_it(file: str, name: str, seams: list[str]) -> None:
    """What is run stands at the seams at which `seamlaw verify` checks it, and at no other."""
    for bundle in (load_policy(f"{file}:{name}"), subject_of(f"{file}:{name}").fresh()):
        assert [seam.name for seam in SEAMS.values() if bundle.at(seam)] == seams


@pytest.mark.parametrize("name", ["unlike_a_call", "two_unnamed"])
def test_a_seam_is_not_guessed(file: str, name: str) -> None:
    """Where only the looks of a callable tell another seam, it is refused: a gate may be meant for the tool calls."""
    with pytest.raises(PolicyError, match=rf"{name} seems to be for tool_result; say so by the type"):
        load_policy(f"{file}:{name}")


def test_an_empty_bundle_in_code_is_meant(file: str) -> None:
    """Nobody writes `Interceptors()` by accident, so it is taken."""
    assert not load_policies(f"{file}:empty")
    assert not load_policies(f"{file}:makes_an_empty_bundle")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("number", "int is no policy; it can be Interceptors"),
        ("nothing", "NoneType is no policy"),
        ("text", "str is no policy"),
        ("makes_none", "NoneType is no policy"),
        ("makes_an_empty_list", r"an empty list, so everything would pass; if that is meant, give Interceptors\(\)"),
        ("makes_a_list_with_an_empty_one", "an empty list, so everything would pass"),
        ("EmptyPack", "an empty list, so everything would pass"),
        ("none_at_all", "an empty list, so everything would pass"),
        ("makes_a_class", "the class Policy is no policy"),
        ("NoPolicy", "the class NoPolicy is no policy"),
        ("late", "late is async"),
        ("two", "takes more than it is offered"),
        ("fails", r"ValueError: broken on purpose \(team_policy.py:\d+\)"),
        ("leaves", "SystemExit: 0"),
        ("missing", "has no attribute 'missing'"),
        ("", "AttributeError"),
    ],
)
def test_what_is_no_policy_is_refused(file: str, name: str, told: str) -> None:
    """It is named, with what could have stood there; an exit of the program is no way out."""
    with pytest.raises(PolicyError, match=f"team_policy.py:{name}: .*{told}"):
        load_policy(f"{file}:{name}")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("no_such_module_here:bundle", "ModuleNotFoundError: No module named 'no_such_module_here'"),
        ("nowhere/policy.py:bundle", "FileNotFoundError"),
        (":bundle", "ValueError"),
    ],
)
def test_a_module_that_is_not_there_is_named(source: str, told: str) -> None:
    """The message has the name as it was given."""
    with pytest.raises(PolicyError) as refused:
        load_policy(source)
    assert str(refused.value).startswith(f"{source}: ")
    assert told in str(refused.value)


def test_the_current_folder_is_searched_only_when_asked_and_afterwards_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module beside the session is found by the command line, and what is imported later is not taken from there."""
    (tmp_path / "beside_the_session.py").write_text(MODULE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path not in ("", str(tmp_path))])
    with pytest.raises(PolicyError, match="ModuleNotFoundError"):
        load_policy("beside_the_session:bundle")
    assert load_policy("beside_the_session:bundle", here=True)
    assert sys.path.index(str(tmp_path)) == len(sys.path) - 1
