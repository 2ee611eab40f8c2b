"""Takes secrets out of what a model is sent, and out of what tools give back.

At `provider_request` it reads every text: messages of text and of blocks, the arguments of the calls in them, tools,
options and headers; certain headers are replaced as a whole. What it takes out there is taken off the wire, and not out
of the host's own messages. At `tool_result` it reads the output, the error and the metadata, and the result stays
without them. It finds what `redaction` finds, and puts labels in their place; what has no secret stays the same object.

It does not find what `redaction` does not: a secret without a mark, one that is encoded (an image is not looked into),
or split over two fields. An object that is no JSON, as a tool in Python may give, is not looked into. Both seams are
open: where the redactor itself fails, or an interceptor after it puts a secret in, that goes on its way. With `strict`
both are withheld, and so is what cannot be looked into.
"""

from collections.abc import Iterable
from typing import ClassVar, Literal, TypeVar

from attrs import Factory, evolve, field, frozen

from seamlaw import Block, Interceptors, ProviderRequest, Replace, ToolResult, block, gate, replace, rewriter

from ._secrets import Patterns, names_at, patterns_at, redactor_of
from ._settings import flag, text_at, texts_at
from .redaction import Redactor, Stream

__all__ = ["HEADERS", "RedactorPack"]

V = TypeVar("V", ProviderRequest, ToolResult)
HEADERS = ("authorization", "proxy-authorization", "cookie", "api-key", "x-api-key", "x-goog-api-key")
HEADER = "[redacted:header]"


def _headers(given: Iterable[str]) -> tuple[str, ...]:
    names = tuple(_plain(name) for name in texts_at("headers", given, empty=True))
    return tuple(text_at(f"headers[{index}]", name) for index, name in enumerate(names))


def _plain(header: str) -> str:
    return header.strip().lower()


def _pii(given: bool) -> bool:
    return flag("pii", given)


def _strict(given: bool) -> bool:
    return flag("strict", given)


def _redactor(it: "RedactorPack") -> Redactor:
    return redactor_of(it.names, it.patterns, pii=it.pii)


@frozen
class RedactorPack:
    """Takes secrets out of provider requests and tool results.

    `patterns`: secrets of the caller's own, by label, in the syntax of the rules. `names`: more names whose values are
    secrets. `pii`: also what tells of a person. `headers`: those that are replaced as a whole, in any letter case; with
    none, headers are left as they are. `strict`: block what could not be redacted. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "redactor"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Takes secrets out of provider requests and tool results."
    intercept: ClassVar[tuple[str, ...]] = ("provider_request", "tool_result")

    patterns: Patterns = field(default=(), converter=patterns_at)
    names: tuple[str, ...] = field(default=(), converter=names_at, kw_only=True)
    pii: bool = field(default=False, converter=_pii, kw_only=True)
    headers: tuple[str, ...] = field(default=HEADERS, converter=_headers, kw_only=True)
    strict: bool = field(default=False, converter=_strict, kw_only=True)
    redactor: Redactor = field(init=False, eq=False, repr=False, default=Factory(_redactor, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give a rewriter at each of the two seams; if it is strict, also a gate that looks at what came of it."""
        closes: Literal["close"] | None = "close" if self.strict else None
        requests = [rewriter(self.request, name=self.name, on_fault=closes)]
        results = [rewriter(self.result, name=self.name, on_fault=closes)]
        if self.strict:
            requests.append(gate(self.judge_request, name=self.name))
            results.append(gate(self.judge_result, name=self.name))
        return Interceptors(provider_request=requests, tool_result=results)

    def request(self, request: ProviderRequest) -> Replace | None:
        """Replace a request that has secrets in it by one without."""
        clean = self._clean_request(request)
        return None if clean is request else replace(clean)

    def result(self, result: ToolResult) -> Replace | None:
        """Replace a result that has secrets in it by one without."""
        clean = self._clean(result)
        return None if clean is result else replace(clean)

    def judge_request(self, request: ProviderRequest) -> Block | None:
        """Block a request in which there still is a secret, or what cannot be looked into."""
        return self._judged(request, self._clean_request(request))

    def judge_result(self, result: ToolResult) -> Block | None:
        """Block a result in which there still is a secret, or what cannot be looked into."""
        return self._judged(result, self._clean(result))

    def stream(self) -> Stream:
        """Redact a text that comes in chunks, by the same settings."""
        return self.redactor.stream()

    def _judged(self, value: V, clean: V) -> Block | None:
        if clean is not value:
            return block("a secret was put in after the redactor")
        return None if self.redactor.looks_into(value) else block("a part of it cannot be looked into")

    def _clean_request(self, request: ProviderRequest) -> ProviderRequest:
        if request.headers is None:
            return self._clean(request)
        if not self.headers:
            without = evolve(request, headers=None)
            clean = self._clean(without)
            return request if clean is without else evolve(clean, headers=request.headers)
        whole = [name for name, text in request.headers.items() if _plain(name) in self.headers and text != HEADER]
        if whole:
            request = evolve(request, headers={**request.headers, **dict.fromkeys(whole, HEADER)})
        return self._clean(request)

    def _clean(self, value: V) -> V:
        clean = self.redactor.value(value)
        if type(clean) is not type(value):
            raise ValueError("it cannot be read")
        return clean
