"""What is no secret stays: a redactor that hides what people need is turned off."""

import base64
import hashlib
import random
import string
import uuid

import pytest
from tests.packs.redaction.made import CORPUS, DEFAULT

HARMLESS = (CORPUS / "harmless.txt").read_text("utf-8").splitlines()


def made() -> list[str]:
    """Make what machines write: identifiers, hashes, images, and other texts of many odd letters."""
    chance = random.Random(7)
    texts: list[str] = []
    for _ in range(40):
        raw = chance.randbytes(32)
        texts += [
            str(uuid.UUID(bytes=raw[:16])),
            uuid.UUID(bytes=raw[:16]).hex,
            hashlib.sha1(raw).hexdigest(),
            hashlib.sha256(raw).hexdigest(),
            f"sha256:{hashlib.sha256(raw).hexdigest()}",
            base64.b64encode(raw).decode(),
            base64.urlsafe_b64encode(raw).decode(),
            base64.b32encode(raw).decode(),
            f"data:image/png;base64,{base64.b64encode(chance.randbytes(3_000)).decode()}",
            f"task-{raw.hex()}",
            f"https://example.net/{raw[:4].hex()}/{raw[4:].hex()}?page={raw[0]}#{raw[:3].hex()}",
            f"span_id={raw[:8].hex()} trace_id={raw[8:24].hex()}",
            "_".join("".join(chance.choices(string.ascii_lowercase, k=6)) for _ in range(8)),
            "-".join("".join(chance.choices(string.ascii_lowercase, k=6)) for _ in range(8)),
            "".join(chance.choices(string.ascii_letters + string.digits, k=200)),
        ]
    return texts


def test_there_is_enough_of_it() -> None:
    """Three hundred lines of hand, and as many made."""
    assert len(HARMLESS) > 300
    assert len(set(HARMLESS)) == len(HARMLESS)
    assert len(made()) > 300


def test_harmless_texts_stay_the_same_object() -> None:
    """None of them is changed, or copied."""
    changed = [text for text in [*HARMLESS, *made()] if DEFAULT.text(text) is not text]
    assert changed == []


def test_harmless_texts_stay_together_and_in_a_value() -> None:
    """Nor where they stand beside one another."""
    together = "\n".join(HARMLESS)
    assert DEFAULT.text(together) is together
    value = {"lines": HARMLESS, "made": made()}
    assert DEFAULT.value(value) is value


@pytest.mark.parametrize("text", [*HARMLESS[:40], *made()[:15]])
def test_a_secret_beside_a_harmless_text_is_all_that_goes(text: str) -> None:
    """The search after a replacement hides no more."""
    token = "gh" + "p_" + "a1B2" * 9
    assert DEFAULT.text(f"{text}\n{token}\n{text}") == f"{text}\n[redacted:github-token]\n{text}"
