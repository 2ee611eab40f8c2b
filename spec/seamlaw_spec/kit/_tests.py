"""Laws as tests: one for each law, of a policy that is explored once."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ._check import LAWS, PAIRS, Checked, Options, Verifier, named_laws
from ._report import as_test
from ._subjects import subject_of

__all__ = ["flaws", "law_names", "laws"]


def law_names(only: Iterable[str] = (), skip: Iterable[str] = (), *, strict: bool = False) -> tuple[str, ...]:
    """The laws that are tests: those that are named, or all that must be kept; with `strict` the hints too."""
    named = tuple(only)
    levels = ("law", "hint") if strict else ("law",)
    return tuple(name for name in named_laws(named, skip) if named or (name != PAIRS and LAWS[name].level in levels))


def flaws(verifier: Verifier, name: str) -> str:
    """How a policy breaks a law, for a reader; empty if it keeps it."""
    checks = verifier.check_pairs() if name == PAIRS else []
    checks += [one for part in verifier.parts for one in verifier.check_part(part, [name])]
    return "\n\n".join(_told(one) for one in checks if not one.holds)


def _told(one: Checked) -> str:
    return f"{one.part.label}: {one.statement}\n{one.remark}\n\n{as_test(one)}"


def laws(
    policy: object, *, only: Iterable[str] = (), skip: Iterable[str] = (), strict: bool = False, **options: Any
) -> Callable[[Callable[[], object]], Any]:
    """Make a test for each law that a policy must keep out of one test function, whose body runs after it.

    `only` and `skip` name laws; with `strict` hints count too; the other options are those of `check`.
    """
    names = law_names(only, skip, strict=strict)

    @cache
    def verifier() -> Verifier:
        return Verifier(subject_of(policy), Options(**options))

    def decorate(test: Callable[[], object]) -> Any:
        import pytest

        def keeps(law: str) -> None:
            told = flaws(verifier(), law)
            if told:
                pytest.fail(told, pytrace=False)
            test()

        keeps.__name__, keeps.__doc__, keeps.__module__ = test.__name__, test.__doc__, test.__module__
        return pytest.mark.parametrize("law", names)(keeps)

    return decorate
