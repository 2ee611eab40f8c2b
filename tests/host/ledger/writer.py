"""A process that appends to a ledger until it is killed, and tells on standard output what has returned."""

import os
import sys
from itertools import count
from typing import Any

from tests.host.ledger.made import happened

from seamlaw_host.ledger import NO_REDACTION, JsonlSink, Ledger


def main(path: str, durability: Any, start: int) -> None:
    """Append; each line that is written is the number of an append that has returned."""
    sink = JsonlSink(path, checkpoint_every=7, rotate_bytes=60_000)
    made = Ledger([sink], redactor=NO_REDACTION, durability=durability, batch=5, interval_s=0.002)
    for number in count(start):
        made.append(happened(number))
        os.write(1, b"%d\n" % number)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
