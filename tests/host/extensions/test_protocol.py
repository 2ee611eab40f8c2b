"""The published schema is that of the messages: what it allows is read, and what is sent keeps to it."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.host.extensions.made import call, declared, manifest, scripted, value_for, written

from seamlaw import SEAMS, TOOL_CALL, Scope, ToolResult, decide, digest, observe
from seamlaw_host.extensions import extension_schema
from seamlaw_host.extensions._protocol import read_answer, read_manifest
from seamlaw_host.extensions.errors import Garbage

PUBLISHED = Path(__file__).parents[3] / "docs/extension.schema.json"
SCHEMA = json.loads(json.dumps(extension_schema()))


def validator(side: str) -> Any:
    """What holds a message to one part of the schema."""
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{side}", "$defs": SCHEMA["$defs"]})


FROM_HOST, FROM_EXTENSION = validator("FromHost"), validator("FromExtension")


def test_what_is_published_is_the_schema() -> None:
    """After a change: python -c 'from tests.host.extensions.test_protocol import publish; publish()'."""
    assert json.loads(PUBLISHED.read_text("utf-8")) == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def publish() -> None:
    """Write the schema."""
    PUBLISHED.write_text(json.dumps(SCHEMA, indent=1) + "\n", "utf-8")


def messages_of_the_page() -> list[dict[str, Any]]:
    """Every message that docs/extensions.md shows."""
    page = (PUBLISHED.parent / "extensions.md").read_text("utf-8")
    found = [json.loads(block) for block in re.findall(r"(?ms)^```json\n(.*?)^```", page)]
    blocks: list[list[dict[str, Any]]] = [block if type(block) is list else [block] for block in found]
    return [message for block in blocks for message in block]


def test_every_message_of_the_page_keeps_to_the_schema() -> None:
    """There is one of each kind."""
    whole: Any = jsonschema.Draft202012Validator(SCHEMA)
    shown = messages_of_the_page()
    for message in shown:
        whole.validate(message)
    kinds = ["hello", "manifest", "decide", "allow", "note", "replace", "ask", "block", "error", "observe"]
    assert [message.get("type", message.get("decision")) for message in shown] == kinds


WORDS = ["allow", "note", "replace", "ask", "block", "error", "deny", "manifest", "low", "high", "gate", "", "x"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2**60) | st.floats(-1, 10) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)
GOOD: dict[str, Any] = {
    "id": st.integers(1, 2**53),
    "decision": st.sampled_from(WORDS[:6]),
    "reason": st.sampled_from(["x", "y" * 4096]),
    "severity": st.sampled_from(["low", "medium", "high"]),
    "value": JSON,
    "target": st.none() | st.just("lead"),
    "timeout_s": st.none() | st.integers(1, 9),
}
ANSWERS = st.fixed_dictionaries(
    {"id": GOOD["id"], "decision": GOOD["decision"]}, optional={key: GOOD[key] for key in list(GOOD)[2:]}
)
ODD = st.dictionaries(st.sampled_from([*GOOD, "other", "type"]), JSON, max_size=2)


def is_read(message: object) -> bool:
    """Whether it is taken for an answer."""
    try:
        read_answer(json.dumps(message).encode())
    except Garbage:
        return False
    return True


@settings(max_examples=500)
@given(ANSWERS, ODD, st.sets(st.sampled_from(list(GOOD)), max_size=1))
def test_an_answer_is_read_just_where_the_schema_allows_it(
    answer: dict[str, Any], odd: dict[str, Any], without: set[str]
) -> None:
    """Also with fields that are wrong, too many, or left out."""
    message = {key: value for key, value in {**answer, **odd}.items() if key not in without}
    kinds = [validator(name) for name in ("Allow", "Note", "Replace", "Ask", "Block", "Error")]
    assert is_read(message) is any(kind.is_valid(message) for kind in kinds)


@pytest.mark.parametrize("answer", [{"decision": "allow"}, {"decision": "block", "reason": "no"}])
def test_there_are_answers_that_are_read(answer: dict[str, Any]) -> None:
    """So that the law above says something."""
    assert is_read({"id": 1, **answer})
    assert FROM_EXTENSION.is_valid({"id": 1, **answer})


BROKEN: list[dict[str, Any]] = [
    {"type": "hello"},
    {"protocol": 2},
    {"protocol": True},
    {"name": "../x"},
    {"name": "a b"},
    {"name": ""},
    {"name": "x\n"},
    {"version": ""},
    {"version": "1\n"},
    {"version": "\x1b[31m"},
    {"more": 1},
    {"interceptors": {}},
    {"interceptors": [{"name": "x", "seam": "tool_cal", "mode": "gate"}]},
    {"interceptors": [{"name": "x", "seam": "tool_call", "mode": "watcher"}]},
    {"interceptors": [{"name": "x", "seam": "tool_call", "mode": "gate", "tools": "bash"}]},
    {"interceptors": [{"name": "x", "seam": "tool_call", "mode": "gate", "denies": 1}]},
    {"interceptors": [{"name": "x", "seam": "tool_call"}]},
    {"rules": [1]},
    {"exact_integers": None},
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_manifest_that_the_schema_does_not_allow_is_not_read(broken: dict[str, Any]) -> None:
    """The planted bugs: a field of another type or word, and one that there is not."""
    whole = manifest(declared("judge", tools=["bash"]), rules=[{"refuse": "no", "tools": "rm"}])
    assert FROM_EXTENSION.is_valid(whole)
    read_manifest(json.dumps(whole).encode())
    message = {**whole, **broken}
    assert not FROM_EXTENSION.is_valid(message)
    with pytest.raises(Garbage):
        read_manifest(json.dumps(message).encode())


@pytest.mark.parametrize("name", SEAMS)
def test_requests_keep_to_the_schema(tmp_path: Path, name: str) -> None:
    """At every seam; each has the digest of the value and of what stands beside it, and who is calling."""
    path, who = tmp_path / "shown.json", Scope(session="s", agent="a", chain=["b", "a"])
    seam = SEAMS[name]
    offered = value_for(seam, ("shown", str(path)), ("allow",))
    with scripted(written(tmp_path, declared("one", name))) as extension:
        outcome = decide(extension.interceptors(), seam, *offered, scope=who)
    assert outcome.proceeds, outcome.reason
    message = json.loads(path.read_text("utf-8"))["message"]
    FROM_HOST.validate(message)
    assert message["digest"] == digest(offered if seam.beside else value_for(seam, ("shown", str(path)), ("allow",))[0])
    assert message["scope"]["chain"] == ["b", "a"]
    assert 0 < message["deadline_s"] <= 60
    assert len(message["beside"]) == len(offered) - 1


def test_what_the_host_says_first_and_what_an_observer_is_told_keep_to_it_as_well(tmp_path: Path) -> None:
    """The greeting has the limits and the deadlines."""
    hello, seen = tmp_path / "hello.json", tmp_path / "seen.json"
    script = written(tmp_path, declared("watcher", mode="observer"), declared("gate"), before=[["shown", str(hello)]])
    with scripted(script) as extension:
        bundle = extension.interceptors()
        told = call(("shown", str(seen)))
        assert observe(bundle, TOOL_CALL, told, ToolResult([1])) == ()
        assert decide(bundle, TOOL_CALL, call(("allow",))).proceeds  # it reads in order
    greeting = json.loads(hello.read_text("utf-8"))["message"]
    FROM_HOST.validate(greeting)
    assert (greeting["type"], greeting["protocol"], greeting["in_flight"]) == ("hello", 1, 16)
    message = json.loads(seen.read_text("utf-8"))["message"]
    FROM_HOST.validate(message)
    assert message["value"] == {"id": "call-1", "name": "bash", "arguments": dict(told.arguments)}
    assert message["result"] == {"output": [1], "error": None, "metadata": {}}
