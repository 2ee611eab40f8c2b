"""The canonical text of a value: JSON (RFC 8785), extended to integers past 2^53."""

from collections.abc import Callable, Iterable
from json.encoder import encode_basestring  # escapes just what RFC 8785, section 3.2.2.2, does
from typing import Any

import attrs

from ._frozen import FrozenDict, FrozenList
from ._values import MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult

__all__ = ["write"]


def write(value: Any, out: list[str]) -> bool:
    """Append the text of what a seam carries, or of a tuple of it and what stands beside it."""
    if _class(value) is not tuple:
        return _write_one(value, out)
    out.append("tuple")
    return _write_list(value, out, _write_beside)


def _write_beside(value: Any, out: list[str]) -> bool:
    return _write_list(value, out, _write_one) if _class(value) is tuple else _write_one(value, out)


def _write_one(value: Any, out: list[str]) -> bool:
    """Append the text of a host's own attrs object, or of anything that can stand in a field."""
    return _write_fields(value, out) if _has_fields(_class(value)) else _write_value(value, out)


def _write_field(value: Any, out: list[str]) -> bool:
    return _write_list(value, out, _write_value) if _class(value) is tuple else _write_value(value, out)


def _write_value(value: Any, out: list[str]) -> bool:
    """Append the text of the kernel's own values, and of JSON."""
    ours = any(_class(value) is kind for kind in (MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult))
    return _write_fields(value, out) if ours else _write(value, out)


def _write_fields(value: Any, out: list[str]) -> bool:
    named = _class(value)
    try:
        names = [field.name for field in attrs.fields(named) if field.metadata.get("digest", True)]
        ours = named.__module__ == Scope.__module__
        out.append(
            named.__name__ if ours else f"<{named.__module__}.{named.__qualname__}>"
        )  # kinds never share a digest
        return _write_list([getattr(value, name) for name in names], out, _write_field)
    except Exception:  # a host's own object that does not tell
        return _write_opaque(value, out)


def _write(value: Any, out: list[str]) -> bool:
    """Append the canonical text of frozen JSON, and say whether it was JSON throughout."""
    kind: object = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is str:
        out.append(encode_basestring(value))
    elif value is None or kind is bool:
        out.append({None: "null", True: "true", False: "false"}[value])
    elif kind is int or kind is float:
        out.append(_integer(value) if kind is int else _float(value))
        return kind is int or value - value == 0
    elif kind is FrozenDict:
        return _write_object(value, out)
    elif kind is FrozenList:
        return _write_list(value, out, _write)
    else:
        return _write_opaque(value, out)
    return True


def _write_opaque(value: object, out: list[str]) -> bool:
    out.append(f"<object {id(value)}>")
    return False


def _has_fields(kind: type[Any]) -> bool:
    try:
        return "__attrs_attrs__" in kind.__dict__  # its own: an undecorated subclass may hold more
    except Exception:  # a class of a hostile class
        return False


def _class(value: object) -> type[Any]:
    return type(value)


def _write_object(value: dict[str, Any], out: list[str]) -> bool:
    exact = True
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))  # RFC 8785, section 3.2.3
    for index, key in enumerate(keys):
        out.append(("," if index else "{") + encode_basestring(key) + ":")
        exact &= _write(value[key], out)
    out.append("}" if keys else "{}")
    return exact


def _write_list(value: Iterable[Any], out: list[str], write: Callable[[Any, list[str]], bool]) -> bool:
    exact, before = True, "["
    for item in value:
        out.append(before)
        exact &= write(item, out)
        before = ","
    out.append("]" if before == "," else "[]")
    return exact


def _integer(value: int) -> str:
    text = hex(value) if value.bit_length() > 4096 else str(value)
    if 2**53 < abs(value) < 10**21 and float(value) != value and _float(float(value)) == text:
        return text + ".0"  # a double whose shortest form is this text has another value
    return text


def _float(value: float) -> str:
    """Write a double as ECMAScript does (RFC 8785, section 3.2.2.3)."""
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction.rstrip("0")).lstrip("0") if fraction != "0" else whole
    point = len(whole) + int(exponent or 0) if whole != "0" else len(digits) - len(fraction) + int(exponent or 0)
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        text = digits.ljust(point, "0") if len(digits) <= point else f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        text = f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{point - 1:+d}"
    return "-" + text if value < 0 else text
