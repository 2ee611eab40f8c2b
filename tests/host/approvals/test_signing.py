"""Signatures: the published vectors, the window, and that any change is noticed."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw_host.approvals import is_from_slack, is_signed
from seamlaw_host.approvals._signing import key_of, signed

KEY = b"k" * 32
# The example of https://www.standardwebhooks.com, as its reference library signs it.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
AT = 1614265330
BODY = b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
# The example of https://api.slack.com/authentication/verifying-requests-from-slack.
SLACK_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
SLACK_AT = 1531420618
SLACK_BODY = (
    b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
    b"&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
    b"&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
    b"&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
)
SLACK_HEADERS = {
    "X-Slack-Request-Timestamp": str(SLACK_AT),
    "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
}


def test_a_webhook_is_signed_as_the_standard_says() -> None:
    """The published example, made and read."""
    headers = signed(key_of(SECRET), "msg_p5jXN8AQM9LWM0D4loKWxJek", AT, BODY)
    assert headers["webhook-signature"] == SIGNATURE
    assert is_signed(headers, BODY, SECRET, clock=lambda: AT)
    several = {**headers, "webhook-signature": f"v1a,xyz {SIGNATURE} v1,other"}
    assert is_signed(several, BODY, SECRET, clock=lambda: AT)


def test_slacks_own_example_is_from_slack() -> None:
    """The published example, with its headers in any case."""
    assert is_from_slack(SLACK_HEADERS, SLACK_BODY, SLACK_SECRET, clock=lambda: SLACK_AT)
    small = {name.lower(): value for name, value in SLACK_HEADERS.items()}
    assert is_from_slack(small, SLACK_BODY, SLACK_SECRET, clock=lambda: SLACK_AT)


@pytest.mark.parametrize(("late", "counts"), [(0, True), (300, True), (-300, True), (301, False), (-301, False)])
def test_what_is_older_or_newer_than_the_window_is_a_replay(late: int, counts: bool) -> None:
    """Five minutes, either way."""
    headers = signed(KEY, "id", 1000, b"body")
    assert is_signed(headers, b"body", KEY, clock=lambda: 1000 + late) == counts
    assert is_from_slack(SLACK_HEADERS, SLACK_BODY, SLACK_SECRET, clock=lambda: SLACK_AT + late) == counts


NAMES = ["webhook-id", "webhook-timestamp", "webhook-signature", "x-slack-signature", "x-slack-request-timestamp"]
NUMBERS = ["1000", "-1000", "1e3", "1000.0", "NaN", "\u0661\u0660\u0660\u0660", "9" * 400]


@given(
    st.dictionaries(st.sampled_from(NAMES), st.text(st.characters()) | st.sampled_from(NUMBERS)),
    st.binary(),
)
def test_nothing_made_up_is_signed(headers: dict[str, str], body: bytes) -> None:
    """Whatever stands in the headers, nothing is raised, and nothing passes."""
    assert not is_signed(headers, body, KEY, clock=lambda: 1000)
    assert not is_from_slack(headers, body, SLACK_SECRET, clock=lambda: 1000)


@given(st.sampled_from(["id", "stamp", "body", "key"]), st.data())
def test_every_change_is_noticed(what: str, data: st.DataObject) -> None:
    """Of the id, the time, the body or the key."""
    headers = signed(KEY, "id.1", 1000, b"body")
    body, key = b"body", KEY
    if what == "id":
        headers["webhook-id"] = data.draw(st.text(st.characters(codec="ascii")).filter(lambda it: it != "id.1"))
    elif what == "stamp":
        headers["webhook-timestamp"] = str(data.draw(st.integers(800, 1200).filter(lambda it: it != 1000)))
    elif what == "body":
        body = data.draw(st.binary().filter(lambda it: it != b"body"))
    else:
        key = data.draw(st.binary(min_size=24, max_size=40).filter(lambda it: it != KEY))
    assert not is_signed(headers, body, key, clock=lambda: 1000)


def test_an_empty_secret_of_slack_verifies_nothing() -> None:
    """A variable that was not set must not open the door, though whoever knocks has signed with nothing, too."""
    made = hmac.new(b"", b"v0:1000:body", hashlib.sha256).hexdigest()
    headers = {"X-Slack-Request-Timestamp": "1000", "X-Slack-Signature": f"v0={made}"}
    assert not is_from_slack(headers, b"body", "", clock=lambda: 1000)
