"""How a call that has ended is told: to a Python caller, and to a model."""

from seamlaw import ToolResult
from seamlaw_host.errors import Blocked

from ._pipeline import Ran

__all__ = ["given_of", "shown_of"]


def given_of(ran: Ran) -> object:
    """What a Python caller gets."""
    if ran.blocked is not None:
        raise Blocked(ran.blocked.denial, ran.blocked, executed=ran.executed)
    if ran.error is not None:
        raise ran.error
    return ran.output


def shown_of(ran: Ran) -> ToolResult:
    """What a model is shown."""
    if ran.blocked is not None:
        return ToolResult(error=ran.blocked.denial)
    return ran.result or ToolResult()
