"""Print what is proved, and what is no law: `python -m seamlaw_spec.proofs [LAW]`.

With `--pin`, write down the statements that the claims are for, once they were read beside them.
"""

import json
import sys
from collections.abc import Sequence
from time import perf_counter

from seamlaw_spec import LAWS

from ._nonlaws import NON_LAWS
from ._obligations import OBLIGATIONS
from ._prove import PINS, TRUSTED, hash_of, prove


def main(arguments: list[str]) -> int:
    """Print the table; the exit code is 1 if a law is not proved, or what is no law cannot be refuted."""
    if arguments == ["--pin"]:
        pins = {name: hash_of(LAWS[name]) for name in OBLIGATIONS}
        PINS.write_text(json.dumps(pins, indent=2) + "\n", "utf-8")
        return 0
    begun = perf_counter()
    proved = prove(arguments[0] if arguments else None)
    lines = [("law", "method", "claims", "z3", "cvc5", "seconds")]
    lines += [(p.law, p.method, str(len(p.claims)), str(p.z3), str(p.cvc5), f"{p.seconds:.2f}") for p in proved]
    refuted = [] if arguments else [(one.name, one.refuted(), one.replay()) for one in NON_LAWS.values()]
    _table(lines)
    for name, found, replayed in refuted:
        sys.stdout.write(
            f"no law: {name}: {'refuted' if found else 'NOT REFUTED'}, {'replayed' if replayed else 'NOT REPLAYED'}\n"
        )
    sys.stdout.write(f"trusted: {TRUSTED}\n{perf_counter() - begun:.1f} s\n")
    return 0 if all(one.holds for one in proved) and all(a and b for _, a, b in refuted) else 1


def _table(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        sys.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
