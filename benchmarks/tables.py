"""The tables of docs/performance.md and of the README, made from the recorded run; `make docs` writes them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cache
from math import log10
from typing import Any

from attrs import frozen

from benchmarks.results import Run, nanoseconds, read

__all__ = ["GENERATORS", "NOT_REACHED", "Target", "targets"]

Row = Mapping[str, Any]
OURS = "seamlaw"

# Why a target is not reached, by what the table calls it; without a word here the tests fail.
TWO_RECORDS = "two records are made of each call, and every text in them is searched ([profile](#where-the-time-goes))"
NOT_REACHED: Mapping[str, str] = {
    "1 that say nothing, beside a bare loop": "to look at the value's type and find the functions takes some 30 ns",
    "a host without a policy, beside an attribute check": "the same statement about another "
    "attribute, so this is noise of less than half a nanosecond; in a process of its own it is 1.00",
    "a governed call with record and redaction, N = 10: how often in the time of chokepoint": TWO_RECORDS,
    "a governed call with record and redaction, N = 10: how often in the time of agent-hooks-sdk": TWO_RECORDS,
    "redaction of 100 kB of a log, ten secrets in it": "a text in which something was found is searched once more",
}


@cache
def run() -> Run:
    """The recorded run."""
    return read()


def row(key: str) -> Row:
    """What was measured of one case; raises `KeyError`."""
    found: Row = run()["results"][key]
    return found


def time_of(key: str) -> float:
    """What one of it takes, in nanoseconds."""
    return nanoseconds(run(), key)


def table(head: Iterable[str], rows: Iterable[Iterable[str]], right: int = 0) -> str:
    """Write a table; the columns from `right` on are set to the right."""
    titles = list(head)
    under = ["---" if at < right or not right else "---:" for at in range(len(titles))]
    return "\n".join("| " + " | ".join(_escaped(cells)) + " |" for cells in (titles, under, *map(list, rows)))


def _escaped(cells: Iterable[str]) -> Iterator[str]:
    """A bar in a cell is escaped."""
    return (cell.replace("|", "\\|") for cell in cells)


def took(nanoseconds: float) -> str:
    """A time, in the unit that suits it."""
    for unit, size in (("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)):
        if nanoseconds < size * 999.5 or unit == "s":
            return f"{_three(nanoseconds / size)} {unit}"
    raise AssertionError


def _three(value: float) -> str:
    """Three significant digits."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


# The run


def machine() -> str:
    """When it was measured, on what and with what."""
    on, versions = run()["machine"], run()["versions"]
    told = f"{on['processor']}, {on['cores']} cores, {on['architecture']}, {on['system']}"
    listed = ", ".join(f"{name} {version}" for name, version in versions.items() if name != "Python")
    when = date.fromisoformat(run()["date"])
    lines = [f"Measured on {when.day} {when:%B %Y} with {versions['Python']} on {told}.", "", f"Versions: {listed}."]
    for name, why in run()["absent"].items():
        lines.append(f"- {name} is not in the tables: {why}")
    return "\n".join(lines)


# The targets


@frozen
class Target:
    """What was aimed at, and whether it is reached: `True`, `False`, or `None` where it is not measured."""

    name: str
    aim: str
    measured: str
    spread: str
    reached: bool | None
    remark: str = ""


def _ratio(name: str, key: str, aim: float) -> Target:
    """A ratio that is to be no larger; if it is, but its lower quartile is not, one cannot tell."""
    found = row(key)
    measured, low = round(found["ratio"], 2), round(found["low"], 2)
    remark = "" if measured <= aim else "as far as one can tell"
    return Target(name, f"{aim:.2f}", f"{measured:.2f}", f"{low:.2f} … {found['high']:.2f}", low <= aim, remark)


def targets() -> Iterator[Target]:
    """All targets."""
    yield _ratio("a host without a policy, beside an attribute check", "seam/none", 1.0)
    for count in (1, 4, 16, 64):
        yield _ratio(f"{count} that say nothing, beside a bare loop", f"chain/silent/{count}", 1.3)
    for count in (4, 16, 64):
        yield _ratio(f"{count} realistic ones, beside a bare loop", f"chain/realistic/{count}", 1.15)
    yield _ratio("10,000 rules beside 10, the tool known", "rules/memoised/10000", 1.1)
    yield _ratio("10,000 rules beside 10, the tool not known, exact names", "rules/exact miss/10000", 1.2)
    yield _ratio("a block by the first of 64, beside the only one", "block/first/64", 1.1)
    yield _at_most("a plan of 10,000 rules", time_of("plan/rules/10000"), 100e6)
    yield _ratio("freezing a frozen megabyte, beside a frozen empty list", "freeze again/1 MB", 1.1)
    for kind in ("freeze", "digest", "equality"):
        exponent = growth([(float(SIZES[size]), time_of(f"{kind}/{size}")) for size in SIZES])
        name = f"{kind} from 1 kB to 1 MB grows as size to the power of"
        yield Target(name, "1.00 ± 0.15", f"{exponent:.2f}", "", exponent <= 1.15)
    added = run()["figures"]["memory/10,000 names"]["value"]
    yield Target("memory for 10,000 more names of tools", "0 bytes", f"{max(0, added):,.0f} bytes", "", added <= 10_000)
    yield _governed("chokepoint", "seamlaw Engine.call, recorded")
    yield _governed("agent-hooks-sdk", "seamlaw Engine.acall, recorded")
    yield _redaction("clean", "no secret in it")
    yield _redaction("with secrets", "ten secrets in it")


def _at_most(name: str, nanoseconds: float, aim: float) -> Target:
    return Target(name, took(aim), took(nanoseconds), "", nanoseconds <= aim)


def _governed(peer: str, ours: str) -> Target:
    """A call that is decided by ten, run, redacted and recorded, beside the same by a peer: by ratios to one floor."""
    name = f"a governed call with record and redaction, N = 10: how often in the time of {peer}"
    times = row(f"peer/{peer}/10")["ratio"] / row(f"peer/{ours}/10")["ratio"]
    return Target(name, "10", f"{times:.2f}", "", times >= 10)


def _redaction(kind: str, told: str) -> Target:
    name, found = f"redaction of 100 kB of a log, {told}", run()["figures"][f"redaction/{kind}"]
    return Target(name, "150 MB/s", f"{found['value']:.0f} MB/s", "", found["value"] >= 150)


def target_table() -> str:
    """Every target, and whether it is reached."""
    rows = ((t.name, t.aim, t.measured, t.spread, _reached(t)) for t in targets())
    return table(("what", "aimed at", "measured", "quartiles", "reached"), rows)


def _reached(target: Target) -> str:
    if target.reached is None:
        return "not yet"
    if target.reached:
        return f"yes, {target.remark}" if target.remark else "yes"
    why = NOT_REACHED.get(target.name, "")
    return f"**no**: {why}" if why else "**no**"


# Peers


def _peers(*, is_async: bool) -> list[str]:
    """The peers of one way, the cheapest first."""
    named = [name for name, about in run()["peers"].items() if about["is_async"] is is_async]
    return sorted(named, key=lambda name: time_of(f"peer/{name}/16"))


def _peer_cells(name: str, counts: Iterable[int]) -> Iterator[str]:
    about = run()["peers"][name]
    yield f"**{name}**" if about["package"] == OURS else name
    yield from (took(time_of(f"peer/{name}/{count}")) for count in counts)


def peer_table() -> str:
    """What deciding one call takes, by the number of checks, and what is done."""
    counts = (1, 4, 16, 64)

    def part(is_async: bool) -> str:
        rows = (
            (*_peer_cells(name, counts), f"{row(f'peer/{name}/16')['ratio']:.1f}", run()["peers"][name]["does"])
            for name in _peers(is_async=is_async)
        )
        floor = "async loop" if is_async else "bare loop"
        head = (
            floor.split()[0] if is_async else "sync",
            *(f"N = {count}" for count in counts),
            f"ratio to {floor} at 16",
            "what it does",
        )
        return table(head, rows)

    return f"{part(False)}\n\n{part(True)}"


def short_table() -> str:
    """The same for the README: what deciding one call takes at 1, 16 and 64 checks."""
    counts = (1, 16, 64)
    left_out = ("seamlaw plan, from arguments", "seamlaw plan, async", "seamlaw decide_async")
    names = sorted(run()["peers"].keys() - {*left_out}, key=lambda name: time_of(f"peer/{name}/16"))
    rows = ((*_peer_cells(name, counts), _what(name)) for name in names)
    return table(("", *(f"N = {count}" for count in counts), ""), rows)


def _what(name: str) -> str:
    about = run()["peers"][name]
    return "; ".join([*(["async"] if about["is_async"] else []), about["does"]])


COMPARABLE = {  # what a peer is to be compared with, by whether it is async and whether it records
    (False, False): "seamlaw plan",
    (True, False): "seamlaw plan, async",
    (False, True): "seamlaw Engine.call, recorded",
    (True, True): "seamlaw Engine.acall, recorded",
}


def wins() -> str:
    """Where something else is cheaper than what it is to be compared with."""
    lines: list[str] = []
    for (is_async, records), ours in COMPARABLE.items():
        for name in _peers(is_async=is_async) if ours in run()["peers"] else ():
            about = run()["peers"][name]
            where = ", ".join(_cheaper(name, ours))
            if where and about["package"] != OURS and about["records"] is records:
                lines.append(f"- **{name}** is cheaper than {ours} at N = {where}.")
    return "\n".join(lines) or "Nowhere in this run."


def _cheaper(name: str, ours: str) -> Iterator[str]:
    for count in (1, 4, 16, 64):
        theirs, mine = (time_of(f"peer/{peer}/{count}") for peer in (name, ours))
        if theirs < mine:
            yield f"{count} ({took(theirs)} to {took(mine)})"


# The rest


def _cells(key: str, name: str | None = None) -> tuple[str, ...]:
    found = row(key)
    told = f"{found['ratio']:,.0f}" if found["ratio"] >= 100 else f"{found['ratio']:.2f}"
    return name or key.partition("/")[2], took(time_of(key)), told, found["over"]


def seam_table() -> str:
    """Answers, callables, blocks, gates, asks and policies."""
    groups = {
        "answer": "of four, the second answers ",
        "allow": "all answer `ALLOW`, ",
        "callable": "sixteen times ",
        "block": "a block by the ",
        "asks": "asks of gates: ",
        "policy": "requirements of a policy: ",
        "composed": "two policies, ",
        "condition": "a rule for this tool, condition: ",
        "rules/applying": "rules for this tool, `contains`: ",
    }
    keys = [(key, told) for group, told in groups.items() for key in run()["results"] if key.startswith(f"{group}/")]
    rows = (_cells(key, told + _rest(key)) for key, told in keys)
    return table(("what", "takes", "ratio", "to"), rows)


def _rest(key: str) -> str:
    rest = key.removeprefix("rules/applying/") if key.startswith("rules/applying/") else key.partition("/")[2]
    kind, _, count = rest.partition("/")
    return f"{kind} of {count}" if count else rest


SIZES = {"1 kB": 1_000, "10 kB": 10_000, "100 kB": 100_000, "1 MB": 1_000_000}


def value_table() -> str:
    """Freezing, digest and equality by size."""
    sizes = ("100 B", *SIZES)
    kinds = {
        "freeze": "freeze many small values",
        "freeze text": "freeze one text",
        "freeze again": "freeze what is frozen",
        "digest": "digest",
        "equality": "equality",
    }
    rows = (
        (
            told,
            *(took(time_of(f"{kind}/{size}")) for size in sizes),
            f"{row(f'{kind}/10 kB')['ratio']:.2f} {_over(kind)}",
        )
        for kind, told in kinds.items()
    )
    return table(("", *sizes, "at 10 kB, times"), rows)


def _over(kind: str) -> str:
    told: str = row(f"{kind}/10 kB")["over"]
    return told


def whole_table() -> str:
    """Turns, sessions and the command line."""
    figures = run()["figures"]
    rows = [
        _cells("turn/passes", "a turn at four seams, five interceptors, all let it through"),
        _cells("turn/replaces", "the same, and one sets a time-out"),
        _cells("governed/Engine.call", "a call through the engine, not recorded"),
        _cells("session/1000", "a session of 1,000 calls and results, decided"),
        _cells("replay/1000", "`seamlaw replay --json` of it"),
    ]
    told = ", ".join(f"{figures[f'replay/{count} calls']['value']:,.0f} at {count:,}" for count in (100, 1_000, 10_000))
    return f"{table(('what', 'takes', 'ratio', 'to'), rows)}\n\nCalls per second of `seamlaw replay`: {told} calls."


def pack_table() -> str:
    """What a decision takes with each pack, the cheapest first."""
    keys = sorted((key for key in run()["results"] if key.startswith("pack/")), key=time_of)
    rows = (_cells(key, f"`{key.partition('/')[2]}`") for key in keys)
    return table(("a decision with", "takes", "ratio", "to"), rows)


def growth(points: Iterable[tuple[float, float]]) -> float:
    """The power of size with which cost grows: the slope of a line through the logarithms."""
    logs = [(log10(x), log10(y)) for x, y in points]
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    slope: float = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    return slope


def growth_table() -> str:
    """How cost grows with work."""
    series = {
        "interceptors that say nothing": ("chain/silent", (64, 256, 1_024)),
        "rules, the tool known": ("rules/memoised", (100, 1_000, 10_000)),
        "rules, a new exact name": ("rules/exact miss", (100, 1_000, 10_000)),
        "rules, a new name, globs too": ("rules/glob miss", (100, 1_000, 10_000)),
        "rules, a scan with fnmatch": ("rules/scan", (100, 1_000, 10_000)),
        "rules read from data": ("parse", (100, 1_000, 10_000)),
        "rules made into a plan": ("plan/rules", (100, 1_000, 10_000)),
        "rules merged": ("merge", (100, 1_000, 10_000)),
        "calls of a session, decided": ("session", (100, 1_000, 10_000)),
        "calls of a session, replayed": ("replay", (100, 1_000, 10_000)),
    }
    rows = (
        (
            name,
            f"{counts[0]:,} … {counts[-1]:,}",
            took(time_of(f"{prefix}/{counts[0]}")),
            took(time_of(f"{prefix}/{counts[-1]}")),
            f"{growth([(count, time_of(f'{prefix}/{count}')) for count in counts]):.2f}",
        )
        for name, (prefix, counts) in series.items()
    )
    return table(("by the number of", "from … to", "takes", "… to", "power"), rows)


def memory_table() -> str:
    """What one more keeps in memory."""
    figures = run()["figures"]
    kinds = [key for key in figures if key.startswith("memory/") and "given" in figures[key]]
    rows = (
        (key.partition("/")[2], *(f"{figures[key][part]:,.0f}" for part in ("given", "bundle", "plan")))
        for key in kinds
    )
    return table(("bytes for each", "itself", "in the bundle", "in the plan"), rows)


GENERATORS: Mapping[str, Callable[[], str]] = {
    "performance-run": machine,
    "performance-targets": target_table,
    "performance-peers": peer_table,
    "performance-wins": wins,
    "performance-seams": seam_table,
    "performance-values": value_table,
    "performance-whole": whole_table,
    "performance-packs": pack_table,
    "performance-growth": growth_table,
    "performance-memory": memory_table,
    "performance-short": short_table,
}
