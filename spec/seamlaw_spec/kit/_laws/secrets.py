"""What a policy does with secrets that it was told of."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from seamlaw import MemoryItem, Message, ProviderRequest, ToolResult
from seamlaw_spec.kit._law import law
from seamlaw_spec.kit._parts import Heard, Part, Shown, Trace
from seamlaw_spec.kit._twins import leaves, map_texts

__all__ = ["leaks_no_configured_secret"]


@law(concerns=lambda part: bool(part.secrets))
def leaks_no_configured_secret(part: Part, trace: Trace) -> bool:
    """No configured secret stands in a reason, nor, after a redactor, in what goes on."""
    *before, last = trace
    heard = part.after(before)(last)
    for entry in heard.entries:
        if any(secret in entry.reason for secret in part.secrets):
            return part.remark(f"its {entry.kind.value} quotes a secret in the reason")
    left = _secrets_in(part, _goes_on(last, heard))
    if left and heard.strictness < 2 and _is_redactor(part, last):
        why = f", for it raised {type(heard.error).__name__}" if heard.error else ""
        return part.remark(f"a secret is left at {left[0]}, and the value proceeds{why}")
    return True


def _goes_on(shown: Shown, heard: Heard) -> Any:
    return shown.value if heard.replacement is None else heard.replacement.value


def _secrets_in(part: Part, value: Any) -> list[str]:
    """The places where a secret stands."""
    return [at for at, leaf in leaves(value) if at not in ("/id", "/name") and _holds_one(part, leaf)]


def _holds_one(part: Part, leaf: object) -> bool:
    return isinstance(leaf, str) and any(secret in leaf for secret in part.secrets)


SIMPLE: Mapping[str, Callable[[str], Any]] = {
    "tool_result": ToolResult,
    "context": lambda secret: (Message("user", secret),),
    "provider_request": lambda secret: ProviderRequest("model", (Message("user", secret),)),
    "memory": lambda secret: (MemoryItem(secret),),
}


def _is_redactor(part: Part, shown: Shown) -> bool:
    """Whether it takes a secret out of a value like this in which each text is one, or out of the simplest."""
    if part.is_gate:
        return False
    secret, simple = part.secrets[0], SIMPLE.get(part.seam.name)
    tried = [map_texts(shown, lambda text, at: text if at == "/name" else secret)]
    tried += [evolve(shown, value=simple(secret))] if simple else []
    return any(_takes_one_out(part, one) for one in tried)


def _takes_one_out(part: Part, shown: Shown) -> bool:
    given, goes_on = _secrets_in(part, shown.value), _goes_on(shown, part.after(())(shown))
    return any(at in given and not _holds_one(part, leaf) for at, leaf in leaves(goes_on))
