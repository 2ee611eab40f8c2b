"""`seamlaw bench`: what a policy costs on this machine."""

import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seamlaw import Seam, digest
from seamlaw_host.sessions import Malformed, Recorded, read_session

from ._options import as_json, aside, load
from ._records import json_line
from ._screen import Screen, printable

if TYPE_CHECKING:
    from seamlaw_host.bench import Given, PartCost, Regression, Report, SeamCost

__all__ = ["command"]

REGRESSED = 1
ATTEMPTS = 3  # a figure that seems slower is measured again: what disturbs a measurement only adds to it
EPILOG = """\b
Examples:
  seamlaw bench policy.toml
  seamlaw bench policies.py:bundle --session session.jsonl --json > old.json
  seamlaw bench policies.py:bundle --session session.jsonl --compare old.json --tolerance 0.25

\b
Exit codes:
  0  measured; with --compare: nothing costs more than before
  1  with --compare: something costs more than before, by more than the tolerance
  2  usage: a bad option or policy, no such file, no call in the session, nothing to measure
"""


@click.command(name="bench", epilog=EPILOG)
@click.argument("targets", metavar="POLICY...", nargs=-1, required=True)
@click.option(
    "--session",
    "session_file",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Measure on the calls and results of this session; without it values are made up, for the tools that the "
    "policy names.",
)
@click.option("--shape", metavar="NAME", help="The shape of the session; it is recognised unless named.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    help="About how long to measure.",
)
@click.option(
    "--compare",
    "old_file",
    type=click.Path(exists=True, dir_okay=False),
    metavar="OLD.json",
    help="Compare with what --json wrote before, and exit 1 if anything costs more.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(0),
    default=0.25,
    show_default=True,
    help="How much more is let pass: 0.25 is a quarter.",
)
@as_json
def command(
    targets: tuple[str, ...],
    session_file: str | None,
    shape: str | None,
    seconds: float,
    old_file: str | None,
    tolerance: float,
    as_json: bool,
) -> None:
    """Measure what a policy costs on this machine.

    Tells for each seam what one decision takes, beside a bare loop over the same interceptors, and for each
    interceptor what it takes when it is asked, and its share of the whole. POLICY is a file of rules, or module:name or
    file.py:name; several are merged in order.

    The interceptors are asked thousands of times over. No call is run, and no handler: but what an interceptor does
    itself, to a file or a service, it does each time. Time is processor time, in pairs with a floor measured just
    before; compare the ratios, not the microseconds, with those of another machine.
    """
    from seamlaw_host.bench import as_data, better, compared, measure, samples

    bundle = load(targets)
    old = _old(old_file) if old_file else None
    given = samples(bundle) | (_session(session_file, shape) if session_file else {})
    with aside(), _progress() as tell:
        report = measure(bundle, given, seconds=seconds, tell=tell)
        slower = compared(old, report, tolerance) if old else []
        for _ in range(ATTEMPTS - 1):
            if slower:
                report = better(report, measure(bundle, given, seconds=seconds, tell=tell))
                slower = compared(old or {}, report, tolerance)
    if not report.seams:
        raise click.UsageError(_nothing_measured(report))
    measured_on = "session" if session_file else "made-up values"
    data = {
        "policy": list(targets),
        "measured_on": measured_on,
        "values_digest": _digest(given),
        **as_data(report),
        "versions": {"python": platform.python_version(), "seamlaw": version("seamlaw")},
    }
    screen = Screen.of_stdout()
    if as_json:
        screen.say(json_line("bench", data))
    else:
        _tell(screen, report, measured_on)
    if old is not None:
        for line in _differences(old, data, slower, tolerance):
            click.echo(f"seamlaw: {printable(line)}", err=True)
    raise click.exceptions.Exit(REGRESSED if slower else 0)


def _old(path: str) -> dict[str, Any]:
    from seamlaw_host.bench import Unreadable, read

    try:
        return read(Path(path).read_text("utf-8"))
    except (Unreadable, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path}: is not what seamlaw bench --json wrote") from error


def _session(path: str, shape: str | None) -> "dict[Seam[Any], list[Given]]":
    from seamlaw_host.bench import of_session

    recorded: list[Recorded] = []
    for event in read_session(path, shape=shape).events:
        if isinstance(event, Malformed):
            click.echo(f"seamlaw: left out, {printable(event.place)}: {printable(event.problem)}", err=True)
        else:
            recorded.append(event)
    if not recorded:
        raise click.UsageError(f"{path}: there is no call in it that could be read")
    return of_session(recorded)


def _digest(given: "Mapping[Seam[Any], Sequence[Given]]") -> str:
    """What tells whether two measurements were made on the same values."""
    return digest({seam.name: [digest(one.value) for one in listed] for seam, listed in given.items()})


def _nothing_measured(report: "Report") -> str:
    if report.unmeasured:
        return f"No value is known for {', '.join(report.unmeasured)}, so nothing was measured"
    return "Nobody listens at any seam, so nothing costs anything"


def _differences(
    old: Mapping[str, Any], new: Mapping[str, Any], slower: "list[Regression]", tolerance: float
) -> Iterator[str]:
    if old.get("values_digest") != new["values_digest"]:
        yield "the earlier figures were measured on other values; a difference may come from that (see --session)"
    if old.get("versions") != new["versions"]:
        yield "the earlier figures were measured with another Python or another Seamlaw"
    gone = _names(old) - _names(new)
    if gone:
        yield f"no longer there: {', '.join(sorted(gone))}"
    for found in slower:
        what = f"{found.seam}, {found.interceptor}" if found.interceptor is not None else f"{found.seam} as a whole"
        yield (
            f"slower: {what}: {found.before:.1f} empty calls before, {found.now:.1f} now "
            f"({found.now / found.before - 1:+.0%}; {tolerance:.0%} is let pass)"
        )
    if not slower:
        yield f"nothing costs more than before by more than {tolerance:.0%}"


def _names(data: Mapping[str, Any]) -> set[str]:
    return {f"{seam['seam']}, {part['interceptor']}" for seam in data["seams"] for part in seam["interceptors"]}


def _tell(screen: Screen, report: "Report", measured_on: str) -> None:
    """Write a table for each seam."""
    from rich.console import Console
    from rich.text import Text

    written = StringIO()  # rich would end the process where the reader of standard output has left
    console = Console(
        file=written, width=screen.width, no_color=not screen.colour, force_terminal=screen.colour, highlight=False
    )
    for seam in report.seams:
        console.print(_headline(seam, measured_on))
        console.print(_table(seam))
        for line in _remarks(seam):
            console.print(Text(f"  {printable(line)}", style="yellow"))
        console.print()
    if report.unmeasured:
        console.print(Text(f"Not measured, for no value is known: {printable(', '.join(report.unmeasured))}"))
    console.print(
        "An empty call is a call of a function that does nothing. Times are processor time; of what waits, wall time."
    )
    for line in written.getvalue().splitlines():
        screen.say(line.rstrip())


def _headline(seam: "SeamCost", measured_on: str) -> Any:
    from rich.text import Text

    values = "1 value" if seam.values == 1 else f"{seam.values} values"
    origin = "" if measured_on == "session" else ", made up"
    told = f"{_time(seam.time_ns)} a decision, {seam.ratio:.2f} times a bare loop, {seam.calls:,.1f} empty calls"
    return Text.assemble((seam.seam, "bold"), f"  {told}  ({values}{origin})")


def _table(seam: "SeamCost") -> Any:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, pad_edge=False)
    table.add_column("interceptor", overflow="fold")
    table.add_column("kind")
    for name in ("asked", "when asked", "empty calls", "share"):
        table.add_column(name, justify="right", no_wrap=True)
    for part in seam.parts:
        table.add_row(*_row(part, seam.values))
    table.add_row("(the kernel)", "", "", "", "", f"{seam.kernel:.0%}", style="dim")
    return table


def _row(part: "PartCost", values: int) -> tuple[str | Any, ...]:
    from rich.text import Text

    name = Text(printable(part.name))
    took = _time(part.time_ns) + (" (waits)" if part.waits else "")
    return name, part.kind, f"{part.asked}/{values}", took, f"{part.calls:,.1f}", f"{part.share:.0%}"


def _time(nanoseconds: float) -> str:
    if nanoseconds < 1e3:
        return f"{nanoseconds:.0f} ns"
    return f"{nanoseconds / 1e3:.1f} µs" if nanoseconds < 1e6 else f"{nanoseconds / 1e6:.1f} ms"


def _remarks(seam: "SeamCost") -> Iterator[str]:
    for name, count in seam.faulted.items():
        told = f"{name} failed on {count} of {seam.values} values, so its figure is that of failing"
        yield f"{told}; measure on a session (--session FILE) that has what it expects"
    if seam.unsteady:
        yield "somebody answered otherwise when it was asked again, so the figures mix both"


def _progress() -> Any:
    from ._verify_policy import progress

    return progress()
