"""What a decision costs with each pack, beside one with a gate that has nothing to say."""

import pytest

from benchmarks.conftest import Measure
from benchmarks.packs import PACKS, case


@pytest.mark.parametrize("name", PACKS)
def test_a_decision(measure: Measure, name: str) -> None:
    """Of a call, a request or a result that the pack lets through."""
    measure(case(name))
