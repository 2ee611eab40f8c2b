"""What is said quickly to have no secret is what a whole search finds nothing in."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.packs.redaction.made import ALL, DEFAULT, texts
from tests.packs.redaction.test_laws import OWN, own_texts

from seamlaw_packs.redaction import Redactor
from seamlaw_packs.redaction._named import MARKS
from seamlaw_packs.redaction._names import ENDINGS
from seamlaw_packs.redaction._placeholders import walled
from seamlaw_packs.redaction._search import Search
from seamlaw_packs.redaction._small import CONTAINERS, Small
from seamlaw_packs.redaction._values import Rebuilding
from seamlaw_packs.redaction._view import View

REDACTORS = {"default": DEFAULT, "all": ALL, "own": OWN}
ODD = st.sampled_from(
    ["\u212aey", "TO\u212aEN", "author\u0130zation", "pa\u017fs", "\u0130", "password", "Key", "=x1y2z3"]
)
KEYS = st.sampled_from(["id", "name", "value", "key", "Value", "command", "to_ken", "pass-word", "x", ""]) | own_texts
VALUES = st.recursive(
    own_texts | st.sampled_from(["ls", "--password", "--token=", "hunter2x", "a1b2c3d4"]) | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def searched(searching: Search, text: str) -> bool:
    """Whether a whole search, family by family, finds anything."""
    view = View(walled(text))
    return any(True for family in searching.families for _ in family.spans(view))


@pytest.mark.parametrize("name", REDACTORS)
@settings(max_examples=300)
@given(text=texts | own_texts | st.lists(ODD | own_texts, max_size=4).map("".join))
def test_a_text_without_a_mark_has_nothing(name: str, text: str) -> None:
    """Letters that become others in lower case included."""
    searching = REDACTORS[name].searching
    assert not (searching.is_unmarked(text) and searched(searching, text))


def test_the_names_of_secrets_have_a_mark() -> None:
    """In whatever way they are written: a new one must be given its own."""
    for ending in ENDINGS:
        assert any(mark in ending for mark in MARKS), ending


@pytest.mark.parametrize("mark", range(len(MARKS)))
def test_a_mark_that_is_forgotten_is_noticed(mark: int) -> None:
    """The planted bug: without one of the marks, the quick answer would be wrong."""
    searching = Search(DEFAULT.searching.families)
    fewer = tuple(one for one in DEFAULT.searching._marks or () if one != MARKS[mark])
    object.__setattr__(searching, "_marks", fewer)
    told = [f"{ending}=Zq8kV2mW9xT4bN7c" for ending in (*ENDINGS, "db_pass")]
    assert any(searching.is_unmarked(text) and searched(searching, text) for text in told)


@pytest.mark.parametrize("name", REDACTORS)
@settings(max_examples=400)
@given(value=VALUES)
def test_a_value_that_is_said_to_be_clean_is(name: str, value: Any) -> None:
    """Rebuilding it would give the very same; and it is said again, when its keys are known."""
    redactor = REDACTORS[name]
    small = Small(redactor.secret_names, redactor.searching)
    said = small.is_clean(value)
    assert small.is_clean(value) == said
    if said:
        assert Rebuilding(redactor.text, redactor.secret_names).value(value) is value
    assert redactor.value(value) == Rebuilding(redactor.text, redactor.secret_names).value(value)


@pytest.mark.parametrize(
    "value",
    [
        {"command": "git log", "timeout": 60, "cwd": "/srv/workspace"},
        {"output": ["README.md", "src"], "error": None, "metadata": {}},
        [[], {}, [None, True, 1.5]],
    ],
)
def test_most_values_are_said_to_be_clean(value: Any) -> None:
    """Otherwise the law above would say nothing."""
    assert Small(DEFAULT.secret_names, DEFAULT.searching).is_clean(value)


def test_what_is_not_small_and_plain_is_left_to_the_whole_search() -> None:
    """Cycles, many containers, long texts, subclasses, other keys and other objects; and it answers for all of them."""
    small = Small(DEFAULT.secret_names, DEFAULT.searching)
    cycle: list[Any] = []
    cycle.append(cycle)
    text: Any = type("Text", (str,), {})("x")
    values: list[Any] = [cycle, [[]] * (CONTAINERS + 1), ["x" * 2_000], text, [text], {1: "x"}, [b"x"], [object()]]
    for value in values:
        assert not small.is_clean(value)


def test_names_that_come_from_models_do_not_pile_up() -> None:
    """What is remembered of keys is bounded."""
    small = Small(DEFAULT.secret_names, DEFAULT.searching)
    for number in range(5_000):
        assert small.is_clean({f"column {number}": "x"})
    assert len(small._harmless) <= 2_048
    assert not small.is_clean({"x" * 65: "x"})


def test_a_redactor_of_ones_own_sees_every_text() -> None:
    """Nothing is said quickly where somebody else is to be asked."""
    redactor = Redactor(also=lambda text: text.replace("ls", "[redacted:ls]"))
    assert redactor.value({"command": "ls"}) == {"command": "[redacted:ls]"}
