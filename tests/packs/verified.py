"""The kit, on a pack."""

from typing import Any

from seamlaw_spec.kit import check

EXAMPLES = 40


def broken(policy: object, *, examples: int = EXAMPLES, **options: Any) -> list[str]:
    """Give what the kit finds: each law that is broken, with what it says, and the parts that never said anything."""
    report = check(policy, examples=examples, **options)
    found = [f"{one.part.label} breaks {one.law}: {one.remark}" for one in report.broken("law")]
    return found + [f"{part} never said anything" for part in report.silent]
