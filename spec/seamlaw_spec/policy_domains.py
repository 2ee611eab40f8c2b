"""What the laws of policies range over: expressions as lists of tokens.

A list is read as a stack machine reads it: a leaf is pushed, an operator takes what is on top (where nothing is, a
policy without requirements). So every list is an expression, and a case is data that every engine can take.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from typing import Any, Literal, Protocol, TypeAlias, cast

from attrs import frozen

from seamlaw import (
    AgentScoped,
    Ask,
    Block,
    Evaluation,
    Interceptor,
    Level,
    Note,
    Policy,
    Scope,
    Severity,
    ToolCall,
    ToolResult,
)

__all__ = [
    "CALL",
    "CALLER",
    "FAULTS",
    "GRAVITY",
    "HOOKS",
    "LEAVES",
    "Composable",
    "Hook",
    "Line",
    "Says",
    "Token",
    "Tree",
    "answers",
    "evaluated",
    "level",
    "policy",
    "read",
    "reason",
]

Hook: TypeAlias = Literal["pre", "post"]
HOOKS: tuple[Hook, ...] = ("pre", "post")
LONGEST = 10  # tokens that are read: a part that faults doubles the ways there are
GRAVITY: dict[Level, int] = {Level.ALLOW: 0, Level.NOTE: 1, Level.ASK: 2, Level.BLOCK: 3}


class Composable(Protocol):
    """What every policy can do, however it is composed."""

    @property
    def policy_hash(self) -> str:
        """The hash."""
        ...

    def evaluate(self, hook: Hook, *offered: Any, scope: Scope | None = None) -> Evaluation:
        """Judge a call before it runs, or its result."""
        ...

    def as_gate(self) -> Interceptor:
        """Make it a gate."""
        ...

    def __and__(self, other: Any) -> "Composable": ...
    def __or__(self, other: Any) -> "Composable": ...
    def __invert__(self) -> "Composable": ...


class Token(Enum):
    """A leaf, or an operator on what was read before it."""

    EMPTY = "no requirement"
    PASS = "passes"  # noqa: S105
    FAIL = "fails"
    CRASH = "raises"
    NOT = "~"
    AND = "&"
    OR = "|"
    INACTIVE = "is not active"
    ASK = "fails, asking"
    NOTE = "fails, noting"
    QUIET = "passes, and would note"
    NONSENSE = "answers 1"
    ASK_CRASH = "raises, and would ask"
    NOTE_CRASH = "raises, and would note"
    POST_PASS = "passes after"  # noqa: S105
    POST_FAIL = "fails after"
    POST_CRASH = "raises after"
    TURNS = "passes before, fails after"
    TWO_FAIL = "fails twice, once asking"
    HALF = "passes and raises"
    SPENT = "fails and raises"
    MINE = "for the caller's role"
    OTHERS = "for another role"


class Says(Enum):
    """What a predicate does."""

    HOLDS = "True"
    FAILS = "False"
    RAISES = "an exception"
    BABBLES = "1"


FAULTS = (Says.RAISES, Says.BABBLES)


@frozen
class Line:
    """A requirement of a leaf."""

    says: Says
    on_fail: Literal["block", "ask", "note"] = "block"
    hook: Hook = "pre"
    severity: Severity = Severity.MEDIUM


_PASS, _FAIL, _CRASH = Line(Says.HOLDS), Line(Says.FAILS), Line(Says.RAISES)
_ASK = Line(Says.FAILS, "ask", severity=Severity.HIGH)
LEAVES: dict[Token, tuple[Line, ...]] = {
    Token.EMPTY: (),
    Token.PASS: (_PASS,),
    Token.FAIL: (_FAIL,),
    Token.CRASH: (_CRASH,),
    Token.INACTIVE: (_FAIL, _CRASH),
    Token.ASK: (_ASK,),
    Token.NOTE: (Line(Says.FAILS, "note", severity=Severity.HIGH),),
    Token.QUIET: (Line(Says.HOLDS, "note"),),
    Token.NONSENSE: (Line(Says.BABBLES),),
    Token.ASK_CRASH: (Line(Says.RAISES, "ask"),),
    Token.NOTE_CRASH: (Line(Says.RAISES, "note"),),
    Token.POST_PASS: (Line(Says.HOLDS, hook="post"),),
    Token.POST_FAIL: (Line(Says.FAILS, hook="post"),),
    Token.POST_CRASH: (Line(Says.RAISES, hook="post"),),
    Token.TURNS: (_PASS, Line(Says.FAILS, hook="post")),
    Token.TWO_FAIL: (_ASK, _PASS, Line(Says.FAILS, severity=Severity.LOW)),
    Token.HALF: (_PASS, _CRASH),
    Token.SPENT: (_FAIL, _CRASH),
}


@frozen
class Tree:
    """An expression: a token, on the expressions it takes."""

    token: Token
    parts: tuple["Tree", ...] = ()


def read(tokens: Iterable[Token]) -> Tree:
    """Read tokens as a stack machine does, up to the longest that is looked at; what is left over is not used."""
    stack = [Tree(Token.EMPTY)]
    for token in list(tokens)[:LONGEST]:
        if token in LEAVES:
            stack.append(Tree(token))
        else:
            wanted = 2 if token in (Token.AND, Token.OR) else 1
            while len(stack) < wanted + 1:
                stack.insert(1, Tree(Token.EMPTY))
            taken = tuple(stack[-wanted:])
            stack[-wanted:] = [Tree(token, taken)]
    return stack[-1]


CALL, RESULT, CALLER = ToolCall("1", "send", {"to": "a@b.c"}), ToolResult("sent"), Scope(role="clerk")


def policy(tree: Tree) -> Composable:
    """Build the shipped policy that an expression stands for."""
    return _BUILT[tree.token](tree) if tree.token in _BUILT else _leaf(tree.token)


_BUILT: dict[Token, Callable[[Tree], Composable]] = {
    Token.NOT: lambda tree: ~policy(tree.parts[0]),
    Token.AND: lambda tree: policy(tree.parts[0]) & policy(tree.parts[1]),
    Token.OR: lambda tree: policy(tree.parts[0]) | policy(tree.parts[1]),
    Token.MINE: lambda tree: AgentScoped(cast(Any, policy(tree.parts[0])), ("auditor", "clerk")),
    Token.OTHERS: lambda tree: AgentScoped(cast(Any, policy(tree.parts[0])), "auditor"),
}


@cache
def _leaf(token: Token) -> Policy:
    made = Policy(token.name)
    if token is Token.INACTIVE:
        made = made.active_when(_never)
    for at, line in enumerate(LEAVES[token]):
        made = made.require(
            _predicate(line.says),
            on_fail=line.on_fail,
            reason=reason(token, at),
            severity=line.severity,
            target="someone" if line.on_fail == "ask" else None,
            hook=line.hook,
        )
    return made


def _never(*_: object) -> bool:
    return False


def _predicate(says: Says) -> Callable[..., bool]:
    def predicate(*_: object) -> bool:
        match says:
            case Says.RAISES:
                raise RuntimeError
            case Says.BABBLES:
                return cast(bool, 1)
            case _:
                return says is Says.HOLDS

    return predicate


def reason(token: Token, at: int) -> str:
    """The reason of a requirement."""
    return f"{token.name} {at}"


def evaluated(tree: Tree | Composable, hook: Hook) -> Evaluation:
    """Evaluate by the shipped kernel, for the one call and caller there are."""
    judged = policy(tree) if isinstance(tree, Tree) else tree
    return judged.evaluate(hook, *((CALL,) if hook == "pre" else (RESULT, CALL)), scope=CALLER)


def answers(tree: Tree, hook: Hook) -> tuple[Note | Ask | Block, ...]:
    """What the shipped policy says as a gate."""
    return evaluated(tree, hook).decisions()


def level(decisions: Iterable[Note | Ask | Block]) -> Level:
    """How far the strictest of several decisions goes."""
    kinds = {type(said) for said in decisions}
    order = ((Block, Level.BLOCK), (Ask, Level.ASK), (Note, Level.NOTE))
    return next((found for kind, found in order if kind in kinds), Level.ALLOW)
