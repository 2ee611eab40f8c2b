"""Time in proportion to the length: no text makes a search slow."""

import time

import pytest
from tests.packs.redaction.made import ALL
from tests.packs.redaction.test_laws import OWN

SIZE = 60_000  # characters; in quadratic time these would take minutes
# What each pattern begins with, goes on with, or looks back over.
HOSTILE = [
    *("a", "1", "1 ", "1.", "-", "_", " ", "\0", "(", ":", "@", "\\", '\\"', '"', "İ", "z", "cr", "key", "ab"),
    *("eyJ", "eyJaaaaaaaaaaaaaaaaaaaa.", "sk-", "SG.", "AKIA", "hv1.", "2001:", "+1 ", "GB82 ", "a@a.", "://a:"),
    *("password=", 'password="', "password ", "passwordk", "--token ", "token: basic ", "authorization: digest "),
    *("cookie: a=b;", '{"name":"password","value":', "&sig=", "Bearer ", "hooks.slack.com/services/", "acme", "<<"),
    *("-----BEGIN ", "-----BEGIN RSA PRIVATE KEY-----\n", "A: b\n", "[redacted:", "[redacted:x]token="),
    *("AIza" + "a" * 35, "eyJ" + "a" * 20 + ".eyJ", "whsec_aaaaaaaaaaaaaaaa+"),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    """With everything looked for, and patterns of one's own: some microseconds a character at most."""
    text = (piece * (SIZE // len(piece) + 1))[:SIZE]
    for redactor in (ALL, OWN):
        begun = time.process_time()
        redactor.text(text)
        assert time.process_time() - begun < 1.5
    begun = time.process_time()
    stream = ALL.stream()
    for at in range(0, SIZE, 500):
        stream.feed(text[at : at + 500])
    stream.flush()
    assert time.process_time() - begun < 3
