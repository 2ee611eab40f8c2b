"""The tokens that a response says were used, in the shapes of those who send it; never 0 where it does not say."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, cast

from attrs import frozen

from seamlaw import Interceptor, ToolResult

from ._budget import AmountFrom, budget
from ._errors import InvalidLimit, UnknownUsage
from ._keys import By
from ._protocol import State

__all__ = ["Count", "Usage", "token_budget", "usage_of"]

Count: TypeAlias = Literal["total", "input", "output"]
COUNTS: tuple[Count, ...] = ("total", "input", "output")


@frozen
class Usage:
    """Tokens: `input` with those read from and written to a cache, of which `cached` were read from it."""

    input: int
    output: int
    cached: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.input + self.output


def usage_of(response: object) -> Usage:
    """Read the usage of a response, or of a `ToolResult` that holds one; raises `UnknownUsage`.

    Known are Anthropic's messages, OpenAI's chat completions and responses, and Google's GenAI, as JSON or as the
    objects of their libraries; of a stream, what its last event says of the whole.
    """
    if isinstance(response, ToolResult):
        response = response.output
    for name in ("usage", "usage_metadata", "usageMetadata"):
        found = _get(response, name)
        if found is not None:
            return _read(found)
    return _read(response)


def _read(usage: object) -> Usage:
    if _has(usage, "prompt_tokens"):  # https://platform.openai.com/docs/api-reference/chat/object
        return _openai(usage, "prompt_tokens", "completion_tokens", "prompt_tokens_details")
    if _has(usage, "prompt_token_count"):  # https://ai.google.dev/api/generate-content#UsageMetadata
        return _google(usage, "prompt_token_count", "total_token_count", "cached_content_token_count")
    if _has(usage, "promptTokenCount"):
        return _google(usage, "promptTokenCount", "totalTokenCount", "cachedContentTokenCount")
    if _has(usage, "total_tokens"):  # https://platform.openai.com/docs/api-reference/responses/object
        return _openai(usage, "input_tokens", "output_tokens", "input_tokens_details")
    if _has(usage, "input_tokens"):  # https://docs.anthropic.com/en/api/messages: input_tokens are those of no cache
        read, written = _tokens(usage, "cache_read_input_tokens", 0), _tokens(usage, "cache_creation_input_tokens", 0)
        return _consistent(_tokens(usage, "input_tokens") + read + written, _tokens(usage, "output_tokens"), read)
    raise UnknownUsage("the response does not say in a known shape how many tokens were used")


def _openai(usage: object, given: str, made: str, details: str) -> Usage:
    """The total may be more than its parts, where thinking is counted apart: then it is output."""
    before, after = _tokens(usage, given), _tokens(usage, made)
    total = _tokens(usage, "total_tokens", before + after)
    if total < before + after:
        raise UnknownUsage("total_tokens is less than its parts")
    return _consistent(before, total - before, _tokens(_get(usage, details), "cached_tokens", 0))


def _google(usage: object, given: str, all_of_them: str, cached: str) -> Usage:
    """Output is what is not of the prompt: candidates, thoughts, results of tools."""
    before, total = _tokens(usage, given), _tokens(usage, all_of_them)
    if total < before:
        raise UnknownUsage(f"{all_of_them} is less than {given}")
    return _consistent(before, total - before, _tokens(usage, cached, 0))


def _consistent(before: int, after: int, cached: int) -> Usage:
    if cached > before:
        raise UnknownUsage("more tokens are said to be cached than were sent")
    return Usage(before, after, cached)


def _tokens(usage: object, name: str, default: int | None = None) -> int:
    found = _get(usage, name)
    if found is None and default is not None:
        return default
    if type(found) is not int or found < 0:
        kind = "missing" if found is None else "negative" if type(found) is int else f"a {type(found).__name__}"
        raise UnknownUsage(f"{name} is {kind}, and says how many tokens were used")
    return found


def _get(thing: object, name: str) -> Any:
    """A field of JSON or of an object; `None` where there is none, which is what null means, too."""
    if isinstance(thing, Mapping):
        return cast("Mapping[str, Any]", thing).get(name)
    return getattr(thing, name, None)


def _has(usage: object, name: str) -> bool:
    return _get(usage, name) is not None


def token_budget(
    state: State,
    cap: int,
    *,
    at_most: AmountFrom | None = None,
    usage_from: Callable[[Any], Usage] = usage_of,
    count: Count = "total",
    if_unknown: int | None = None,
    key: By = "session",
    name: str = "token budget",
    tools: str | Iterable[str] = (),
    agents: str | Iterable[str] = (),
) -> Interceptor:
    """A gate that lets calls through as long as fewer tokens than `cap` were used, per key.

    It is a `budget` of tokens that `usage_from` reads from the result, or from the response told to `metering`. With
    `at_most`, an upper bound of what one call uses, the cap is never exceeded. Raises `InvalidLimit`.
    """
    if count not in COUNTS:
        raise InvalidLimit(f"count is {', '.join(COUNTS)}")
    return budget(
        state,
        cap,
        amount_from=at_most,
        actual_from=lambda result: getattr(usage_from(result), count),
        if_unknown=if_unknown,
        unit=1,
        key=key,
        name=name,
        tools=tools,
        agents=agents,
    )
