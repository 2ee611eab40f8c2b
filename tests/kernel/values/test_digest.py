"""The digest: the canonical text of RFC 8785, extended to large integers, and no name for what has none."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
from typing import Any

import attrs
import pytest

from seamlaw import (
    MemoryItem,
    Message,
    ProviderRequest,
    Scope,
    ToolCall,
    ToolResult,
    canonical,
    digest,
    freeze,
)

# RFC 8785, appendix B: the bits of a double, and how it is written.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_numbers_are_written_as_the_standard_writes_them(bits: str, text: str) -> None:
    """The table of RFC 8785, appendix B."""
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical(number) == text
    assert canonical([number]) == f"[{text}]"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (1.0, "1"),
        (100.0, "100"),
        (0.1, "0.1"),
        (-1.5, "-1.5"),
        (123456.789, "123456.789"),
        (1e20, "100000000000000000000"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (0.00123, "0.00123"),
        (2**53 - 1, "9007199254740991"),
        (2**53 + 1, "9007199254740993"),
        (2**64, "18446744073709551616"),
        (-(2**63), "-9223372036854775808"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_other_numbers(number: float, text: str) -> None:
    """A whole number is written alike as an integer and as a double; a large one by its exact digits."""
    assert canonical(number) == text


def test_neighbours_past_2_to_the_53_have_different_digests() -> None:
    """Ids of 64 bits are told apart, from each other and from the double that comes nearest."""
    near = range(2**60 - 600, 2**60 + 600)
    assert len({digest(number) for number in near}) == len(near)
    for number in (2**53 + 1, 2**60 + 1, 1152921504606847000, 9007199254740993):
        assert digest(number) != digest(float(number))


# RFC 8785, sections 3.2.2 to 3.2.4
EXAMPLE = (
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],'
    '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}'
)
EXAMPLE_WRITTEN = (
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
)


def test_the_example_of_the_standard() -> None:
    """Keys in order, no spaces, the shortest escapes."""
    value = json.loads(EXAMPLE)
    assert canonical(value) == EXAMPLE_WRITTEN
    assert digest(value) == hashlib.sha256(EXAMPLE_WRITTEN.encode()).hexdigest()


def test_keys_are_sorted_by_their_utf_16_units() -> None:
    """The standard's own list: a character past the first plane comes before U+FB33."""
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\x80", "\xf6"]
    written = canonical(dict.fromkeys(keys, 0))
    assert written is not None
    assert list(json.loads(written)) == ["\r", "1", "\x80", "\xf6", "\u20ac", "\U0001f600", "\ufb33"]


@pytest.mark.parametrize("number", [*range(32), 0x22, 0x5C, 0x7F, 0x2028])
def test_control_characters_are_escaped_as_the_standard_says(number: int) -> None:
    """Two-character escapes where there are some, small hexadecimal digits elsewhere, nothing above U+001F."""
    short = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 0x22: '\\"', 0x5C: "\\\\"}
    expected = short.get(number, f"\\u{number:04x}" if number < 32 else chr(number))
    assert canonical(chr(number)) == f'"{expected}"'


DIFFERENT: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    "",
    "null",
    "1",
    "true",
    [],
    {},
    [[]],
    [{}],
    [None],
    {"a": None},
    {"b": None},
    {"a": {}},
    {"a": 1},
    {"a": 1, "b": None},
    {"a,b": 1},
    {"a": [1, 2]},
    {"a": [2, 1]},
    {"a": [[1], 2]},
    {"a": "[1,2]"},
    ToolCall("1", "a"),
    ToolCall("1", "a", {"a": None}),
    ToolCall("1", "b"),
    ToolResult(),
    ToolResult(error="e"),
    ToolResult("e"),
    Message("a"),
    Message("a", ""),
    MemoryItem("a"),
    Scope(),
    Scope("a"),
    (Message("a"),),
    (Message("a"), Message("a")),
]


def test_different_values_have_different_digests() -> None:
    """Absent and null, empty and nothing, true and one, a list and its text, and every kind of value."""
    assert len({digest(value) for value in DIFFERENT}) == len(DIFFERENT)


def test_the_digest_is_the_same_for_plain_and_frozen_and_in_any_order_of_keys() -> None:
    """And for 1 and 1.0, which JSON does not tell apart."""
    plain = {"b": [1, {"d": 2, "c": 1.0}], "a": None}
    turned = {"a": None, "b": [1.0, {"c": 1, "d": 2}]}
    assert digest(plain) == digest(freeze(plain)) == digest(turned)
    assert len(digest(plain)) == 64


def test_the_digest_of_a_call_does_not_depend_on_its_id() -> None:
    """An approval is for what runs; every other field counts."""
    call = ToolCall("1", "bash", {"a": 1})
    assert digest(call) == digest(ToolCall("2", "bash", {"a": 1}))
    assert digest(Message("user", call_id="1")) != digest(Message("user", call_id="2"))
    request = ProviderRequest("m")
    for changed in (
        attrs.evolve(request, model="n"),
        attrs.evolve(request, messages=(Message("user"),)),
        attrs.evolve(request, tools=[{}]),
        attrs.evolve(request, kwargs={"t": 0}),
        attrs.evolve(request, headers={}),
    ):
        assert digest(changed) != digest(request)


def printed_by(code: str, seed: str) -> str:
    """Run code in a process with a hash seed of its own, and take what it prints."""
    command = [sys.executable, "-X", "utf8", "-c", code]
    run = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


def test_the_digest_is_stable() -> None:
    """These are written in ledgers: in another process, with another hash seed, in another year."""
    code = "from seamlaw import *; print(digest(ToolCall('1', 'bash', {'b': [1.5, None], 'a': 'ä'})))"
    told = {printed_by(code, seed) for seed in ("0", "1")}
    assert told == {digest(ToolCall("1", "bash", {"a": "ä", "b": [1.5, None]}))}
    assert digest({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"


CALL = ToolCall("1", "bash", {"command": "ls"})
PINNED: list[tuple[Any, str]] = [
    (("a", 1), 'tuple["a",1]'),
    ((ToolResult("out"), CALL), 'tuple[ToolResult["out",null,{}],ToolCall["bash",{"command":"ls"}]]'),
    (1152921504606847000, "1152921504606847000.0"),
    (1152921504606846976, "1152921504606846976"),
    (2**53 + 2, "9007199254740994"),
    (-(2**53) - 2, "-9007199254740994"),
    (2**4000 + 1, str(2**4000 + 1)),
    (2**4095 + 1, str(2**4095 + 1)),
    (ToolResult(2**4096), f"ToolResult[{hex(2**4096)},null,{{}}]"),
    (ToolResult(2**5000), f"ToolResult[{hex(2**5000)},null,{{}}]"),
]


@pytest.mark.parametrize(("value", "text"), PINNED, ids=[text[:40] for _, text in PINNED])
def test_the_canonical_text_is_this_one(value: Any, text: str) -> None:
    """What was approved must still be found when the library is a newer one."""
    assert canonical(value) == text


def test_a_tuple_is_no_list() -> None:
    """What stands beside a value is no part of it."""
    assert digest(("a",)) != digest(["a"])


def test_text_that_cannot_be_encoded_has_a_digest() -> None:
    """A result is what a tool gave, whatever that is; another lone surrogate is another text."""
    digests = {digest(ToolResult(text)) for text in ("\ud800", "\ud801", "?", "\ud800\ud800")}
    assert len(digests) == 4


def test_what_has_no_name_is_told_apart_by_its_beginning() -> None:
    """And what follows is a digest like any other."""
    assert re.fullmatch("opaque:[0-9a-f]{64}", digest(object()))
    assert re.fullmatch("[0-9a-f]{64}", digest({"a": 1}))


def test_an_object_that_does_not_tell_is_opaque_also_beside_another() -> None:
    """A host's own, whose field raises when it is read."""

    @attrs.define
    class Silent:
        held: int = 1

        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError(name)

    for value in (Silent(), (CALL, Silent()), (Silent(), Silent())):
        assert digest(value).startswith("opaque:")
        assert canonical(value) is None
