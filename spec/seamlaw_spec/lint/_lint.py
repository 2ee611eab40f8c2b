"""Look for mistakes in a policy, of all kinds."""

from collections.abc import Iterable

from seamlaw import Default, Rule
from seamlaw_spec.kit._subjects import subject_of

from ._bundle import about_bundle, about_policies, about_tools
from ._finding import Finding, Level
from ._rules import about_rules

__all__ = ["lint"]


def lint(
    policy: object, *, tools: Iterable[str] = (), examples: int = 100, timeout_ms: int = 5_000
) -> tuple[Finding, ...]:
    """Find what is likely a mistake in a policy, the worst first; `tools` are the names that there are, if known.

    Policies are taken as `check` takes them. Raises `NotAPolicy` and `MissingExtra`.
    """
    subject = subject_of(policy)
    bundle = subject.fresh()
    found = [*about_bundle(subject, examples), *about_policies(bundle)]
    known = list(tools)
    found += about_tools(bundle, known) if known else []
    rules = [rule for rule in bundle.rules if isinstance(rule, Rule | Default)]
    found += about_rules(rules, timeout_ms)
    return tuple(sorted(found, key=lambda finding: [*Level].index(finding.level)))
