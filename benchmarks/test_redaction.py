"""What redaction costs, in MB/s on a text such as tools give back."""

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.cases import Case
from benchmarks.conftest import Measure
from seamlaw_host.bench import calling, paired

LINE = "2026-01-31 12:00:00 INFO worker-7 GET /api/v1/items/42?page=3 200 12 ms user=ann session=5f2d\n"
SECRET = "authorization: Bearer ghp_" + "a1B2" * 9 + "\n"
TEXTS = {"clean": LINE * 1_000, "with secrets": (LINE * 99 + SECRET) * 10}


@pytest.mark.parametrize("kind", TEXTS)
def test_redaction(measure: Measure, figure: Callable[..., None], kind: str) -> None:
    """About 100 kB, as text."""
    from seamlaw_host.ledger._redaction import default_redactor

    redactor: Any = default_redactor()
    text = TEXTS[kind]
    case = Case(
        f"redaction/{kind}", calling(redactor.text, text), calling(text.replace, "\n", "\r\n"), "a replace() over it"
    )
    measure(case)
    took = paired(case.work, case.floor, pairs=9)
    figure(f"redaction/{kind}", len(text) / took.least_ns * 1_000, "MB/s")
