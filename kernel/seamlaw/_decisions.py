"""What an interceptor may answer. `None` counts as `ALLOW`; anything that is not one of these is a fault."""

from contextlib import suppress
from typing import Any, TypeAlias, cast, final

from attrs import field, frozen

from ._precedence import Severity
from .errors import InvalidValue
from .values._frozen import sealed

__all__ = ["ALLOW", "Allow", "Ask", "Block", "Decision", "Note", "Replace", "Several"]
__all__ += ["allow", "ask", "block", "note", "replace"]


def close_unawaited(answer: object) -> None:
    """Close a coroutine, cancel a task: nobody will ever await it."""
    with suppress(Exception):  # its own business; what was decided stands
        if hasattr(type(answer), "__await__"):
            getattr(answer, "close", getattr(answer, "cancel", lambda: None))()


def text_of(reason: object) -> str:
    """Make any reason into text that can be written down; never raises an `Exception`."""
    if type(reason) is str and reason.isascii():
        return reason
    try:
        text = reason if type(reason) is str else "" if reason is None else str.__str__(str(reason))
        close_unawaited(reason)
        return text if text.isascii() else text.encode("utf-8", "replace").decode()
    except Exception:
        return "(a reason that cannot be shown)"


def _severity_or_high(severity: object) -> Severity:
    try:
        return severity if type(severity) is Severity else Severity(severity)
    except Exception:  # what was said is never lost over its label
        return Severity.HIGH


def _severity(severity: Severity | str) -> Severity:
    try:
        return Severity(severity)
    except ValueError:
        raise InvalidValue("/severity", "must be low, medium or high") from None


def _target(target: str | None) -> str | None:
    if target is not None and not (isinstance(cast(object, target), str) and target):
        raise InvalidValue("/target", "must be text that says whom to ask")
    return target


def _seconds(timeout_s: float | None) -> float | None:
    if timeout_s is not None and not (type(timeout_s) in (int, float) and 0 < timeout_s < float("inf")):
        raise InvalidValue("/timeout_s", "must be a positive number of seconds")
    return timeout_s


@final
@sealed
@frozen
class Allow:
    """Nothing to say."""


@final
@sealed
@frozen
class Note:
    """Worth recording; changes nothing."""

    reason: str = field(converter=text_of)
    severity: Severity = field(default=Severity.LOW, converter=_severity_or_high)


@final
@sealed
@frozen
class Replace:
    """Proceed with this value instead; the very object it would replace makes it an allow."""

    value: Any


@final
@sealed
@frozen
class Ask:
    """Proceed only if `target` grants it; `timeout_s` is in seconds."""

    reason: str = field(converter=text_of)
    target: str | None = field(default=None, converter=_target)
    timeout_s: float | None = field(default=None, converter=_seconds)
    severity: Severity = field(default=Severity.MEDIUM, converter=_severity_or_high)


@final
@sealed
@frozen
class Block:
    """Stop, for this reason."""

    reason: str = field(converter=text_of)
    severity: Severity = field(default=Severity.HIGH, converter=_severity_or_high)


@final
@sealed
@frozen
class Several:
    """What a gate says when several rules behind it found something: each is logged, each ask must be granted."""

    decisions: tuple[Note | Ask | Block, ...]


Decision: TypeAlias = Allow | Note | Replace | Ask | Block
ALLOW = Allow()


def allow() -> Allow:
    """Let the value pass as it is."""
    return ALLOW


def note(reason: object, *, severity: Severity | str = Severity.LOW) -> Note:
    """Record something without changing anything."""
    return Note(reason, _severity(severity))


def replace(value: object) -> Replace:
    """Let this value proceed instead."""
    return Replace(value)


def ask(
    reason: object,
    *,
    target: str | None = None,
    timeout_s: float | None = None,
    severity: Severity | str = Severity.MEDIUM,
) -> Ask:
    """Have a person decide; raises `InvalidValue` for a time-out that is no positive number of seconds."""
    return Ask(reason, target, timeout_s, _severity(severity))


def block(reason: object, *, severity: Severity | str = Severity.HIGH) -> Block:
    """Stop the value here; never raises, whatever it is given (law `a_block_can_always_be_said`)."""
    return Block(reason, severity)
