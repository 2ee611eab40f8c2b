"""What `import seamlaw` gives: these names, each with a docstring, the promised signatures, and nothing besides."""

import inspect
import subprocess
import sys
import types
from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest

import seamlaw
import seamlaw.policy

PROMISED = {
    "values": "ToolCall ToolResult Message ProviderRequest MemoryItem Scope freeze thaw digest InvalidValue",
    "decisions": "Allow ALLOW Note Replace Ask Block allow note replace ask block Severity",
    "seams": "Seam CONTEXT PROVIDER_REQUEST TOOL_CALL TOOL_RESULT MEMORY",
    "interceptors": "interceptor gate rewriter",
    "bundles": "Interceptors merge",
    "deciding": "decide plan Plan Outcome Verdict step State consult",
    "precedence": "Finding join pick",
    "policies": "Policy AgentScoped",
    "rules": "parse_rules",
    "asks": "grant refuse",
}
BESIDES = {
    "values": "FrozenDict FrozenList Globs canonical",
    "decisions": "Decision Several",
    "seams": "SEAMS seam UnknownSeam",
    "interceptors": "Interceptor observer InvalidInterceptor",
    "deciding": "Consultation Entry Fault Kind asking conclude decide_async deciding drive raised read",
    "watching": "handle observe",
    "precedence": "Level",
    "policies": "Evaluation Result",
    "rules": "Condition Default Filter InvalidRule Mismatch Operation Pattern Rule rules_data",
    "asks": "Answered StandingAsk answered covers settle",
    "errors": "SeamlawError",
}
PUBLIC = sorted(" ".join([*PROMISED.values(), *BESIDES.values()]).split())


def run(code: str) -> list[str]:
    """What the code prints, word by word, in a process of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_these_names_are_public_and_no_other() -> None:
    """Whoever adds a name adds it here, and whoever takes one away breaks somebody."""
    held = {name for name in vars(seamlaw) if not name.startswith("_") and name != "TYPE_CHECKING"}
    modules = {name for name in held if isinstance(getattr(seamlaw, name), types.ModuleType)}
    assert sorted(held - modules | set(seamlaw.policy.__all__)) == PUBLIC
    assert modules == {"errors", "policy", "values"}


def test_policies_are_loaded_when_first_used() -> None:
    """A host that only embeds the kernel does not wait for them; a star import leaves them out."""
    parts = "'seamlaw.policy' in sys.modules"
    assert run(f"import sys, seamlaw; print({parts}); seamlaw.Policy; print({parts})") == ["False", "True"]
    starred = set(run("from seamlaw import *; print(*sorted(n for n in dir() if not n.startswith('_')))"))
    assert starred - {"errors", "policy", "values", "TYPE_CHECKING"} == set(PUBLIC) - set(seamlaw.policy.__all__)
    with pytest.raises(AttributeError, match=r"'seamlaw' has no attribute 'Polcy'"):
        getattr(seamlaw, "Polcy")  # noqa: B009 - a checker would see the typing error


def documented() -> Iterator[tuple[str, object]]:
    """Every public class and callable, and the public methods and properties of the classes."""
    for name in PUBLIC:
        it = getattr(seamlaw, name)
        if not callable(it):
            continue
        yield name, it
        if inspect.isclass(it) and it.__module__.startswith("seamlaw") and not issubclass(it, (Enum, dict, list)):
            for member, value in vars(it).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


DOCUMENTED = dict(documented())


@pytest.mark.parametrize("name", DOCUMENTED)
def test_everything_public_says_in_a_sentence_what_it_is(name: str) -> None:
    """The first line of its docstring begins with a capital letter or a word of code, and ends like a sentence."""
    first = (inspect.getdoc(DOCUMENTED[name]) or "").partition("\n")[0]
    assert first[:1].isupper() or first[:1] == "`", f"{name}: {first!r}"
    assert first[-1:] in (".", ":", "!"), f"{name}: {first!r}"


def parameters(function: Any) -> str:
    """The names and kinds of the parameters, with their defaults but without annotations."""
    signature = inspect.signature(function)
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))


LOW, MEDIUM, HIGH = (repr(severity) for severity in seamlaw.Severity)
SIGNATURES: dict[str, str] = {
    "decide": "(bundle, seam, value, *beside, scope=None)",
    "decide_async": "(bundle, seam, value, *beside, ask, scope=None)",
    "deciding": "(bundle, seam, value, *beside, scope=None)",
    "plan": "(bundle)",
    "merge": "(*bundles)",
    "step": "(state, entry)",
    "consult": "(question, ask=None)",
    "allow": "()",
    "note": f"(reason, *, severity={LOW})",
    "replace": "(value)",
    "ask": f"(reason, *, target=None, timeout_s=None, severity={MEDIUM})",
    "block": f"(reason, *, severity={HIGH})",
    "freeze": "(value, *, objects=False)",
    "thaw": "(value)",
    "digest": "(value)",
    "seam": "(name)",
    "observer": "(function, /, *, name=None, tools=(), agents=())",
    "join": "(a, b)",
    "pick": "(findings)",
    "parse_rules": "(data, *, place='rules')",
    "rules_data": "(rules)",
    "grant": "(ask, *, by=None)",
    "refuse": "(ask, *, by=None, reason='')",
    "answered": "(ask, answer, *, by=None)",
    "settle": "(outcome, answers)",
    "handle": "(bundle, call, scope=None)",
    "observe": "(bundle, seam, value, result, *beside, scope=None)",
    "ToolCall": "(id, name, arguments={})",
    "ToolResult": "(output=None, error=None, metadata={})",
    "Message": "(role, content=None, tool_calls=(), call_id=None, extra={})",
    "ProviderRequest": "(model, messages=(), tools=[], kwargs={}, headers=None)",
    "MemoryItem": "(content, id=None, score=None, metadata={})",
    "Scope": "(session=None, agent=None, role=None, trust=None, chain=(), domain=None)",
    "Policy.require": (
        f"(self, predicate, *, on_fail='block', reason=None, severity={MEDIUM}, "
        "target=None, timeout_s=None, hook='pre')"
    ),
    "Policy.active_when": "(self, predicate)",
    "Policy.as_gate": "(self, *, tools=(), agents=())",
    "AgentScoped": "(policy, roles)",
    "Plan.at": "(self, seam)",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_signature_is_a_promise(name: str) -> None:
    """Names, order, defaults and which must be named."""
    it: Any = seamlaw
    for part in name.split("."):
        it = getattr(it, part)
    assert parameters(it) == SIGNATURES[name]


def test_a_plan_has_a_function_for_each_seam() -> None:
    """Named like the seam, called with the value, what stands beside it, and the scope by name."""

    def silent(value: object) -> None: ...

    made = seamlaw.plan(seamlaw.Interceptors(tool_call=[silent], tool_result=[silent]))
    assert made is not None
    for name in seamlaw.SEAMS:
        assert callable(getattr(made, name))
    assert parameters(made.tool_call) == "(given, scope=None)"
    assert parameters(made.tool_result) == "(given, *beside, scope=None)"


def test_every_exception_is_one_of_ours() -> None:
    """One base; each is also what a caller of Python would expect."""
    errors = [it for name in PUBLIC if inspect.isclass(it := getattr(seamlaw, name)) and issubclass(it, Exception)]
    assert [error for error in errors if not issubclass(error, seamlaw.SeamlawError)] == []
    assert len(errors) == 6


def test_importing_it_makes_no_noise() -> None:
    """No output, no warning, and no second copy of a module."""
    code = "import seamlaw, sys; print(sum(name.startswith('seamlaw') for name in sys.modules) > 10)"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("True\n", "")
