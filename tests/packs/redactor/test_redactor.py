"""No secret goes to a model or stays in a result, and what has none is not touched."""

from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.packs.redaction.made import TOKENS, texts
from tests.packs.redaction.test_stream import cut, streamed
from tests.packs.redactor.made import Made, everywhere, harmless, holds, hostile
from tests.packs.redactor.tables import counted, redacted
from tests.packs.verified import broken

from seamlaw import (
    PROVIDER_REQUEST,
    TOOL_RESULT,
    Interceptors,
    Message,
    Outcome,
    ProviderRequest,
    Replace,
    ToolCall,
    ToolResult,
    Verdict,
    decide,
    merge,
    replace,
)
from seamlaw_host.engine import Engine
from seamlaw_host.errors import ToolFailed
from seamlaw_packs import redactor
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.redaction import Redactor
from seamlaw_packs.redactor import HEADER, RedactorPack

TOKEN = dict(TOKENS)["github-token"]
MARK = "[redacted:github-token]"
CALL = ToolCall("1", "read_file", {})


def sent(pack: RedactorPack, request: ProviderRequest) -> ProviderRequest:
    """Decide a request, and give what is sent."""
    return decide(pack.interceptors(), PROVIDER_REQUEST, request).value


def decided(pack: RedactorPack, value: Made) -> Outcome[Any]:
    """Decide a request or a result."""
    if isinstance(value, ProviderRequest):
        return decide(pack.interceptors(), PROVIDER_REQUEST, value)
    return decide(pack.interceptors(), TOOL_RESULT, value, CALL)


def test_every_secret_of_the_corpus_goes_and_nothing_harmless_is_touched() -> None:
    """At least three hundred each; what is harmless stays the same object (case 18)."""
    counts = counted()
    of, same, left = counts["with a secret"]
    assert (of >= 300, same, left) == (True, 0, 0)
    of, same, left = counts["harmless"]
    assert (of >= 300, of - same, left) == (True, 0, 0)


def test_the_strict_variant_decides_alike() -> None:
    """What it can redact proceeds, redacted; what is harmless proceeds as it is."""
    loose, strict = RedactorPack(), RedactorPack(strict=True)
    values = [*(value for _, value in hostile()[::7]), *harmless()[::17]]
    for value in values:
        one, other = (decided(pack, value) for pack in (loose, strict))
        assert (one.value, one.verdict) == (other.value, Verdict.PROCEED)
        assert other.verdict is Verdict.PROCEED


@given(texts)
@settings(max_examples=60)
def test_once_is_enough(text: str) -> None:
    """Of any text, in any place: what was redacted stays as it is, and is what the redactor makes of the value."""
    pack = RedactorPack()
    text = text.encode("utf-8", "replace").decode()
    for value in everywhere(text):
        made = redacted(pack, value)
        assert redacted(pack, made) is made
        assert made == pack.redactor.value(value)


def test_case_17_arguments_and_blocks_keep_their_shape() -> None:
    """A secret in the arguments of a call beside an empty message goes; so does one in a block."""
    request = ProviderRequest(
        "m",
        [
            Message("assistant", "", [ToolCall("call-1", "bash", {"command": f"use {TOKEN}", "timeout": 5})]),
            Message("user", [{"type": "text", "text": TOKEN}, {"type": "image", "source": {"data": "iVBOR"}}]),
        ],
    )
    assert sent(RedactorPack(), request).messages == (
        Message("assistant", "", [ToolCall("call-1", "bash", {"command": f"use {MARK}", "timeout": 5})]),
        Message("user", [{"type": "text", "text": MARK}, {"type": "image", "source": {"data": "iVBOR"}}]),
    )


def test_what_makes_a_request_work_is_left_alone() -> None:
    """Schemas with fields called password, limits called max_tokens, and what was used."""
    schema = {"password": {"type": "string", "description": "the password"}, "token": {"type": "string"}}
    request = ProviderRequest(
        "m",
        [Message("user", "hi")],
        [{"name": "login", "input_schema": {"type": "object", "properties": schema, "required": [*schema]}}],
        {"max_tokens": 4096, "max_completion_tokens": 100_000, "stop": ["password"]},
        {"anthropic-version": "2023-06-01", "content-type": "application/json"},
    )
    assert RedactorPack().request(request) is None
    assert RedactorPack().result(ToolResult({"usage": {"input_tokens": 1200, "total_tokens": 5000}})) is None


@given(st.binary(min_size=12, max_size=300))
@settings(max_examples=60)
def test_what_providers_give_back_and_want_again_is_left_alone(made: bytes) -> None:
    """Ids of calls and answers, signatures of thoughts, encrypted reasoning, images: whatever stands in them."""
    hexadecimal, base64 = made.hex(), b64encode(made).decode()
    word = "".join(character for character in base64 if character.isalnum())
    calls = [ToolCall(f"{start}{word[:24]}", "f", {}) for start in ("call_", "toolu_01", "chatcmpl-tool-")]
    blocks: list[dict[str, object]] = [
        {"type": "thinking", "thinking": "let me see", "signature": base64},
        {"type": "redacted_thinking", "data": base64},
        {"type": "tool_use", "id": f"toolu_01{word[:22]}", "name": "f", "input": {}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64}},
        {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}},
    ]
    extra = {"id": f"msg_{hexadecimal}", "encrypted_content": f"gAAAAAB{base64}", "thoughtSignature": base64}
    kwargs: dict[str, object] = {
        "previous_response_id": f"resp_{hexadecimal}",
        "prompt_cache_key": "session-42",
        "safety_identifier": hexadecimal,
        "thinking": {"type": "enabled", "budget_tokens": 16_000},
        "stop_token_ids": [50_256, 128_001],
    }
    messages = [Message("assistant", blocks, calls, extra=extra), Message("tool", "ok", call_id=calls[0].id)]
    assert RedactorPack().request(ProviderRequest("m", messages, kwargs=kwargs)) is None


def test_what_a_provider_is_to_sign_in_with_elsewhere_goes_too() -> None:
    """A limit: a secret is one also where the provider would need it."""
    servers = [{"url": "https://mcp.example.org", "authorization_token": "a1b2c3d4e5f6"}]
    clean = sent(RedactorPack(), ProviderRequest("m", kwargs={"mcp_servers": servers})).kwargs
    assert clean["mcp_servers"][0]["authorization_token"] == "[redacted:token]"


# Headers


@given(st.sampled_from(redactor.HEADERS).flatmap(lambda name: st.sampled_from([name, name.title(), name.upper()])))
def test_a_header_goes_as_a_whole_whatever_stands_in_it(name: str) -> None:
    """In any letter case, and also where nothing in it looks like a secret."""
    request = ProviderRequest("m", headers={name: "ab", "x-trace": "ab"})
    clean = sent(RedactorPack(), request)
    assert clean.headers == {name: HEADER, "x-trace": "ab"}
    assert RedactorPack().request(clean) is None


def test_headers_are_those_that_are_named() -> None:
    """Others are searched; and where none is named they are left as they are, beside messages that are not."""
    request = ProviderRequest(
        "m", [Message("user", TOKEN)], headers={"X-Own": "ab", "Authorization": "Bearer a1b2c3d4"}
    )
    assert sent(RedactorPack(headers=["x-own"]), request).headers == {
        "X-Own": HEADER,
        "Authorization": "[redacted:authorization]",
    }
    left = sent(RedactorPack(headers=[]), request)
    assert (left.headers, left.messages) == (request.headers, (Message("user", MARK),))
    assert RedactorPack(headers=[]).request(left) is None


# On the wire, and in the result


def test_what_is_taken_off_the_wire_stays_with_the_host() -> None:
    """The host's own messages and headers are what they were; what is sent is not."""
    engine = Engine(RedactorPack().interceptors())
    messages, headers = (Message("user", f"use {TOKEN}"),), {"Authorization": "Bearer a1b2c3d4e5"}
    with engine.provider_call(ProviderRequest("m", messages), headers) as decided:
        assert decided.messages == (Message("user", f"use {MARK}"),)
        assert headers == {"Authorization": HEADER}
    assert messages == (Message("user", f"use {TOKEN}"),)
    assert headers == {"Authorization": "Bearer a1b2c3d4e5"}


def test_what_is_taken_out_of_a_result_is_gone() -> None:
    """Whoever called the tool, and the model, get the redacted one, of an error, too."""
    engine = Engine(RedactorPack().interceptors())

    def denied() -> None:
        raise PermissionError(f"no access with {TOKEN}")

    assert engine.call("env", lambda: {"GH": TOKEN, "n": 1}) == {"GH": MARK, "n": 1}
    assert engine.respond(ToolCall("1", "env", {}), lambda call: TOKEN) == ToolResult(MARK)
    with pytest.raises(ToolFailed) as raised:
        engine.call("env", denied)
    assert not holds(raised.value.args, TOKEN)
    assert MARK in str(raised.value)
    told = engine.respond(ToolCall("1", "env", {}), lambda call: denied())
    assert told.error is not None
    assert MARK in told.error
    assert TOKEN not in told.error


# Streams


@pytest.mark.parametrize("token", [token for _, token in TOKENS])
def test_case_19_a_secret_split_over_chunks_never_comes_out(token: str) -> None:
    """Cut at every offset; what comes out in all is the redacted text."""
    pack, text = RedactorPack({"acme-key": "acme_[a-z0-9]{8}"}), f"see {token} and acme_12ab34cd there"
    whole = pack.redactor.text(text)
    for at in range(len(text) + 1):
        assert "".join(streamed(pack.stream(), [text[:at], text[at:]])) == whole
    assert "".join(streamed(pack.stream(), list(text))) == whole
    assert not {token, "acme_12ab34cd"} & {*whole.split()}


@given(texts, st.lists(st.integers(0, 1_000), max_size=5))
@settings(max_examples=60)
def test_a_stream_is_what_a_result_would_be(text: str, places: list[int]) -> None:
    """However it is cut."""
    pack = RedactorPack()
    text = text.encode("utf-8", "replace").decode()
    assert "".join(streamed(pack.stream(), cut(text, places))) == redacted(pack, ToolResult(text)).output  # type: ignore[union-attr]


# Failing open, and not


def fails(self: Redactor, value: object) -> object:
    """Stand in for a redaction that fails."""
    raise RuntimeError(TOKEN)


def cannot_read(self: Redactor, value: object) -> str:
    """Stand in for a redaction that could not read a value."""
    return "[redacted:unreadable]"


def test_one_that_fails_is_skipped_and_the_strict_one_withholds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are told; no reason has the secret."""
    request, result = ProviderRequest("m", [Message("user", TOKEN)]), ToolResult(TOKEN)
    monkeypatch.setattr(Redactor, "value", fails)
    for strict in (False, True):
        bundle = RedactorPack(strict=strict).interceptors()
        outcomes: list[Outcome[Any]] = [
            decide(bundle, PROVIDER_REQUEST, request),
            decide(bundle, TOOL_RESULT, result, CALL),
        ]
        assert [one.proceeds for one in outcomes] == [not strict, not strict]
        assert all("interceptor error" in one.log[0].reason for one in outcomes)
        assert not any(holds([entry.reason for entry in one.log], TOKEN) for one in outcomes)


def test_a_value_that_the_redaction_cannot_read_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """It then gives a text, which is no request: nobody sends that."""
    monkeypatch.setattr(Redactor, "value", cannot_read)
    request = ProviderRequest("m", [Message("user", "hi")])
    assert not decide(RedactorPack(strict=True).interceptors(), PROVIDER_REQUEST, request).proceeds
    assert decide(RedactorPack().interceptors(), PROVIDER_REQUEST, request).value is request


def leaks(request: ProviderRequest) -> Replace:
    """Put a secret into a request."""
    return replace(ProviderRequest(request.model, [*request.messages, Message("system", TOKEN)]))


def test_a_secret_put_in_afterwards_goes_unless_it_is_strict() -> None:
    """The strict one judges what is sent; the other is one of a chain."""
    request, after = ProviderRequest("m", [Message("user", "hi")]), Interceptors(provider_request=[leaks])
    strict = decide(merge(RedactorPack(strict=True).interceptors(), after), PROVIDER_REQUEST, request)
    assert strict.reason == "a secret was put in after the redactor"
    loose = decide(merge(RedactorPack().interceptors(), after), PROVIDER_REQUEST, request)
    assert loose.proceeds
    assert holds(loose.value, TOKEN)


class Opaque:
    """An object of a tool's own."""

    def __init__(self, text: str) -> None:
        self.text = text


def test_an_object_is_not_looked_into_and_the_strict_one_withholds_it() -> None:
    """A limit: the secret in it goes on its way."""
    result = ToolResult({"rows": [1, Opaque(TOKEN)]})
    assert RedactorPack().result(result) is None
    outcome = decide(RedactorPack(strict=True).interceptors(), TOOL_RESULT, result, CALL)
    assert outcome.denial == "[tool result withheld by interceptor: a part of it cannot be looked into]"
    read = ToolResult({"rows": [1, 2.5, None, True, b"x", ("a",), {"b"}, "c"]})
    assert decide(RedactorPack(strict=True).interceptors(), TOOL_RESULT, read, CALL).proceeds


def test_a_secret_that_is_hidden_passes_even_the_strict_one() -> None:
    """A limit: what has no mark, is encoded, or split over two fields."""
    for output in ("the password is swordfish", "cGFzc3dvcmQ9aHVudGVyMg==", [TOKEN[:8], TOKEN[8:]]):
        assert decide(
            RedactorPack(strict=True).interceptors(), TOOL_RESULT, ToolResult(output), CALL
        ).value == ToolResult(output)


# Configuration


def test_it_can_know_more() -> None:
    """`patterns`, `names` and `pii`."""
    result = ToolResult({"kennwort": "geheim12", "x": "acme_12ab34cd for ann@example.org"})
    mine = RedactorPack({"acme-key": "acme_[a-z0-9]{8}"}, names=["kennwort"], pii=True)
    assert redacted(mine, result) == ToolResult(
        {"kennwort": "[redacted:kennwort]", "x": "[redacted:acme-key] for [redacted:email]"}
    )
    assert RedactorPack().result(result) is None


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"patterns": {"x": "("}}, "patterns['x']"),
        ({"patterns": {"x": "x*"}}, "patterns['x']"),
        ({"patterns": 5}, "patterns"),
        ({"names": "kennwort"}, "names"),
        ({"pii": "yes"}, "pii"),
        ({"headers": "authorization"}, "headers"),
        ({"headers": [""]}, "headers[0]"),
        ({"headers": ["cookie", " "]}, "headers[1]"),
        ({"strict": 1}, "strict"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        RedactorPack(**options)
    assert raised.value.place == place


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
@pytest.mark.parametrize("strict", [False, True])
def test_the_kit_finds_nothing(strict: bool) -> None:
    """`seamlaw verify` is green, with a secret that may not come through."""
    assert (
        broken(RedactorPack(strict=strict), examples=8, secrets=[TOKEN], budget_s=2) == []
    )  # others work on this machine


def test_a_redactor_that_looks_at_texts_only_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: one that does not look into blocks and arguments leaves secrets, and the corpus tells."""

    def texts_only(self: Redactor, value: Any) -> Any:
        if not isinstance(value, ProviderRequest):
            return value
        messages = [
            Message(m.role, self.text(m.content) if isinstance(m.content, str) else m.content, m.tool_calls)
            for m in value.messages
        ]
        return ProviderRequest(value.model, messages)

    monkeypatch.setattr(Redactor, "value", texts_only)
    _, _, left = counted()["with a secret"]
    assert left >= 100
