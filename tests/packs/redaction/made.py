"""Secrets made when a test runs, texts to put them in, and texts that anything may be in."""

import random
import string
import tomllib
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from seamlaw_packs.redaction import PII, SECRETS, Redactor

CORPUS = Path(__file__).parent / "corpus"
ALPHABETS = {
    "word": string.ascii_letters + string.digits + "_-",
    "alnum": string.ascii_letters + string.digits,
    "upper": string.ascii_uppercase + "234567",
    "hex": "0123456789abcdef",
}


def data(name: str) -> dict[str, Any]:
    """Read a file of the corpus."""
    return tomllib.loads((CORPUS / name).read_text("utf-8"))


def body(alphabet: str, length: int, seed: object) -> str:
    """Make what follows a prefix; it begins and ends with a letter, as a word does."""
    chance = random.Random(f"{alphabet} {length} {seed}")
    return "a" + "".join(chance.choices(ALPHABETS[alphabet], k=length - 2)) + "f"


def upper(text: str, alphabet: str) -> str:
    """Write a body as its alphabet has it."""
    return text.upper() if alphabet == "upper" else text


def tokens(seed: object = 0) -> list[tuple[str, str]]:
    """Give the label and the text of one token of each form."""
    made = [
        (form["label"], "".join(form["prefix"]) + upper(body(form["alphabet"], form["length"], seed), form["alphabet"]))
        for form in data("tokens.toml")["token"]
    ]
    header, claims, signature = "eyJ" + body("word", 33, seed), "eyJ" + body("word", 80, seed), body("word", 43, seed)
    return [
        *made,
        ("jwt", f"{header}.{claims}.{signature}"),
        ("sendgrid-key", f"S{'G'}.{body('word', 22, seed)}.{body('word', 43, seed)}"),
        ("private-key", private_key(seed)),
    ]


def private_key(seed: object = 0, kind: str = "RSA ", newline: str = "\n") -> str:
    """Make what looks like a private key."""
    lines = [body("alnum", 64, f"{seed} {line}") for line in range(6)]
    return newline.join([f"-----BEGIN {kind}PRIVATE KEY-----", *lines, f"-----END {kind}PRIVATE KEY-----"])


TOKENS = tokens()
ALL = Redactor(SECRETS + PII)
DEFAULT = Redactor()

# What a text is made of that could be a secret, is nearly one, or stands around one.
PIECES = [
    *(token for _, token in TOKENS),
    *("sk-", "sk-ant-", "AKIA", "ghp_", "eyJ", "eyJhbGciOiJIUzI1NiJ9", "Bearer ", "://", "://ann:", "hooks.slack.com/"),
    *("-----BEGIN ", "RSA PRIVATE KEY", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "-----"),
    *("password", "token", "api_key", "Authorization", "cookie", "--password", "secret", "page_token", "pwd"),
    *("=", ":", ": ", " = ", "=>", ">", "<", "'", '"', '\\"', '\\\\\\"', "`", "\\n", "\\", "%3D", "\\u003d"),
    *(" ", "  ", "\t", "\n", "\r\n", ",", ";", "&", "@", "/", "(", ")", "[", "]", "{", "}", "|", ".", "-", "_", "+"),
    *("hunter2", "Zq8kV2mW9xT4bN7c", "a", "word", "0", "42", "1234", "basic", "digest ", "bearer ", "Proc-Type: 4"),
    *("[redacted:token]", "[redacted:", "[redacted:x", "\0", "é", "İ", "😀", "\ud800", "\u200b", "\u3000"),
    *("ann@example.net", "4111 1111 1111 1111", "4111111111111111", "078-05-1120", "10.1.2.3", "+44 20 7946 0958"),
    *("GB82 WEST 1234 5698 7654 32", "GB82", "DE89370400440532013000", "2001:db8::1", "(555) 123-4567", "::"),
]
pieces = st.sampled_from(PIECES) | st.text(max_size=3)
texts = st.lists(pieces, max_size=12).map("".join)
