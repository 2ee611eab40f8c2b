"""Measure what `import seamlaw` costs beyond a bare interpreter, and refuse more than the limit.

Bare and importing starts take turns; the least of each kind is taken, since whatever else the machine
is doing only adds to it.
"""

import subprocess
import sys
import time

SAMPLES = 15
LIMIT_MS = 60.0


def _start_ms(code: str) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (time.perf_counter() - begin) * 1000


def main() -> int:
    """Print the cost in milliseconds and as a ratio to the bare start."""
    _start_ms("import seamlaw")  # writes the byte code
    pairs = [(_start_ms("pass"), _start_ms("import seamlaw")) for _ in range(SAMPLES)]
    bare = min(bare for bare, _ in pairs)
    whole = min(whole for _, whole in pairs)
    cost = whole - bare
    print(
        f"import seamlaw: {cost:.0f} ms beyond a bare start of {bare:.0f} ms, {whole / bare:.1f} times that"
    )
    if cost > LIMIT_MS:
        print(f"That is more than {LIMIT_MS:.0f} ms.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
