"""The lines of a ledger file: a hash chain.

Each line is a JSON object that begins with `type`, `seq` and `prev`: what it is, which line of the ledger it is (from
0, across all files), and the SHA-256 of the line before it, without its line feed. So no line can be changed, taken
out, put in or moved without the next one telling, and the last is told of by a small file beside it, the head.
"""

import hashlib
import hmac
import json
from typing import Any, Literal, TypeAlias

import msgspec
from attrs import frozen

from ._record import Record

__all__ = ["FORMAT", "NOTHING", "Head", "Line", "Type", "hash_of", "mac_of", "parsed", "written"]

FORMAT = "seamlaw.ledger/1"
NOTHING = "0" * 64  # before the first line
HEAD_SIZE = 512  # bytes; a head is written over the one before it, in one piece
Type: TypeAlias = Literal["genesis", "continued", "record", "checkpoint", "recovered"]
TYPES: tuple[Type, ...] = ("genesis", "continued", "record", "checkpoint", "recovered")
ENCODER = msgspec.json.Encoder()


@frozen
class Line:
    """One line: what is common to all, and the rest of it."""

    type: Type
    seq: int
    prev: str
    body: dict[str, Any]


@frozen
class Head:
    """Where a ledger ends: the last line and its hash, and how many records there are up to it."""

    ledger: str  # its name, given by chance when it began
    file: int  # how many files there are, rotated ones included
    seq: int
    hash: str
    records: int

    def encoded(self, key: bytes | None) -> bytes:
        """Write it down, always as long, signed if there is a key."""
        data: dict[str, Any] = {name: getattr(self, name) for name in ("ledger", "file", "seq", "hash", "records")}
        if key is not None:
            data["mac"] = mac_of(key, "head", *data.values())
        return json.dumps(data).encode().ljust(HEAD_SIZE - 1) + b"\n"

    @classmethod
    def decoded(cls, text: bytes) -> "tuple[Head, str | None]":
        """Read it, and its signature; raises `ValueError` for what is no head."""
        data = msgspec.json.decode(text, type=dict[str, Any])
        mac = data.pop("mac", None)
        head = msgspec.convert(data, cls)
        if len(data) != 5 or not isinstance(mac, str | None):
            raise ValueError("no head")
        return head, mac

    def is_signed(self, mac: str | None, key: bytes) -> bool:
        """Whether the signature is of this key."""
        said = mac_of(key, "head", self.ledger, self.file, self.seq, self.hash, self.records)
        return mac is not None and hmac.compare_digest(mac, said)


def hash_of(line: bytes) -> str:
    """Hash a line, without its line feed."""
    return hashlib.sha256(line).hexdigest()


def mac_of(key: bytes, *parts: object) -> str:
    """Sign what a checkpoint, or a head, says."""
    return hmac.new(key, json.dumps(parts).encode(), hashlib.sha256).hexdigest()


def written(type: Type, seq: int, prev: str, body: Record | dict[str, Any]) -> bytes:
    """Write a line, without its line feed; a record stands under the key `record`."""
    begun = f'{{"type":"{type}","seq":{seq},"prev":"{prev}",'.encode()
    if isinstance(body, Record):
        return begun + b'"record":' + ENCODER.encode(body) + b"}"
    return begun + ENCODER.encode(body)[1:]


def parsed(text: bytes) -> Line | None:
    """Read a line; `None` for what is none."""
    try:
        body = msgspec.json.decode(text, type=dict[str, Any])
    except (ValueError, RecursionError):
        return None
    match body:
        case {"type": str(named), "seq": int(seq), "prev": str(prev)} if type(seq) is int:
            rest = {key: value for key, value in body.items() if key not in ("type", "seq", "prev")}
            return next((Line(type_, seq, prev, rest) for type_ in TYPES if type_ == named), None)
        case _:
            return None
