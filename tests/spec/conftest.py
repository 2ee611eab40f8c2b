"""Planted bugs: put one into the kernel, wherever it is used, and see which law notices."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from seamlaw_spec import LAWS
from seamlaw_spec.strategies import given_for

THOROUGH = settings(
    max_examples=2000,  # most bugs need a few
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, Any], None]:
    """Put something broken where the original is, in every module that took it over by name."""

    def put(original: Any, broken: Any) -> None:
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in ("seamlaw", "seamlaw_spec"):
                for key, value in list(vars(module).items()):
                    if value is original:
                        monkeypatch.setattr(module, key, broken)

    return put


@pytest.fixture
def catches() -> Callable[[str], bool]:
    """Say whether a law, by its name, notices that something is broken."""

    def notices(name: str) -> bool:
        law = LAWS[name]
        held: list[bool] = []

        @THOROUGH
        @given(**given_for(law))
        def holds(**case: Any) -> None:
            held.append(False)
            held[-1] = law.holds(**case)
            assert held[-1]

        try:
            holds()
        except BaseException:
            if all(held):  # it was no law that failed
                raise
        return not all(held)

    return notices
