"""A process that races for a budget and a window in Redis: racer.py URL NAMESPACE."""

import sys
from contextlib import closing

from seamlaw_host.state import RedisState

if __name__ == "__main__":
    with closing(RedisState(sys.argv[1], namespace=sys.argv[2], timeout_s=20)) as state:
        state.attempts(("warm",))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        spent = admitted = 0
        for _ in range(500):
            held = state.reserve(("money",), 1, 500)
            if held is not None:
                state.settle(held)
                spent += 1
            admitted += state.admit(("calls",), 300, 3_600) is None
        sys.stdout.write(f"{spent} {admitted}\n")
