"""Values keep their shape, and their identity where nothing was found (cases 17 and 18)."""

import copy
import enum
import json
import threading
from collections import OrderedDict
from typing import Any, NamedTuple, cast

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.packs.redaction.made import ALL, DEFAULT, TOKENS, texts

from seamlaw import (
    FrozenDict,
    FrozenList,
    MemoryItem,
    Message,
    ProviderRequest,
    Scope,
    ToolCall,
    ToolResult,
    freeze,
    thaw,
)

TOKEN = dict(TOKENS)["github-token"]
OTHER = dict(TOKENS)["slack-token"]
MARK = "[redacted:github-token]"


def test_case_17_a_secret_beside_an_empty_message_and_in_blocks() -> None:
    """A secret in a tool call's arguments is gone though the message has no text; blocks stay blocks."""
    call = ToolCall("call-1", "bash", {"command": f"curl -H 'X: {TOKEN}'", "timeout": 5})
    message = Message("assistant", "", tool_calls=[call])
    kept = DEFAULT.value(message)
    assert kept == Message(
        "assistant", "", [ToolCall("call-1", "bash", {"command": f"curl -H 'X: {MARK}'", "timeout": 5})]
    )
    blocks = Message("user", [{"type": "text", "text": f"use {TOKEN}"}, {"type": "image", "source": {"data": "iVBOR"}}])
    assert DEFAULT.value(blocks) == Message(
        "user", [{"type": "text", "text": f"use {MARK}"}, {"type": "image", "source": {"data": "iVBOR"}}]
    )


def test_case_18_nothing_to_redact_is_the_same_object() -> None:
    """Also where a part has something: the other parts stay the objects they were."""
    call = ToolCall("call-1", "bash", {"command": "ls", "env": {"A": "b"}, "argv": ["ls", "-la"]})
    message = Message("assistant", None, tool_calls=[call])
    request = ProviderRequest("m", [message, Message("user", f"use {TOKEN}")], headers={"x": "y"})
    assert DEFAULT.value(call) is call
    kept = DEFAULT.value(request)
    assert kept is not request
    assert kept.messages[0] is message
    assert kept.headers is request.headers
    assert DEFAULT.value(kept) is kept


class Pair(NamedTuple):
    """Two things with names."""

    a: str
    b: int


# Every field of everything that passes a seam.
CARRIED: list[Any] = [
    ToolCall(TOKEN, "t", {}),
    ToolCall("c", TOKEN, {}),
    ToolCall("c", "t", {"a": {"b": ["x", {"c": TOKEN}]}}),
    ToolCall("c", "t", {TOKEN: 1}),
    ToolCall("c", "t", {"a": {TOKEN: {TOKEN: TOKEN}}}),
    ToolResult(TOKEN),
    ToolResult({"a": [TOKEN]}),
    ToolResult(TOKEN.encode()),
    ToolResult((TOKEN, {TOKEN})),
    ToolResult(None, TOKEN),
    ToolResult(None, None, {"a": TOKEN}),
    ToolResult(None, None, {"a": object(), "b": TOKEN}),
    Message(TOKEN),
    Message("user", TOKEN),
    Message("user", [{"type": "text", "text": TOKEN}]),
    Message("user", [{"type": TOKEN}]),
    Message("assistant", None, [ToolCall("c", "t", {"a": TOKEN})]),
    Message("tool", "x", (), TOKEN),
    Message("user", "x", extra={"a": TOKEN}),
    ProviderRequest(TOKEN),
    ProviderRequest("m", [Message("user", TOKEN)]),
    ProviderRequest("m", tools=[{"name": "t", "description": TOKEN}]),
    ProviderRequest("m", kwargs={"a": TOKEN}),
    ProviderRequest("m", headers={"a": TOKEN}),
    ProviderRequest("m", headers={TOKEN: "a"}),
    MemoryItem(TOKEN),
    MemoryItem({"a": TOKEN}),
    MemoryItem("x", TOKEN),
    MemoryItem("x", metadata={"a": TOKEN}),
    Scope(TOKEN),
    Scope(agent=TOKEN, chain=("a", TOKEN)),
    (Message("user", TOKEN), Message("user", "x")),
    [ToolCall("c", "t", {"a": TOKEN})],
    {"request": ProviderRequest("m", [Message("user", TOKEN)])},
    freeze({"a": [TOKEN]}),
    {TOKEN: {TOKEN}},
    {1: TOKEN, None: 1, b"k": 2, ("t",): 3},
    frozenset([TOKEN]),
    bytearray(TOKEN.encode()),
    OrderedDict(a=TOKEN),
    Pair(TOKEN, 1),
]


@pytest.mark.parametrize("value", CARRIED, ids=[str(at) for at in range(len(CARRIED))])
def test_a_secret_in_any_field_of_anything_is_gone(value: Any) -> None:
    """The kind of the value stays, and so do its other fields; a second time nothing changes."""
    kept = DEFAULT.value(value)
    assert TOKEN not in repr(kept)
    assert "[redacted:github-token]" in repr(kept)
    assert isinstance(value, type(kept))
    assert (
        repr(kept).replace(MARK, TOKEN).replace("'", '"') == repr(value).replace("'", '"')
        or "Pair" in repr(value)
        or "OrderedDict" in repr(value)
    )
    assert DEFAULT.value(kept) is kept


def test_every_field_of_every_value_is_there() -> None:
    """A field that is added to the kernel must be added to the test before."""
    tested: set[type[Any]] = {ToolCall, ToolResult, Message, ProviderRequest, MemoryItem, Scope}
    fields = {(kind, field.name) for kind in tested for field in attrs.fields(kind)}
    seen: set[tuple[type[Any], str]] = {
        (type(value), name) for value in CARRIED if type(value) in tested for name in _holding(value)
    }
    numbers_and_labels = {(MemoryItem, "score"), (Scope, "role"), (Scope, "trust"), (Scope, "domain")}
    assert fields - numbers_and_labels == seen - numbers_and_labels


def _holding(value: Any) -> list[str]:
    return [field.name for field in attrs.fields(value.__class__) if TOKEN in repr(getattr(value, field.name))]


def test_frozen_stays_frozen_and_plain_stays_plain() -> None:
    """At every level, and what is plain can be changed as before."""
    kept = DEFAULT.value(freeze({"a": [TOKEN], "b": {"c": 1}}))
    assert (type(kept), type(kept["a"]), type(kept["b"])) == (FrozenDict, FrozenList, FrozenDict)
    plain = DEFAULT.value({"a": [TOKEN], "b": {"c": 1}})
    assert (type(plain), type(plain["a"]), type(plain["b"])) == (dict, list, dict)


def test_the_given_value_is_not_changed() -> None:
    """What is redacted is a copy."""
    value = {"a": [TOKEN], TOKEN: {"password": "hunter2"}}
    before = copy.deepcopy(value)
    DEFAULT.value(value)
    assert value == before


HIDDEN = "[redacted:password]"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"password": "x"}, {"password": HIDDEN}),
        ({"dbPassword": "swordfish"}, {"dbPassword": HIDDEN}),
        ({"DB_PASS": "swordfish", "bypass": "x"}, {"DB_PASS": HIDDEN, "bypass": "x"}),
        ({"passwords": ["a", "b", ["c"], None]}, {"passwords": [HIDDEN, HIDDEN, ["c"], None]}),
        ({"password": ("a", 1)}, {"password": (HIDDEN, 1)}),
        ({"password": b"abc"}, {"password": HIDDEN.encode()}),
        ({"password": 123456}, {"password": HIDDEN}),
        ({"password": 5}, None),
        ({"password": ""}, None),
        ({"password": None, "token": True}, None),
        ({"password": {"type": "string"}}, None),
        ({"password": "${DB_PASSWORD}"}, None),
        ({"password": "********"}, None),
        ({"token": "hello", "logprob": -0.1}, None),
        ({"token": 198}, None),
        ({"token": "Zq8kV2mW9xT4bN7c"}, {"token": "[redacted:token]"}),
        ({"access_token": "hello"}, {"access_token": "[redacted:token]"}),
        ({"next_page_token": "Zq8kV2mW9xT4bN7c"}, None),
        ({"max_tokens": 4096, "total_tokens": 99999}, None),
        ({"Authorization": "Bearer abc"}, {"Authorization": "[redacted:authorization]"}),
        ({"x-api-key": "abc", "X-Request-Id": "abc"}, {"x-api-key": "[redacted:api-key]", "X-Request-Id": "abc"}),
        ({"cookie": "a=b; c=0123456789abcdef"}, {"cookie": "[redacted:cookie]"}),
        ({"cookie": "chocolate"}, None),
        ({"set-cookie": "a=b"}, {"set-cookie": "[redacted:cookie]"}),
        ({"name": "DB_PASSWORD", "value": "x"}, {"name": "DB_PASSWORD", "value": HIDDEN}),
        ({"Key": "DB_PASSWORD", "Value": "x"}, {"Key": "DB_PASSWORD", "Value": HIDDEN}),
        ({"name": "HOME", "value": "x"}, None),
        (["mysql", "--password", "hunter2", "db"], ["mysql", "--password", HIDDEN, "db"]),
        (["mysql", "--password=hunter2"], ["mysql", f"--password={HIDDEN}"]),
        (["mysql", "--password", "--host"], None),
        (["password", "hunter2"], None),
        ({"required": ["password", "token"]}, None),
        ({"argv": ("--api-key", "a1b2c3d4")}, {"argv": ("--api-key", "[redacted:api-key]")}),
    ],
)
def test_what_stands_under_the_name_of_a_secret_is_gone(value: Any, kept: Any) -> None:
    """Whatever it is, where the name can mean nothing else; `None`: the same object stays."""
    if kept is None:
        assert DEFAULT.value(value) is value
    else:
        assert DEFAULT.value(value) == kept
        assert DEFAULT.value(freeze(value) if "(" not in repr(value) and "b'" not in repr(value) else value) == kept
        assert DEFAULT.value(kept) == kept


def test_headers_lose_what_identifies() -> None:
    """By name, whatever their form; the others stay."""
    headers = {"authorization": "x", "x-api-key": "y", "Cookie": "s=abc; t=d", "accept": "*/*", "x-note": TOKEN}
    kept = DEFAULT.value(ProviderRequest("m", headers=headers)).headers
    assert kept == {
        "authorization": "[redacted:authorization]",
        "x-api-key": "[redacted:api-key]",
        "Cookie": "[redacted:cookie]",
        "accept": "*/*",
        "x-note": MARK,
    }


def test_keys_that_become_the_same_are_numbered() -> None:
    """No entry is lost, whatever the keys were."""
    value = {TOKEN: 1, TOKEN[:-1] + "g": 2, f"{MARK} (2)": 3, TOKEN[:-1] + "h": 4, MARK: 5, "a": 6}
    kept = DEFAULT.value(value)
    assert sorted(kept.values()) == [1, 2, 3, 4, 5, 6]
    assert kept[MARK] == 5
    assert kept[f"{MARK} (2)"] == 3
    assert DEFAULT.value(kept) is kept
    assert len(DEFAULT.value({TOKEN.encode(): 1, TOKEN.encode() + b"x": 2})) == 2
    many = {f"{TOKEN[:-4]}{number:04}": number for number in range(3_000)}
    assert sorted(DEFAULT.value(many).values()) == list(range(3_000))


def test_bytes_are_searched_as_the_letters_they_are() -> None:
    """Whatever bytes stand around; in UTF-16 nothing is found, and that is known."""
    raw = bytes(range(128, 256))
    assert DEFAULT.value(raw + TOKEN.encode() + b" " + raw) == raw + MARK.encode() + b" " + raw
    harmless = bytes(range(256))
    assert DEFAULT.value(harmless) is harmless
    wide = TOKEN.encode("utf-16")
    assert DEFAULT.value(wide) is wide


class Odd(str):
    """A text whose class tells lies."""

    __slots__ = ()

    def __len__(self) -> int:
        return 0

    def __str__(self) -> str:
        return "nothing"

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Way(enum.StrEnum):
    SECRET = TOKEN
    PLAIN = "plain"


class Lying(dict[str, Any]):
    """A mapping that shows nothing."""

    def items(self) -> Any:
        return dict[str, Any]().items()

    def __iter__(self) -> Any:
        return iter(())


def test_subclasses_are_read_as_what_they_are() -> None:
    """By the methods of the class they derive from, whatever they have made of them."""
    assert DEFAULT.text(Odd(TOKEN)) == MARK
    assert str.__str__(DEFAULT.value([Odd(TOKEN)])[0]) == MARK
    assert DEFAULT.value([Way.SECRET, Way.PLAIN]) == [MARK, Way.PLAIN]
    assert DEFAULT.value(Way.PLAIN) is Way.PLAIN
    assert DEFAULT.value(Lying(a=TOKEN)) == {"a": MARK}
    odd = Odd("plain")
    assert DEFAULT.text(odd) is odd


def test_what_is_of_another_class_is_left_alone() -> None:
    """It is not looked into; a host that writes it down must make it JSON first."""

    class Holder:
        secret = TOKEN

    holder = Holder()
    value = {"a": holder, "b": TOKEN}
    assert DEFAULT.value(value) == {"a": holder, "b": MARK}
    assert DEFAULT.value(holder) is holder


def nested(levels: int, leaf: Any) -> Any:
    """Put a leaf under so many lists."""
    for _ in range(levels):
        leaf = [leaf]
    return leaf


def test_cycles_depth_and_sharing_are_no_trouble() -> None:
    """A clean value stays, however deep; what cannot be copied is cut off; what is shared is copied once."""
    deep = nested(100_000, "plain")
    assert DEFAULT.value(deep) is deep
    while isinstance(deep, list):
        deep = deep.pop()  # pyright: ignore - taken apart, for freeing it at once would recurse
    assert TOKEN not in str(DEFAULT.value(nested(150, TOKEN)))
    assert "[redacted:too-deep]" in str(DEFAULT.value(nested(300, TOKEN)))
    cycle: list[Any] = [TOKEN]
    cycle.append(cycle)
    assert DEFAULT.value(cycle) == [MARK, "[redacted:cycle]"]
    clean: list[Any] = ["plain"]
    clean.append(clean)
    assert DEFAULT.value(clean) is clean
    laughs: Any = [TOKEN]
    for _ in range(90):
        laughs = [laughs, laughs, laughs]
    kept = DEFAULT.value(laughs)
    assert kept[0] is kept[2]


def test_a_value_that_changes_while_it_is_read_is_withheld_or_redacted() -> None:
    """Never given out as it was, and never an exception."""
    value: dict[str, Any] = {str(at): TOKEN for at in range(200)}
    done = threading.Event()

    def change() -> None:
        at = 1_000
        while not done.is_set():
            value[str(at)] = TOKEN
            value.pop(str(at - 50), None)
            at += 1

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(50):
            assert TOKEN not in str(DEFAULT.value(value))
    finally:
        done.set()
        thread.join()


class Rude(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError(TOKEN)


def test_exceptions_are_told_without_secrets() -> None:
    """With class, text and notes; one that cannot be told is named by its class."""
    error = ValueError(f"bad key {TOKEN}")
    error.add_note("password=hunter2")
    assert DEFAULT.error(error) == f"ValueError: bad key {MARK}\npassword=[redacted:password]"
    assert DEFAULT.error(KeyError(TOKEN)) == f"KeyError: '{MARK}'"
    assert DEFAULT.error(RuntimeError()) == "RuntimeError"
    assert DEFAULT.error(Rude()) == "Rude: [redacted:unreadable]"
    nonsense = ValueError("x")
    nonsense.__notes__ = [7, TOKEN]  # type: ignore[list-item]
    assert TOKEN not in DEFAULT.error(nonsense)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(
            texts | st.sampled_from(["password", "token", "name", "value", "x-api-key"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=400)
@given(JSON)
def test_values_are_redacted_once_and_keep_their_shape(value: Any) -> None:
    """Redacting again changes nothing; nothing found is the same object; types and lengths stay."""
    kept = ALL.value(value)
    assert kept is value or repr(kept) != repr(value)
    assert ALL.value(kept) is kept
    _same_shape(value, kept)


def _parts(value: Any) -> list[Any]:
    kind: type[Any] = value.__class__
    if kind is dict:
        return list(value.values())
    return list(value) if kind in (list, tuple) else []


def _same_shape(value: Any, kept: Any) -> None:
    kinds = {value.__class__, kept.__class__}
    assert len(kinds) == 1 or kinds in ({int, str}, {float, str})
    for one, other in zip(_parts(value), _parts(kept), strict=True):
        _same_shape(one, other)


@settings(max_examples=300)
@given(
    st.recursive(
        texts,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdef"), inner, max_size=4),
        max_leaves=10,
    )
)
def test_a_value_is_its_texts(value: Any) -> None:
    """Where no name tells, redacting a value is redacting each of its texts: joining them changes nothing."""
    assert ALL.value(value) == _by_texts(value)


def _by_texts(value: Any) -> Any:
    if isinstance(value, str):
        return ALL.text(value)
    if isinstance(value, dict):
        return {key: _by_texts(item) for key, item in cast(dict[str, Any], value).items()}
    # What follows an option is judged with it, and has its own test.
    return ALL.value(value) if "'-" in str(value) or '"-' in str(value) else [_by_texts(item) for item in value]


@settings(max_examples=200)
@given(
    st.recursive(
        texts, lambda inner: st.dictionaries(texts, inner, max_size=3) | st.lists(inner, max_size=3), max_leaves=8
    )
)
def test_frozen_and_plain_are_redacted_alike(value: Any) -> None:
    """And bytes of JSON stay readable as JSON where nothing but texts was hidden."""
    try:
        frozen = freeze(value)
    except ValueError:
        return
    assert thaw(ALL.value(frozen)) == ALL.value(value)


@pytest.mark.parametrize(("label", "token"), TOKENS)
def test_json_text_stays_json(label: str, token: str) -> None:
    """A token in a JSON text takes no quote or bracket along."""
    text = json.dumps({"a": [token, {"b": f"x {token} y"}], "password": 'two "words"', "n": 1})
    kept = json.loads(DEFAULT.text(text))
    mark = f"[redacted:{label}]"
    assert kept == {"a": [mark, {"b": f"x {mark} y"}], "password": "[redacted:password]", "n": 1}
