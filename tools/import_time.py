"""Measure what `import seamlaw` costs beyond a bare interpreter, and refuse more than the limit.

The starts take turns; the least of each kind is taken, since whatever else the machine is doing only adds to
it. Byte code is read, as it is wherever a package is installed. Most of the cost is attrs', which is shown beside it.
"""

import os
import subprocess
import sys
import time

SAMPLES = 15
LIMIT_MS = 60.0
SLOW_MACHINE = 6.0  # A machine that needs long for a bare start may take so many of them.


KEEPING_BYTE_CODE = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _start_ms(code: str) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=KEEPING_BYTE_CODE)
    return (time.perf_counter() - begin) * 1000


def main() -> int:
    """Print the cost in milliseconds and as a ratio to the bare start."""
    kinds = ["pass", "import attrs", "import seamlaw"]
    _start_ms(kinds[-1])  # writes the byte code
    rounds = [[_start_ms(kind) for kind in kinds] for _ in range(SAMPLES)]
    bare, attrs, whole = map(min, zip(*rounds, strict=True))
    cost, part = whole - bare, attrs - bare
    print(f"import seamlaw: {cost:.0f} ms beyond a bare start's {bare:.0f} ms, {part:.0f} of them for attrs")
    print(f"That is {whole / bare:.1f} times a bare start.")
    limit = max(LIMIT_MS, SLOW_MACHINE * bare)
    if cost > limit:
        print(f"It may cost {limit:.0f} ms.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
