"""What passes a seam: frozen all the way down, checked once, when it is made."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast, final

from attrs import Attribute, field, frozen

from seamlaw.errors import InvalidValue

from ._frozen import FrozenDict, FrozenList, freeze, frozen_list, frozen_object, frozen_text, pointer, sealed

__all__ = ["MemoryItem", "Message", "ProviderRequest", "Scope", "ToolCall", "ToolResult"]

A = TypeVar("A")
_NO_FIELDS, _NO_ITEMS = frozen_object({}), frozen_list([])


def _placed(_: type, fields: "list[Attribute[Any]]") -> "list[Attribute[Any]]":
    """Let every converter's refusal name its field."""
    return [field.evolve(converter=_at("/" + field.name, cast(Any, field).converter)) for field in fields]


def _at(place: str, convert: Any) -> Callable[[Any], Any]:
    def converted(value: Any) -> Any:
        try:
            return convert(value)
        except InvalidValue as error:
            raise InvalidValue(place + error.path, error.problem) from None

    return converted


def _optional_text(value: object) -> str | None:
    return None if value is None else frozen_text(value)


def _anything(value: object) -> Any:
    return freeze(value, objects=True)


def _options(value: Mapping[str, object]) -> FrozenDict:
    return frozen_object(value if type(value) is FrozenDict else freeze(value, objects=True))


def _tuple_of(kind: type[A], items: object) -> tuple[A, ...]:
    if not issubclass(type(items), list | tuple):
        raise InvalidValue("", f"must be a list or tuple of {kind.__name__}, not {type(items).__name__}")
    listed = tuple(cast("list[object]", items))
    for index, item in enumerate(listed):
        if type(item) is not kind:  # a subclass could lie about its fields
            raise InvalidValue(f"/{index}", f"must be {kind.__name__}, not {type(item).__name__}")
    return cast("tuple[A, ...]", listed)


@final
@sealed
@frozen(field_transformer=_placed)
class ToolCall:
    """A tool the model asks for: the provider's id, the tool's name, and its arguments as frozen JSON."""

    id: str = field(converter=frozen_text, metadata={"digest": False})
    name: str = field(converter=frozen_text)
    arguments: FrozenDict = field(default=_NO_FIELDS, converter=frozen_object)


@final
@sealed
@frozen(field_transformer=_placed)
class ToolResult:
    """What a tool gave back: its output (JSON, or any Python object), the text of its error, and metadata."""

    output: object = field(default=None, converter=_anything)
    error: str | None = field(default=None, converter=_optional_text)
    metadata: FrozenDict = field(default=_NO_FIELDS, converter=_options)


def _content(value: object) -> str | FrozenList | None:
    if value is None or issubclass(type(value), str):
        return _optional_text(value)
    blocks = frozen_list(value)
    for index, block in enumerate(blocks):
        if type(block) is not FrozenDict:
            raise InvalidValue(f"/{index}", "a block of content must be an object")
    return blocks


def _calls(value: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    return _tuple_of(ToolCall, value)


@final
@sealed
@frozen(field_transformer=_placed)
class Message:
    """One message: `content` is text, or blocks (objects with a `type`); `extra` keeps the fields unknown here."""

    role: str = field(converter=frozen_text)
    content: str | FrozenList | None = field(default=None, converter=_content)
    tool_calls: tuple[ToolCall, ...] = field(default=(), converter=_calls)
    call_id: str | None = field(default=None, converter=_optional_text)
    extra: FrozenDict = field(default=_NO_FIELDS, converter=frozen_object)

    @property
    def text(self) -> str:
        """The text of the message, its text blocks joined by line feeds."""
        if not isinstance(self.content, list):
            return self.content or ""
        texts = [block.get("text") for block in self.content if block.get("type") == "text"]
        return "\n".join(text for text in texts if isinstance(text, str))


def _messages(value: Iterable[Message]) -> tuple[Message, ...]:
    return _tuple_of(Message, value)


def _headers(value: Mapping[str, str] | None) -> FrozenDict | None:
    if value is None:
        return None
    headers = frozen_object(value)
    for name, text in headers.items():
        if type(text) is not str:
            raise InvalidValue(pointer(name), "must be a string")
    return headers


@final
@sealed
@frozen(field_transformer=_placed)
class ProviderRequest:
    """The envelope of one provider call; `headers` is `None` where the transport shows none."""

    model: str = field(converter=frozen_text)
    messages: tuple[Message, ...] = field(default=(), converter=_messages)
    tools: FrozenList = field(default=_NO_ITEMS, converter=frozen_list)
    kwargs: FrozenDict = field(default=_NO_FIELDS, converter=_options)
    headers: FrozenDict | None = field(default=None, converter=_headers)


def _json(value: object) -> Any:
    return freeze(value)


def _score(value: float | None) -> float | None:
    if value is not None and type(value) not in (int, float):
        raise InvalidValue("", f"must be a number, not {type(value).__name__}")
    return cast("float | None", freeze(value))


@final
@sealed
@frozen(field_transformer=_placed)
class MemoryItem:
    """One thing recalled: its content (text or JSON), where it came from, how well it fits, and metadata."""

    content: object = field(converter=_json)
    id: str | None = field(default=None, converter=_optional_text)
    score: float | None = field(default=None, converter=_score)
    metadata: FrozenDict = field(default=_NO_FIELDS, converter=frozen_object)


def _chain(value: Iterable[str]) -> tuple[str, ...]:
    if not issubclass(type(value), list | tuple):
        raise InvalidValue("", f"must be a list or tuple of names, not {type(value).__name__}")
    return tuple(frozen_text(name) for name in value)


@final
@sealed
@frozen(field_transformer=_placed)
class Scope:
    """Who is calling; `chain` names the agents that delegated, from the first to the acting one."""

    session: str | None = field(default=None, converter=_optional_text)
    agent: str | None = field(default=None, converter=_optional_text)
    role: str | None = field(default=None, converter=_optional_text)
    trust: str | None = field(default=None, converter=_optional_text)
    chain: tuple[str, ...] = field(default=(), converter=_chain)
    domain: str | None = field(default=None, converter=_optional_text)
