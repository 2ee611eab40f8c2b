"""How many tokens of output a request asks for, in the words of those who answer it."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from seamlaw import ProviderRequest

from ._errors import InvalidAmount

__all__ = ["asked_for"]

# OpenAI's chat completions and responses, Anthropic's messages, Google's GenAI; the last has them in a configuration.
LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens")
CHOICES = ("n", "best_of", "candidate_count", "candidateCount")  # so many answers are made at once
# The last is what clients of OpenAI and Anthropic send in the place of anything else.
CONFIGURATIONS = ("config", "generation_config", "generationConfig", "extra_body")


def asked_for(request: ProviderRequest) -> int:
    """Give the most tokens that a request can be answered with; raises `InvalidAmount` where it does not say."""
    options = dict(_options("/kwargs", request.kwargs))
    limits = [number for at, one in options.items() for number in _numbers(at, one, LIMITS)]
    if not limits:
        raise InvalidAmount("/kwargs", f"must say how many tokens the answer may have: {', '.join(LIMITS)}")
    choices = [number for at, one in options.items() for number in _numbers(at, one, CHOICES)]
    return max(limits) * max([1, *choices])


def _options(at: str, given: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give the options of a request and, of the configurations in them, those, with their places."""
    yield at, given
    for name in CONFIGURATIONS:
        found = given.get(name)
        if isinstance(found, Mapping):
            yield from _options(f"{at}/{name}", cast("Mapping[str, Any]", found))
        elif found is not None:
            raise InvalidAmount(f"{at}/{name}", f"must be an object of JSON, not {type(found).__name__}")


def _numbers(at: str, options: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[int]:
    for name in names:
        found = options.get(name)
        if type(found) is int and found > 0:
            yield found
        elif found is not None:
            raise InvalidAmount(f"{at}/{name}", "must be a whole number, at least 1")
