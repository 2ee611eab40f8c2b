"""The fixture that measures in pairs, on top of pytest-benchmark, which selects, repeats and writes the file."""

import importlib.metadata
import platform
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Protocol, cast

import pytest
from attrs import asdict
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.cases import Case
from benchmarks.peers import MODULES, Peer
from seamlaw_host.bench import Pairing, undisturbed

collect_ignore_glob = ["peers/*"]  # to look for doctests there would import libraries that need not be here
PAIRS = 41
ABSENT = pytest.StashKey[dict[str, str]]()
MEASURED = pytest.StashKey[dict[str, dict[str, object]]]()
FIGURES = pytest.StashKey[dict[str, dict[str, object]]]()
MEASURED_WITH = ("seamlaw", "attrs", "msgspec", "click", "rich", "pytest-benchmark")


class Measure(Protocol):
    """Measures a case."""

    def __call__(self, case: Case, *, pairs: int = PAIRS, sample_s: float = 0.002) -> None: ...


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let somebody look at the tables before the figures are good."""
    parser.addoption("--pairs", type=int, help="take no more pairs than so many")


@pytest.fixture
def measure(benchmark: BenchmarkFixture, request: pytest.FixtureRequest) -> Measure:
    """Measure a case: each round is a sample of the work, its setup a sample of the floor."""

    untyped = cast("Any", benchmark)
    most: int = request.config.getoption("pairs") or PAIRS
    repeat, noted = untyped.pedantic, untyped.extra_info

    def measured(case: Case, *, pairs: int = PAIRS, sample_s: float = 0.002) -> None:
        benchmark.group = case.key.partition("/")[0]
        if benchmark.disabled:
            repeat(case.work, args=(1,), setup=lambda: case.floor(1))
            return
        with undisturbed():
            pairing = Pairing(case.work, case.floor, sample_s)
            repeat(pairing.run, setup=pairing.before, rounds=min(pairs, most))
        noted.update(key=case.key, over=case.over, size=case.size, **asdict(pairing.cost()))

    return measured


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Record a figure that is no time."""

    def recorded(key: str, value: float, unit: str, **more: object) -> None:
        request.config.stash[FIGURES][key] = {"value": value, "unit": unit, **more}

    return recorded


@pytest.fixture
def absent(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Record that a peer could not be measured, and why."""

    def recorded(peer: str, why: str) -> None:
        request.config.stash[ABSENT][peer] = why

    return recorded


@pytest.fixture
def about(request: pytest.FixtureRequest) -> Callable[[Peer], None]:
    """Record what a peer is, beside its times."""

    def recorded(peer: Peer) -> None:
        told: dict[str, object] = {"is_async": peer.is_async, "records": peer.records, "does": peer.does}
        request.config.stash[MEASURED][peer.name] = told | {"package": peer.package}

    return recorded


def pytest_configure(config: pytest.Config) -> None:
    """Keep what the benchmarks say beside their times."""
    config.addinivalue_line("markers", "heavy: a peer that brings much along; `make bench` leaves it out")
    config.stash[ABSENT], config.stash[FIGURES], config.stash[MEASURED] = {}, {}, {}


def pytest_benchmark_generate_machine_info(config: pytest.Config) -> dict[str, Any]:
    """Describe the machine by its kind: no names, no paths."""
    return {
        "processor": _processor(),
        "cores": _cores(),
        "architecture": platform.machine(),
        "system": platform.system(),
    }


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def pytest_benchmark_update_json(config: pytest.Config, benchmarks: object, output_json: dict[str, Any]) -> None:
    """Write the versions, the absent peers and the other figures into the file."""
    output_json["versions"] = versions()
    output_json["absent"] = config.stash[ABSENT]
    output_json["figures"] = config.stash[FIGURES]
    output_json["peers"] = config.stash[MEASURED]


def versions() -> dict[str, str]:
    """What is measured, and with what."""
    found = {"Python": f"{platform.python_implementation()} {platform.python_version()}"}
    for name in (*MEASURED_WITH, *filter(None, MODULES.values())):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> Generator[None]:
    """Print the ratios, instead of what pytest-benchmark knows of the rounds."""
    yield
    session = getattr(config, "_benchmarksession", None)
    rows = [bench.extra_info for bench in getattr(session, "benchmarks", ()) if "key" in bench.extra_info]
    if not rows:
        return
    say = terminalreporter.write_line
    say("")
    say(f"{'what':<44}{'CPU µs':>12}{'wall µs':>12}{'ratio':>9}{'quartiles':>16}{'wall':>8}  over")
    for row in rows:
        quartiles = f"{row['low']:.2f} … {row['high']:.2f}"
        say(
            f"{row['key']:<44}{row['cpu_ns'] / 1000:>12,.3f}{row['wall_ns'] / 1000:>12,.3f}{row['ratio']:>9.2f}"
            f"{quartiles:>16}{row['wall_ratio']:>8.2f}  {row['over']}"
        )
    for key, found in config.stash[FIGURES].items():
        say(f"{key:<44}{found['value']:>12,.3f} {found['unit']}")
    for peer, why in config.stash[ABSENT].items():
        say(f"{peer:<44}not measured: {why}")
    machine = pytest_benchmark_generate_machine_info(config)
    say("")
    say(", ".join(f"{name} {value}" for name, value in machine.items()))
    say(", ".join(f"{name} {version}" for name, version in versions().items()))
