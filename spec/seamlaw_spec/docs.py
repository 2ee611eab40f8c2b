"""The parts of the docs that are made from the code: each a function that takes nothing and gives Markdown."""

from collections.abc import Callable, Iterable, Mapping

from seamlaw import (
    ALLOW,
    SEAMS,
    Ask,
    Block,
    Entry,
    Fault,
    Mismatch,
    Note,
    Operation,
    Replace,
    Result,
    Seam,
    State,
    step,
)
from seamlaw._precedence import JOIN
from seamlaw.policy._conditions import KINDS, OPERATORS, holds
from seamlaw.policy._policy import AND, NOT, OR

from ._law import MECHANISMS, Law
from .claims import claims, figures
from .domains import Answer
from .laws import LAWS

__all__ = ["GENERATORS", "table"]


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table; a bar in a cell is escaped."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *map(list, rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def laws() -> str:
    """All laws, a table a group: what each says, and how it must be checked."""
    groups = dict.fromkeys(law.group for law in LAWS.values())
    return "\n\n".join(f"**{group.capitalize()}**\n\n{_of_group(group)}" for group in groups)


def _of_group(group: str) -> str:
    return table(("law", "statement", "must be"), (_row(law) for law in LAWS.values() if law.group == group))


def _row(law: Law) -> tuple[str, str, str]:
    return f"`{law.name}`", law.statement, ", ".join(MECHANISMS[letter] for letter in law.by)


def seams() -> str:
    """The seam table of the kernel."""
    head = ("seam", "fires", "value (and beside it)", "on a fault", "a block means", "kept")
    return table(head, map(_seam, SEAMS.values()))


def _seam(seam: Seam[object]) -> tuple[str, ...]:
    value = f"tuple of `{seam.value_type.__name__}`" if seam.many else f"`{seam.value_type.__name__}`"
    beside = ", ".join(f"`{kind.__name__}`" for kind in seam.beside)
    kept = ", ".join(f"`{name}`" for name in seam.kept)
    fault = "**closed**" if seam.on_fault == "closed" else "open"
    return f"`{seam.name}`", seam.fires, f"{value} ({beside})" if beside else value, fault, seam.block_means, kept


def precedence() -> str:
    """What two levels come to."""
    rows = ([f"**{a.value}**", *(JOIN[a][b].value for b in JOIN)] for a in JOIN)
    return table(["", *(level.value for level in JOIN)], rows)


ANSWERS: Mapping[str, Answer] = {
    "allow, or `None`": ALLOW,
    "note": Note(""),
    "replace": Replace("another value"),
    "ask": Ask(""),
    "block": Block(""),
    "fault, open": Fault("", closed=False),
    "fault, closed": Fault("", closed=True),
}


def effects() -> str:
    """What `step` does with each kind of answer, found by running it."""
    rows = (
        (name, *(_effect(Entry("", "", answer, is_gate)) for is_gate in (False, True)))
        for name, answer in ANSWERS.items()
    )
    return table(("answer", "in the chain", "of a gate"), rows)


def _effect(entry: Entry) -> str:
    before = State("a value")
    after = step(before, entry)
    if after is before:
        return "nothing"
    done = ["logged"] if after.log == (entry,) else []
    done += ["the value is replaced"] if after.value is not before.value else []
    done += [f"verdict {entry.level.value}"] if entry.level.value in ("ask", "block") else []
    return "; ".join([*done, *(["the chain stops"] if after.stopped else [])])


def results() -> str:
    """What `&`, `|` and `~` make of the results of policies."""
    return "\n\n".join([_binary("&", AND), _binary("|", OR), _unary(NOT)])


def _binary(operator: str, meaning: Mapping[Result, Mapping[Result, Result]]) -> str:
    rows = ([f"**{a.value}**", *(meaning[a][b].value for b in Result)] for a in Result)
    return table([f"`{operator}`", *(result.value for result in Result)], rows)


def _unary(meaning: Mapping[Result, Result]) -> str:
    return table(("`~`", *(a.value for a in Result)), [("", *(meaning[a].value for a in Result))])


MEANINGS: Mapping[str, tuple[str, object]] = {  # when each operator holds, and an operand for which the types are found
    "equals": ("it is this JSON value; numbers by value, and `true` is not 1", None),
    "one_of": ("it is one of these JSON values", [None]),
    "starts_with": ("it begins with this text", "text"),
    "ends_with": ("it ends with this text", "text"),
    "contains": ("this text stands in it, or this JSON value is one of its items", "text"),
    "matches": ("this pattern is found in it, in linear time", "text"),
    "under": ("it is this path or lies under it, by the names alone", "/text"),
    "less": ("it is less than this number", 1),
    "greater": ("it is greater than this number", 1),
    "exists": ("it is there, also as `null`; `false` asks that it is not", True),
    "type_is": ("it is of this JSON type", "null"),
    "length": ("its length is this number, or passes this operator", 1),
    "any": ("one of its items passes this operator", {"exists": True}),
    "not": ("this operator does not hold", {"exists": True}),
}
OF_THE_OPERAND = {"equals": "of the operand's type", "one_of": "of the type of one of the operands"}
VALUES: Mapping[str, object] = {
    "null": None,
    "boolean": True,
    "number": 1,
    "string": "/text",
    "array": [],
    "object": {},
}


def operators() -> str:
    """The operators of rules: for which values each is, found by running it, and when it holds."""
    return table(("operator", "for values that are", "holds when"), (_operator(name) for name in OPERATORS))


def _operator(name: str) -> tuple[str, str, str]:
    meaning, operand = MEANINGS[name]
    read = Operation(name, OPERATORS[name].operand(operand, ""))
    kinds = [kind for kind in KINDS if _is_for(read, VALUES[kind])]
    told = "anything" if len(kinds) == len(KINDS) else ", ".join(kinds)
    return f"`{name}`", OF_THE_OPERAND.get(name, told), meaning


def _is_for(operation: Operation, value: object) -> bool:
    try:
        holds(operation, value)
    except Mismatch:
        return False
    return True


def mutants() -> str:
    """What became of the small changes of the kernel."""
    from .mutants import figures as told

    return told()


def matrix() -> str:
    """The same, module by module."""
    from .mutants import rows

    head, *listed = rows()
    return table(head, listed)


GENERATORS: Mapping[str, Callable[[], str]] = {
    "laws": laws,
    "seams": seams,
    "precedence": precedence,
    "effects": effects,
    "results": results,
    "operators": operators,
    "claims": claims,
    "figures": figures,
    "mutants": mutants,
    "matrix": matrix,
}
