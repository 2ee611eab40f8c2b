"""The page of claims and the figures, made from the laws and the recorded evidence."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import Any

from ._law import MECHANISMS, Law
from .evidence import read
from .laws import LAWS
from .unsaid import UNSAID
from .waivers import WAIVERS

__all__ = ["claims", "figures"]

MEANS: Mapping[str, str] = {
    "tested": "so many examples, made up by Hypothesis",
    "confirmed": "by CrossHair: over all paths, for every case up to a size, its integers and texts symbolic",
    "proved": "by z3, and by cvc5 once more: unbounded, over a model extracted from the shipped functions",
    "exhausted": "every case up to a size",
}
TRUSTED: Mapping[str, str] = {
    "tested": "That the strategies reach what matters. What was not tried is not known.",
    "confirmed": "CrossHair, z3, and the enumeration of shapes. CrossHair runs the shipped bytecode of one thread; "
    "caches of functions are skipped, but for the one that names the laws' own interceptors.",
    "exhausted": "The enumerations: an alphabet stands for its kind (three replacements, not all values).",
}


def figures() -> str:
    """How much was checked when the evidence was recorded."""
    recorded = read()
    head = "| | laws | looked at | what that means |\n| --- | --- | --- | --- |\n"
    rows = "\n".join(_figure(layer) for layer in MECHANISMS.values())
    checks = sum(len(law["evidence"]) for law in recorded["laws"].values())
    seconds = sum(one["seconds"] for law in recorded["laws"].values() for one in law["evidence"].values())
    told = f"{len(recorded['laws'])} laws, {checks} checks, in {seconds:.0f} seconds of processor time."
    return f"{head}{rows}\n\n{told}"


def _figure(layer: str) -> str:
    found = [law["evidence"][layer] for law in read()["laws"].values() if layer in law["evidence"]]
    unit = found[0]["unit"] if found else ""
    return f"| **{layer}** | {len(found)} | {sum(one['count'] for one in found):,} {unit} | {MEANS[layer]} |"


def claims() -> str:
    """Every law: in words, as code, how it was checked, what it does not say; and what is trusted."""
    groups = dict.fromkeys(law.group for law in LAWS.values())
    laws = "\n\n".join(f"## {group.capitalize()}\n\n{_group(group)}" for group in groups)
    return f"{laws}\n\n## What is trusted\n\n{_trusted()}"


def _group(group: str) -> str:
    return "\n\n".join("\n".join(_claim(law)) for law in LAWS.values() if law.group == group)


def _claim(law: Law) -> Iterator[str]:
    recorded = read()["laws"].get(law.name, {"evidence": {}})["evidence"]
    yield f"### {law.name}\n"
    yield " ".join((inspect.getdoc(law.holds) or "").split())
    yield ""
    for layer in (MECHANISMS[letter] for letter in law.by):
        yield f"- **{layer}**: {_told(law, layer, recorded.get(layer))}"
    yield f"- Does not say: {UNSAID[law.name]}"
    for layer, found in recorded.items():
        if unsaid := found.get("unsaid"):
            yield f"- That it is {layer} does not say: {unsaid}"
    yield f"\n```python\n{_formal(law)}\n```"


def _told(law: Law, layer: str, found: Mapping[str, Any] | None) -> str:
    reason = next((one.reason for one in WAIVERS if (one.law, one.mechanism) == (law.name, layer)), None)
    if reason is not None:
        return f"waived: {reason}"
    if found is None:
        return "no evidence is recorded"
    return f"{found['count']:,} {found['unit']}" + (f" ({found['bound']})" if found["bound"] else "")


def _formal(law: Law) -> str:
    """The function without its decorator and its docstring."""
    source = dedent(inspect.getsource(law.holds))
    (function,) = ast.parse(source).body
    if not isinstance(function, ast.FunctionDef):
        raise TypeError(f"{law.name} is no plain function")
    lines, (docstring, *_) = source.splitlines(), function.body
    return "\n".join([*lines[function.lineno - 1 : docstring.lineno - 1], *lines[docstring.end_lineno :]]).strip()


def _trusted() -> str:
    proofs: str = read().get("trusted", "nothing is recorded")
    told = {**TRUSTED, "proved": f"{proofs[:1].upper()}{proofs[1:]}."}
    return "\n".join(f"- **{layer}**: {told[layer]}" for layer in MECHANISMS.values())
