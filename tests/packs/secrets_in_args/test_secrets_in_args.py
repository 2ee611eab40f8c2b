"""No call with a secret in its arguments passes, and no reason quotes one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.redaction.made import TOKENS
from tests.packs.secrets_in_args.made import hostile
from tests.packs.secrets_in_args.tables import blocked
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Ask, ToolCall, decide
from seamlaw_packs.errors import InvalidPack
from seamlaw_packs.secrets_in_args import SecretsInArgs

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from("abc xyz"), max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)


def said(pack: SecretsInArgs, **arguments: Any) -> str:
    """Decide a call; what is said of it, or nothing."""
    outcome = decide(pack.interceptors(), TOOL_CALL, ToolCall("1", "bash", arguments))
    return f"{outcome.verdict.value}: {outcome.reason}" if outcome.reason else ""


def test_every_secret_of_the_corpus_is_blocked_and_nothing_harmless_is() -> None:
    """At least three hundred each."""
    counts = blocked()
    of, stopped = counts["with a secret"]
    assert of == stopped >= 300
    of, stopped = counts["harmless"]
    assert (of >= 300, stopped) == (True, 0)


def test_no_reason_quotes_a_secret() -> None:
    """It names the kind and the place."""
    pack = SecretsInArgs()
    for label, call in hostile():
        reason = decide(pack.interceptors(), TOOL_CALL, call).reason
        place = "/command" if "command" in call.arguments else "/steps/1/run"
        assert reason.startswith(f"a secret stands at {place}: "), label
        assert len(reason) < 120


@given(PLAIN, st.sampled_from(TOKENS), st.booleans())
def test_a_secret_is_found_wherever_it_stands(value: object, secret: tuple[str, str], ahead: bool) -> None:
    """Beside anything, as deep as it is; and without it nothing is said."""
    pack = SecretsInArgs()
    listed = [secret[1], value] if ahead else [value, secret[1]]
    assert said(pack, a=[value, {"b": listed}]).startswith(f"block: a secret stands at /a/1/b/{0 if ahead else 1}")
    assert said(pack, a=[value, {"b": value}]) == ""


def test_a_name_tells_of_a_secret_and_a_key_can_be_one() -> None:
    """What stands under a secret's name is one, a number too."""
    assert (
        said(SecretsInArgs(), env={"DB_PASSWORD": "hunter2x"}) == "block: a secret stands at /env/DB_PASSWORD: password"
    )
    assert said(SecretsInArgs(), pin_password=123456).startswith("block: a secret stands at /pin_password")
    key = TOKENS[0][1]
    reason = said(SecretsInArgs(), env={key: 1})
    assert reason.startswith("block: a secret stands at /env/[redacted:")
    assert key not in reason


def test_it_can_ask_and_know_more() -> None:
    """`then`, `pii`, `names` and `patterns`."""
    assert said(SecretsInArgs(then="ask"), password="hunter2x") == "ask: a secret stands at /password: password"
    asked = SecretsInArgs(then="ask", target="cli://").judge(ToolCall("1", "t", {"password": "hunter2x"}))
    assert isinstance(asked, Ask)
    assert asked.target == "cli://"
    assert said(SecretsInArgs(), to="ann@example.org") == ""
    assert said(SecretsInArgs(pii=True), to="ann@example.org") == "block: a secret stands at /to: email"
    mine = SecretsInArgs(names=["kennwort"], patterns={"acme-key": "acme_[a-z0-9]{8}"})
    assert said(mine, kennwort="geheim12").startswith("block: a secret stands at /kennwort")
    assert said(mine, x="is acme_12ab34cd") == "block: a secret stands at /x: acme-key"
    assert decide(
        SecretsInArgs("http*").interceptors(), TOOL_CALL, ToolCall("1", "sh", {"password": "x1y2z3"})
    ).proceeds


def test_what_is_too_long_to_search_is_blocked() -> None:
    """A doubt blocks."""
    assert said(SecretsInArgs(), text="x " * 600_000).startswith("block: a secret stands at /text")


def test_a_secret_that_is_hidden_passes() -> None:
    """A limit: what has no mark, is encoded, or split over two arguments."""
    assert said(SecretsInArgs(), text="the password is swordfish") == ""
    assert said(SecretsInArgs(), text="cGFzc3dvcmQ9aHVudGVyMg==") == ""
    token = TOKENS[0][1]
    assert said(SecretsInArgs(), a=token[:8], b=token[8:]) == ""


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"then": "warn"}, "then"),
        ({"pii": 1}, "pii"),
        ({"names": "kennwort"}, "names"),
        ({"names": ["123"]}, "names"),
        ({"patterns": {"x": "("}}, "patterns['x']"),
        ({"patterns": {"x": ".*"}}, "patterns['x']"),
        ({"patterns": 5}, "patterns"),
        ({"tools": []}, "tools"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], place: str) -> None:
    """With its place, when it is made."""
    with pytest.raises(InvalidPack) as raised:
        SecretsInArgs(**options)
    assert raised.value.place == place


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
def test_the_kit_finds_nothing() -> None:
    """`seamlaw verify` is green, with a secret that it may not quote."""
    assert broken(SecretsInArgs(), secrets=[TOKENS[0][1]]) == []
