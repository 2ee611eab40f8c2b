"""Who sent a request: HMAC-SHA256 over its body and the time, as Standard Webhooks and as Slack write it."""

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Callable, Mapping

from ._errors import InvalidApprovals

__all__ = ["is_from_slack", "is_signed", "key_of", "signed"]

WINDOW_S = 300.0  # what is older, or newer, may be a replay; both schemes advise five minutes
LEAST_KEY = 24  # bytes; Standard Webhooks asks for 24 to 64


def key_of(secret: str | bytes) -> bytes:
    """Read a secret: bytes, or `whsec_` and base64; raises `InvalidApprovals` for one that is no or too short a key."""
    key = b""
    if isinstance(secret, bytes):
        key = secret
    elif secret.startswith("whsec_"):
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except (binascii.Error, ValueError):
            key = b""
    if len(key) < LEAST_KEY:
        raise InvalidApprovals(f"the secret of a webhook is at least {LEAST_KEY} bytes, or whsec_ and their base64")
    return key


def signed(key: bytes, id: str, at: float, body: bytes) -> dict[str, str]:
    """The headers that sign a body (https://www.standardwebhooks.com): its id, the time, the signature."""
    stamp = str(int(at))
    return {"webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": _standard(key, id, stamp, body)}


def is_signed(
    headers: Mapping[str, str],
    body: bytes,
    secret: str | bytes,
    *,
    window_s: float = WINDOW_S,
    clock: Callable[[], float] = time.time,
) -> bool:
    """Whether a webhook's request comes from who knows the secret, and is not older than the window.

    For the receiving end, which must also remember the ids it has seen for as long: the same id again is a retry.
    Raises `InvalidApprovals` for a bad secret.
    """
    key, given = key_of(secret), _lower(headers)
    stamp = given.get("webhook-timestamp", "")
    if not _is_now(stamp, window_s, clock):
        return False
    wanted = _standard(key, given.get("webhook-id", ""), stamp, body)
    found = given.get("webhook-signature", "").split(" ")
    return any([_same(each, wanted) for each in found])  # noqa: C419 - all are compared, whichever fits


def is_from_slack(
    headers: Mapping[str, str],
    body: bytes,
    secret: str,
    *,
    window_s: float = WINDOW_S,
    clock: Callable[[], float] = time.time,
) -> bool:
    """Whether a request comes from Slack (https://api.slack.com/authentication/verifying-requests-from-slack)."""
    given = _lower(headers)
    stamp = given.get("x-slack-request-timestamp", "")
    if not secret or not _is_now(stamp, window_s, clock):
        return False
    made = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return _same(given.get("x-slack-signature", ""), f"v0={made}")


def _standard(key: bytes, id: str, stamp: str, body: bytes) -> str:
    content = f"{id}.{stamp}.".encode("utf-8", "surrogatepass") + body
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _is_now(stamp: str, window_s: float, clock: Callable[[], float]) -> bool:
    is_number = stamp.isascii() and stamp.isdigit() and len(stamp) <= 15
    return is_number and abs(clock() - int(stamp)) <= window_s


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), wanted.encode())
