import pytest

from seamlaw import SEAMS
from seamlaw.policy._conditions import OPERATORS
from seamlaw_spec import LAWS
from seamlaw_spec.docs import GENERATORS, MEANINGS


@pytest.mark.parametrize("name", GENERATORS)
def test_every_row_of_a_made_table_has_all_its_cells(name: str) -> None:
    """What is made for the docs is made of tables whose rows are as long as their heads."""
    for part in GENERATORS[name]().split("\n\n"):
        rows = [line.replace("\\|", "").count("|") for line in part.splitlines() if line.startswith("|")]
        assert len(set(rows)) <= 1


def test_no_law_seam_or_operator_is_left_out_of_the_docs() -> None:
    """Each stands in its table, by its name."""
    for name, made in (("laws", LAWS), ("seams", SEAMS), ("operators", OPERATORS)):
        text = GENERATORS[name]()
        assert [each for each in made if f"| `{each}` |" not in text] == []
    assert set(MEANINGS) == set(OPERATORS)


def test_the_effects_are_those_of_the_step() -> None:
    """A block stops the chain and no gate; a gate's replacement blocks; an open fault only blocks at a gate."""
    rows = GENERATORS["effects"]().splitlines()
    assert "| block | logged; verdict block; the chain stops | logged; verdict block |" in rows
    assert "| replace | logged; the value is replaced | logged; verdict block |" in rows
    assert "| fault, open | logged | logged; verdict block |" in rows
    assert "| allow, or `None` | nothing | nothing |" in rows
