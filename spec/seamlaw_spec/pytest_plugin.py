"""The pytest plugin: `pytest --seamlaw module:name` makes a test of each law that the policy must keep.

It does nothing unless it is asked to, and imports nothing before.
"""

from typing import Any

import pytest

__all__ = ["pytest_addoption", "pytest_collection_modifyitems"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("seamlaw", "laws for policies")
    group.addoption(
        "--seamlaw", action="append", default=[], metavar="POLICY", help="check a policy's laws: module:name, or a file"
    )
    group.addoption("--seamlaw-strict", action="store_true", help="let hints fail too")
    group.addoption("--seamlaw-examples", type=int, default=200, metavar="N", help="values that each part is tried on")
    group.addoption("--seamlaw-secret", action="append", default=[], metavar="TEXT", help="a text that must not leak")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add one test for each law of each policy that is named."""
    given = config.option
    if not given.seamlaw:
        return
    from .kit._check import Options, Verifier
    from .kit._subjects import subject_of
    from .kit._tests import law_names
    from .kit.errors import KitError

    options = Options(given.seamlaw_examples, secrets=given.seamlaw_secret)
    names = law_names(strict=given.seamlaw_strict)
    for policy in given.seamlaw:
        try:
            verifier = Verifier(subject_of(policy), options)
        except KitError as error:
            raise pytest.UsageError(str(error)) from error
        items += [LawItem.of(session, policy, law, verifier) for law in names]


class LawItem(pytest.Item):
    """A law of a policy, as a test."""

    law: str
    verifier: Any

    @classmethod
    def of(cls, session: pytest.Session, policy: str, law: str, verifier: Any) -> Any:
        """Make one."""
        made: Any = cls.from_parent(session, name=f"{policy}::{law}")  # pyright: ignore[reportUnknownMemberType]
        made.law, made.verifier = law, verifier
        return made

    def runtest(self) -> None:
        """Check the law on every part of the policy."""
        from .kit._tests import flaws
        from .kit.errors import Flawed

        if told := flaws(self.verifier, self.law):
            raise Flawed(told)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Tell the counterexample, and no trace through the kit."""
        from .kit.errors import Flawed

        return str(excinfo.value) if excinfo.errisinstance(Flawed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """Where it stands: nowhere in particular."""
        return "", None, self.name
