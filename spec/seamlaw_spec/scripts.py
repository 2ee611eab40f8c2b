"""What the laws of real consultation range over: scripts, frozen values that say what each interceptor will do.

`seamlaw_spec.stages` plays a script on the shipped kernel and `seamlaw_spec.model` says, without it, what must happen.
"""

from enum import Enum
from typing import Literal, TypeAlias

from attrs import evolve, frozen

__all__ = ["TOOLS", "Act", "Actor", "Declared", "Place", "Ruled", "Script", "Turn"]

TOOLS = ("read", "read_all", "write\n")  # a call with the number n is of the tool n modulo three


class Place(Enum):
    """The seams of the table, and two that a host defines itself."""

    CONTEXT = "context"
    PROVIDER_REQUEST = "provider_request"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    MEMORY = "memory"
    OWN_OPEN = "own_open"
    OWN_CLOSED = "own_closed"


class Act(Enum):
    """Everything an interceptor can do when it is asked."""

    NONE = "answers None"
    ALLOW = "answers ALLOW"
    FRESH_ALLOW = "answers another Allow()"
    SAME = "replaces the value by itself"
    EQUAL = "replaces the value by one that is equal"
    REPLACE = "replaces the value by the one of its number"
    NOTE = "notes"
    GRAVE_NOTE = "notes with high severity"
    ASK = "asks"
    ASK_SOMEONE = "asks a target, gravely, with a time limit"
    BLOCK = "blocks"
    LIGHT_BLOCK = "blocks with low severity"
    SEVERAL = "says a note, an ask and a block at once"
    SEVERAL_NOTHING = "says several things, of which there are none"
    WRONG_TYPE = "replaces the value by what the seam does not carry"
    FORGED_ID = "replaces a call by one of another id"
    RAISE = "raises"
    TRUE = "answers True"
    FALSE = "answers False"
    ZERO = "answers 0"
    TEXT = "answers text"
    DECISION_CLASS = "answers the class Allow"
    FORGED_ALLOW = "answers an object whose __class__ says Allow"
    COROUTINE = "answers a coroutine"
    EXIT = "exits"
    INTERRUPT = "is interrupted"


@frozen
class Turn:
    """What an interceptor does once; its number is what it replaces by."""

    act: Act
    number: int = 0


# What an interceptor's parameters are: one more than is offered means the scope, whatever it is called.
Declared: TypeAlias = Literal["what is offered", "the value", "anything", "the scope", "the scope by place", "one more"]


@frozen
class Actor:
    """One interceptor: what it does, chosen by what it counts, and how it is registered."""

    turns: tuple[Turn, ...]
    by: Literal["its own count", "everyone's count", "the value"] = "its own count"
    is_gate: bool = False
    closes: bool = False
    takes: Declared = "what is offered"
    tools: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()

    def turn(self, own: int, all_in_all: int, number: int) -> Turn:
        """What it does, asked about the value of this number after so many questions to it, and to everyone."""
        if not self.turns:
            return Turn(Act.NONE)
        counted = {"its own count": own, "everyone's count": all_in_all, "the value": number}[self.by]
        return self.turns[counted % len(self.turns)]


@frozen
class Ruled:
    """A rule as data."""

    verb: Literal["refuse", "ask", "note", "default"]
    tool: str = "*"


@frozen
class Script:
    """A seam, who stands there, and which values come, one after another; rules act at `tool_call` alone."""

    place: Place
    actors: tuple[Actor, ...] = ()
    numbers: tuple[int, ...] = (0,)
    agent: str | None = None
    rules: tuple[Ruled, ...] = ()

    def gates(self) -> tuple[int, ...]:
        """Which of the actors are gates."""
        return tuple(at for at, actor in enumerate(self.actors) if actor.is_gate)

    def calm(self) -> "Script":
        """The same with one value, and nobody who exits or is interrupted: they raise."""
        return evolve(self, actors=tuple(map(_calmed, self.actors)), numbers=self.numbers[:1])


def _calmed(actor: Actor) -> Actor:
    turns = (Turn(Act.RAISE) if turn.act in (Act.EXIT, Act.INTERRUPT) else turn for turn in actor.turns)
    return evolve(actor, turns=tuple(turns))
