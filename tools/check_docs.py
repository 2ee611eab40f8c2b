"""Check the Markdown of this checkout: links, fenced data and code, and the parts made from the code.

A generated part stands between `<!-- made by: NAME -->` and `<!-- end -->`. Its text comes from `GENERATORS`, a mapping
of names to functions that take nothing and give Markdown, in `seamlaw_spec.docs` and, for what was measured, in
`benchmarks.tables` and `tests.packs.tables`; `--write` puts it in. The examples that begin with `>>>` are run by the
tests.
"""

import ast
import importlib
import importlib.util
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_OURS = frozenset({"node_modules", "build", "dist"})

FENCE = re.compile(r"(?ms)^(?P<mark>`{3,})(?P<language>\w*)[^\n]*\n(?P<body>.*?)^(?P=mark) *$")
LINK = re.compile(r"\[[^\]\[]*\]\((?P<target>[^)\s]+)[^)]*\)")
HEADING = re.compile(r"(?m)^#+ +(?P<title>.+?) *#*$")
MADE = re.compile(r"(?s)(?P<start><!-- made by: (?P<name>[\w.-]+) -->\n).*?(?P<end><!-- end -->)")

READERS: Mapping[str, Callable[[str], object]] = {
    "toml": tomllib.loads,
    "json": json.loads,
    "python": ast.parse,
}
Generators = Mapping[str, Callable[[], str]]


def pages(root: Path) -> list[Path]:
    """Find the Markdown files that are written here: not those of an environment or of a build."""
    return [page for page in sorted(root.rglob("*.md")) if not _is_foreign(page.relative_to(root))]


def _is_foreign(page: Path) -> bool:
    return any(part in NOT_OURS or part.startswith(".") for part in page.parts)


def generators() -> Generators:
    """Give the functions that make parts of the docs; none where there is no such module."""
    found: dict[str, Callable[[], str]] = {}
    for package, module in (("seamlaw_spec", "docs"), ("benchmarks", "tables"), ("tests", "packs.tables")):
        if (
            importlib.util.find_spec(package) is not None
            and importlib.util.find_spec(f"{package}.{module}") is not None
        ):
            found |= importlib.import_module(f"{package}.{module}").GENERATORS
    return found


def problems(page: Path, made_by: Generators) -> Iterator[str]:
    """Say what is wrong with one page."""
    text = page.read_text("utf-8")
    yield from _dead_links(page, FENCE.sub("", text))
    yield from _bad_fences(text)
    for anchor in repeated(text):
        yield f"two headings have the anchor #{anchor}"
    try:
        if regenerated(text, made_by) != text:
            yield "a generated part is out of date: run `make docs`"
    except KeyError as unknown:
        yield f"nothing makes the part {unknown}; known: {', '.join(sorted(made_by)) or 'none'}"


def _dead_links(page: Path, prose: str) -> Iterator[str]:
    for link in LINK.finditer(prose):
        target, _, anchor = link["target"].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = page.parent / target if target else page
        if not file.exists():
            yield f"the link to {link['target']} leads nowhere"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8")):
            yield f"the link to {link['target']} names no heading there"


def anchors(text: str) -> list[str]:
    """Give the anchors that the headings of a page get when it is shown."""
    return [
        re.sub(r"[^\w\- ]", "", heading["title"].lower()).replace(" ", "-")
        for heading in HEADING.finditer(FENCE.sub("", text))
    ]


def repeated(text: str) -> list[str]:
    """Give the anchors of several headings: a link leads to the first alone, and a part may stand there twice."""
    return sorted(anchor for anchor, times in Counter(anchors(text)).items() if times > 1)


def _bad_fences(text: str) -> Iterator[str]:
    for fence in FENCE.finditer(text):
        read = READERS.get(fence["language"])
        if read is None or ">>>" in fence["body"]:
            continue
        try:
            read(fence["body"])
        except (ValueError, SyntaxError) as error:
            line = text.count("\n", 0, fence.start()) + 1
            yield f"the {fence['language']} at line {line} does not parse: {error}"


def regenerated(text: str, made_by: Generators) -> str:
    """Give the page with every generated part made anew; an unknown name raises `KeyError`."""
    return MADE.sub(lambda part: f"{part['start']}{made_by[part['name']]().strip()}\n{part['end']}", text)


def main() -> int:
    """Check all pages, after writing their generated parts if `--write` is given."""
    sys.path.insert(0, str(ROOT))  # benchmarks/ is no package that is installed
    made_by = generators()
    found = 0
    for page in pages(ROOT):
        if "--write" in sys.argv[1:]:
            page.write_text(regenerated(page.read_text("utf-8"), made_by), "utf-8")
        for problem in problems(page, made_by):
            print(f"{page.relative_to(ROOT)}: {problem}", file=sys.stderr)
            found += 1
    print(f"{len(pages(ROOT))} pages, {found} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
