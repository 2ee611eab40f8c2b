"""The plots of a recorded run, as SVG: written by hand, so that the same run gives the same bytes on every machine.

    python -m benchmarks.plots

writes them anew from benchmarks/results.json.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from pathlib import Path

from attrs import frozen

from benchmarks.results import Run, nanoseconds, read

__all__ = ["PLOTS", "drawn", "main", "write"]

FOLDER = Path(__file__).parents[1] / "docs/plots"
WIDTH, HEIGHT = 860, 470
LEFT, RIGHT, TOP, BOTTOM = 64, 276, 52, 52  # margins; on the right the lines are named
GAP = 15  # between two names
OURS, THEIRS, FLOOR = "#b3261e", "#4a5568", "#1a6b3c"
PARTS = ("#1a6b3c", "#b3261e", "#d98324", "#3a6ea5", "#7a5195", "#8a8a8a")
Point = tuple[float, float]


@frozen
class Line:
    """A named line through points, x and y above zero."""

    name: str
    points: tuple[Point, ...]
    colour: str = THEIRS
    dashed: bool = False


# What is drawn


def by_number_of_checks(run: Run) -> str:
    """What deciding one call takes, by how many checks are asked: ours, and what people would use instead."""
    lines: list[Line] = []
    for name, about in run["peers"].items():
        points = _points(run, f"peer/{name}/", (1, 4, 16, 64))
        if not points or name in ("seamlaw plan, from arguments", "seamlaw decide_async", "seamlaw plan, async"):
            continue
        bare = not about["package"]
        colour = FLOOR if bare else OURS if about["package"] == "seamlaw" else THEIRS
        if name != "seamlaw Engine.acall":
            records = ", recorded" if about["records"] and "recorded" not in name else ""
            lines.append(Line(name + records, points, colour, dashed=about["is_async"]))
    return _chart("Deciding one call, by the number of checks (dashed: async)", "checks", "µs of processor time", lines)


def by_number_of_rules(run: Run) -> str:
    """What a lookup takes, by how many rules there are."""
    named = {
        "scan": "a scan with fnmatch",
        "glob miss": "plan, a new name, globs too",
        "exact miss": "plan, a new name, exact names",
        "memoised": "plan, a known name",
    }
    numbers = (10, 100, 1_000, 10_000)
    lines = [
        Line(told, _points(run, f"rules/{kind}/", numbers), THEIRS if kind == "scan" else OURS)
        for kind, told in named.items()
    ]
    return _chart("Finding who is asked about one call, by the number of rules", "rules", "µs of processor time", lines)


def where_the_time_goes(run: Run) -> str:
    """What a governed call is made of."""
    return _bar("Where the time of a governed call goes", parts_of(run))


def parts_of(run: Run) -> dict[str, float]:
    """The parts of a governed call, in microseconds."""
    keys = [key for key in run["results"] if key.startswith("governed/")]
    took = {key.partition("/")[2]: nanoseconds(run, key) / 1e3 for key in keys}
    decided = max(0.0, took["plan"] - took["interceptors"])
    parts = {"the interceptors": took["interceptors"], "the kernel": decided, "freezing the values": took["values"]}
    parts["the engine"] = max(0.0, took["Engine.call"] - sum(parts.values()))
    if "Engine.call, recorded" in took:
        parts["recording and redaction"] = max(0.0, took["Engine.call, recorded"] - took["Engine.call"])
    return parts


PLOTS = {
    "checks.svg": by_number_of_checks,
    "rules.svg": by_number_of_rules,
    "governed_call.svg": where_the_time_goes,
}


def _points(run: Run, prefix: str, numbers: Iterable[int]) -> tuple[Point, ...]:
    keys = {number: f"{prefix}{number}" for number in numbers}
    return tuple((n, nanoseconds(run, key) / 1e3) for n, key in keys.items() if key in run["results"])


# How it is drawn


def _chart(title: str, across: str, up: str, lines: Sequence[Line]) -> str:
    """Lines over two logarithmic axes."""
    xs = sorted({x for line in lines for x, _ in line.points})
    ys = [y for line in lines for _, y in line.points]
    low, high = floor(log10(min(ys))), ceil(log10(max(ys)))

    def x_of(x: float) -> float:
        return LEFT + (log10(x) - log10(xs[0])) / (log10(xs[-1]) - log10(xs[0])) * (WIDTH - LEFT - RIGHT)

    def y_of(y: float) -> float:
        return HEIGHT - BOTTOM - (log10(y) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    drawn: list[str] = []
    for power in range(low, high + 1):
        y = y_of(10.0**power)
        drawn.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#e2e2e2"/>')
        drawn.append(_text(LEFT - 8, y + 4, f"{10.0**power:,.6g}", anchor="end"))
    for x in xs:
        drawn.append(
            f'<line x1="{x_of(x):.1f}" y1="{TOP}" x2="{x_of(x):.1f}" y2="{HEIGHT - BOTTOM}" stroke="#f0f0f0"/>'
        )
        drawn.append(_text(x_of(x), HEIGHT - BOTTOM + 18, f"{x:,.0f}", anchor="middle"))
    drawn.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, across, anchor="middle"))
    drawn.append(_text(LEFT, TOP - 10, up, size=11, colour="#666"))
    ends = [y_of(line.points[-1][1]) for line in lines]
    for line, end, at in zip(lines, ends, _apart(ends), strict=True):
        path = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in line.points)
        style = f'stroke="{line.colour}" stroke-width="{1.4 if line.colour == THEIRS else 2.4}"'
        drawn.append(f'<polyline points="{path}" fill="none" {style}{_dash(line)}/>')
        drawn.extend(
            f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="2.4" fill="{line.colour}"/>' for x, y in line.points
        )
        right = x_of(line.points[-1][0])
        edge = WIDTH - RIGHT
        drawn.append(
            f'<polyline points="{right + 3:.1f},{end:.1f} {edge + 12},{at:.1f} {edge + 18},{at:.1f}" fill="none" '
            f'stroke="{line.colour}" stroke-width="0.7"/>'
        )
        told = f"{line.name}: {_microseconds(line.points[-1][1])}"
        drawn.append(_text(edge + 22, at + 4, told, size=11.5, colour=line.colour, bold=line.colour != THEIRS))
    return _page(title, drawn, HEIGHT)


def _dash(line: Line) -> str:
    return ' stroke-dasharray="5 3"' if line.dashed else ""


def _apart(wanted: Sequence[float]) -> list[float]:
    """Places for names, near to where they are wanted, and none over another."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    places = list(wanted)
    for before, after in pairwise(order):
        places[after] = max(places[after], places[before] + GAP)
    lowest: float = HEIGHT - BOTTOM + 8
    for after in reversed(order):  # what was pushed out at the bottom goes up again
        places[after] = min(places[after], lowest)
        lowest = places[after] - GAP
    return places


def _bar(title: str, parts: Mapping[str, float]) -> str:
    """One bar of parts, and under it what each is."""
    whole, left, right = sum(parts.values()), 24, WIDTH - 24
    drawn, x = list[str](), float(left)
    for number, (name, took) in enumerate(parts.items()):
        wide = took / whole * (right - left)
        drawn.append(f'<rect x="{x:.1f}" y="48" width="{wide:.1f}" height="44" fill="{PARTS[number]}"/>')
        if wide > 46:
            drawn.append(_text(x + wide / 2, 75, f"{took / whole:.0%}", anchor="middle", colour="#fff", bold=True))
        y = 122 + 22 * number
        drawn.append(f'<rect x="{left}" y="{y - 11}" width="13" height="13" fill="{PARTS[number]}"/>')
        drawn.append(_text(left + 22, y, f"{name}: {_microseconds(took)} ({took / whole:.0%})"))
        x += wide
    y = 122 + 22 * len(parts)
    drawn.append(_text(left, y + 4, f"together {_microseconds(whole)} of processor time", colour="#666"))
    return _page(title, drawn, y + 22)


def _microseconds(took: float) -> str:
    return f"{took:.2f} µs" if took < 10 else f"{took:.0f} µs" if took < 1_000 else f"{took / 1_000:.1f} ms"


def _text(
    x: float, y: float, text: str, *, size: float = 12, anchor: str = "start", colour: str = "#222", bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{escape(text)}</text>"
    )


def _page(title: str, drawn: Iterable[str], height: float) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}" '
        f'font-family="Helvetica, Arial, sans-serif" role="img" aria-label="{escape(title)}">'
    )
    ground = f'<rect width="{WIDTH}" height="{height:g}" fill="#fff"/>'
    heading = _text(24 if height < HEIGHT else LEFT, 22, title, size=15, bold=True)
    return "\n".join([head, ground, heading, *drawn, "</svg>", ""])


def drawn(run: Run) -> dict[str, str]:
    """Draw all plots of a run."""
    return {name: draw(run) for name, draw in PLOTS.items()}


def write(run: Run) -> Iterator[Path]:
    """Write all plots of a run; gives their paths."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in drawn(run).items():
        (FOLDER / name).write_text(text, "utf-8")
        yield FOLDER / name


def main() -> None:
    """Draw the recorded run anew."""
    for path in write(read()):
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
