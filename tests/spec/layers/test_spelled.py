import math
from typing import Any

import pytest
from hypothesis import given

from seamlaw_spec import LAWS
from seamlaw_spec._law import Law
from seamlaw_spec.domains import Heard, Said
from seamlaw_spec.layers._spelled import Imports, as_test, spelled
from seamlaw_spec.layers.enumerations import cases
from seamlaw_spec.scripts import Script
from seamlaw_spec.strategies import of


def made_anew(value: Any) -> Any:
    """Write a value down, and read it back as Python does."""
    imports: Imports = {}
    text = spelled(value, imports)
    lines = [f"from {module} import {', '.join(names)}" for module, names in imports.items()]
    space: dict[str, Any] = {}
    exec("\n".join([*lines, f"made = {text}"]), space)
    return space["made"]


@pytest.mark.parametrize(
    "value",
    [
        None,
        (),
        (1,),
        [1.5, -0.0, math.inf],
        {"a": {"b": [None, True]}},
        set[int](),
        {1},
        frozenset[int](),
        frozenset({2}),
        Said.BLOCK,
        Heard(Said.REPLACE, 3),
        "two\nlines",
    ],
)
def test_what_is_spelled_is_that_value_again(value: Any) -> None:
    """A counterexample can be pasted, and means what it meant."""
    assert made_anew(value) == value


def test_no_number_is_spelled_too() -> None:
    """NaN has no literal."""
    assert math.isnan(made_anew(math.nan))


@given(of(Script))
def test_every_script_can_be_spelled(script: Script) -> None:
    """However deep a case is, it evaluates to its equal."""
    assert made_anew(script) == script


@pytest.mark.parametrize("law", [law for law in LAWS.values() if "E" in law.by], ids=lambda law: law.name)
def test_a_case_of_every_law_is_a_test_that_runs(law: Law) -> None:
    """The test that is printed for a case imports all it needs, and passes while the law holds."""
    space: dict[str, Any] = {}
    exec(as_test(law, next(iter(cases(law).up_to(0)))), space)
    space[f"test_{law.name}"]()
