"""Who delegated to whom, and which agent used which tool: as DOT for Graphviz, and as Mermaid for Markdown."""

from collections.abc import Callable, Iterator

from attrs import frozen

from seamlaw_host.cli._screen import fitted

from ._summary import Counts, Summary
from ._words import plural

__all__ = ["Edge", "as_dot", "as_mermaid", "edges"]

NAME = 60
MOST_EDGES = 400


@frozen
class Edge:
    """An arrow: between two agents, or from an agent to a tool."""

    source: str
    target: str
    label: str
    to_tool: bool = False
    blocked: bool = False


def edges(summary: Summary) -> list[Edge]:
    """Give the arrows of a ledger, delegations first, the most used ones before the others."""
    delegated = [Edge(*pair, plural(count, "call")) for pair, count in summary.delegations.most_common(MOST_EDGES)]
    used = sorted(summary.uses.items(), key=lambda each: (-each[1].calls, each[0]))
    return delegated + [Edge(*pair, _label(counts), True, counts.block > 0) for pair, counts in used[:MOST_EDGES]]


def _label(counts: Counts) -> str:
    parts = [(counts.block, "blocked"), (counts.ask, "asked"), (counts.ungoverned, "ungoverned")]
    return ", ".join([plural(counts.calls, "call"), *(f"{number:,} {told}" for number, told in parts if number)])


def as_dot(summary: Summary) -> Iterator[str]:
    """Give the graph in Graphviz's language; names are quoted as it demands."""
    yield "digraph delegations {"
    yield '  rankdir=LR; node [fontname="sans-serif", fontsize=11]; edge [fontname="sans-serif", fontsize=9];'
    found = edges(summary)
    for name, (number, is_tool) in _nodes(found).items():
        shape = "box, style=rounded" if is_tool else "ellipse"
        yield f"  n{number} [label={_quoted(name[1])}, shape={shape}];"
    numbers = _nodes(found)
    for edge in found:
        colour = ', color="#c0392b"' if edge.blocked else ""
        ends = _ends(numbers, edge)
        yield f"  n{ends[0]} -> n{ends[1]} [label={_quoted(edge.label)}{colour}];"
    yield "}"


def as_mermaid(summary: Summary) -> Iterator[str]:
    """Give the graph in Mermaid's language; in names nothing is left that could end a label or be HTML."""
    yield "flowchart LR"
    found = edges(summary)
    numbers = _nodes(found)
    for name, (number, is_tool) in numbers.items():
        label = _coded(fitted(name[1], NAME))
        yield f'  n{number}["{label}"]' if is_tool else f'  n{number}(["{label}"])'
    for edge in found:
        first, second = _ends(numbers, edge)
        yield f'  n{first} {"-.->" if edge.blocked else "-->"}|"{_coded(edge.label)}"| n{second}'


def _nodes(found: list[Edge]) -> dict[tuple[bool, str], tuple[int, bool]]:
    """Number the nodes; an agent and a tool of one name are two."""
    made: dict[tuple[bool, str], tuple[int, bool]] = {}
    for edge in found:
        for is_tool, name in ((False, edge.source), (edge.to_tool, edge.target)):
            made.setdefault((is_tool, name), (len(made), is_tool))
    return made


def _ends(numbers: dict[tuple[bool, str], tuple[int, bool]], edge: Edge) -> tuple[int, int]:
    return numbers[False, edge.source][0], numbers[edge.to_tool, edge.target][0]


def _quoted(text: str) -> str:
    """Quote for DOT: a backslash would be one of its escapes, a quote would end the string."""
    return '"' + fitted(text, NAME).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _coded(text: str) -> str:
    """Write for Mermaid: all but letters, digits and some marks by their numbers."""
    plain: Callable[[str], bool] = lambda c: c.isalnum() or c in " .,:_/()-"  # noqa: E731
    return "".join(c if plain(c) else f"#{ord(c)};" for c in text)
