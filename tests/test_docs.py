"""The examples in README.md and docs/ are run, page by page, as a reader would type them."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PYTHON = re.compile(r"^```python\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)


def session(page: str) -> str:
    """Blank out everything but the Python blocks that hold a prompt, so that line numbers stay."""
    kept: list[str] = []
    end = 0
    for block in PYTHON.finditer(page):
        kept.append("\n" * page.count("\n", end, block.start("body")))
        kept.append(block["body"] if ">>>" in block["body"] else "\n" * block["body"].count("\n"))
        end = block.end("body")
    return "".join(kept)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_example_on_a_page_answers_as_it_is_printed(page: Path) -> None:
    """What a page shows after `>>>` is what Python answers; the examples of one page build on each other."""
    typed = session(page.read_text("utf-8"))
    examples = doctest.DocTestParser().get_doctest(typed, {}, page.name, str(page), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=report.append)
    assert result.failed == 0, "".join(report)


def test_a_closing_fence_is_no_part_of_the_answer_and_lines_keep_their_numbers() -> None:
    """An example may be the last thing in its block; what is no Python session is left out."""
    page = "Text >>> 1\n```python\nx = 2\n```\n```bash\n>>> no\n```\n```python\n>>> 1 + 1\n2\n```\nEnd\n"
    (example,) = doctest.DocTestParser().get_examples(session(page))
    assert (example.source, example.want, example.lineno) == ("1 + 1\n", "2\n", 8)


def test_a_wrong_example_is_found() -> None:
    """A page that promises what Python does not answer fails."""
    page = "```python\n>>> 1 + 1\n3\n```\n"
    examples = doctest.DocTestParser().get_doctest(session(page), {}, "page", None, 0)
    assert doctest.DocTestRunner().run(examples, out=lambda _: None).failed == 1
