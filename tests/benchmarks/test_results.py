"""What is kept of a run, and what is made of it: nothing about a machine that has a name, and nothing out of date."""

import json
from itertools import pairwise
from pkgutil import iter_modules
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import seamlaw_packs
from benchmarks import plots, record, results, tables
from benchmarks.packs import PACKS, Decided, case
from seamlaw import Interceptors, block, gate
from seamlaw_host.state import Budget, RateLimit, TokenBudget, TokenLimit

RUN = results.read()
POSITIVE = st.floats(0.01, 1e6)


def raw(**more: Any) -> dict[str, Any]:
    """What pytest-benchmark writes, with all that must not be kept."""
    return {
        "datetime": "2026-01-31T12:00:00+00:00",
        "commit_info": {"author": "secret", "branch": "secret"},
        "machine_info": {
            "node": "secret",
            "processor": "A Processor",
            "cores": 2,
            "architecture": "x86_64",
            "system": "Linux",
        },
        "versions": {"Python": "CPython 3.11.7"},
        "absent": {},
        "peers": {},
        "figures": {"f": {"value": 1234.5678, "unit": "bytes"}},
        "benchmarks": [
            {"fullname": "secret", "extra_info": {"key": "a/1", "ratio": 1.23456, "over": "a loop"}},
            {"fullname": "secret", "extra_info": {}},
        ],
        **more,
    }


def test_nothing_is_kept_that_names_a_machine_a_folder_or_a_person() -> None:
    """Only what is listed is kept, and as few digits as say something."""
    kept = record.recorded(raw())
    assert "secret" not in json.dumps(kept)
    assert kept["date"] == "2026-01-31"
    assert kept["machine"] == {"processor": "A Processor", "cores": 2, "architecture": "x86_64", "system": "Linux"}
    assert kept["results"] == {"a/1": {"ratio": 1.235, "over": "a loop"}}
    assert kept["figures"] == {"f": {"value": 1235.0, "unit": "bytes"}}


def test_a_part_that_is_measured_alone_is_added_to_what_is_recorded() -> None:
    """Rows that are there are measured anew, the others stay."""
    before = record.recorded(raw())
    bench = {"extra_info": {"key": "a/2", "ratio": 2.0}}
    now = record.recorded(raw(benchmarks=[bench, {"extra_info": {"key": "a/1", "ratio": 3.0}}], figures={}))
    both = record.added(before, now)
    assert both["results"] == {"a/1": {"ratio": 3.0}, "a/2": {"ratio": 2.0}}
    assert {name: both[name] for name in both if name != "results"} == {
        name: before[name] for name in before if name != "results"
    }


@pytest.mark.parametrize(
    "other",
    [
        {"datetime": "2026-02-01T12:00:00+00:00"},
        {"versions": {"Python": "CPython 3.12.1"}},
        {"versions": {"Python": "CPython 3.11.7", "attrs": "1"}},
        {"machine_info": {**raw()["machine_info"], "cores": 4}},
    ],
)
def test_what_was_measured_under_other_conditions_is_not_added(other: dict[str, Any]) -> None:
    """On another day or machine, or with another Python: then all is measured anew."""
    with pytest.raises(ValueError, match="measured under other conditions"):
        record.added(record.recorded(raw()), record.recorded(raw(**other)))


def test_every_pack_is_measured() -> None:
    """A new one needs a function in benchmarks/packs.py, and `make bench-packs`."""
    modules = {found.name for found in iter_modules(seamlaw_packs.__path__) if not found.name.startswith("_")}
    counting = {pack.name for pack in (RateLimit, Budget, TokenBudget, TokenLimit)}
    assert (modules | counting) - {"errors", "redaction", "starters"} <= PACKS.keys()
    recorded = {key.removeprefix("pack/") for key in RUN["results"] if key.startswith("pack/")}
    assert recorded == PACKS.keys()


def test_a_pack_that_stops_what_is_typical_of_it_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block costs something else."""
    stops = Interceptors(tool_call=[gate(lambda call: block("no"), name="stops")])
    monkeypatch.setitem(PACKS, "stops", lambda: Decided(stops))
    with pytest.raises(AssertionError, match="stops stops what it should let through: no"):
        case("stops")


def test_the_recorded_run_holds_no_path() -> None:
    """Not in what is committed either."""
    text = results.RESULTS.read_text("utf-8")
    assert [word for word in ("/home", "/root", "/work", "/tmp", "/usr", "http") if word in text] == []


@pytest.mark.parametrize("name", plots.PLOTS)
def test_the_plots_are_those_of_the_recorded_run(name: str) -> None:
    """Each is drawn anew, byte for byte, and is an SVG that can be parsed."""
    committed = (plots.FOLDER / name).read_text("utf-8")
    assert committed == plots.drawn(RUN)[name], "run: python -m benchmarks.plots"
    assert ElementTree.fromstring(committed).tag == "{http://www.w3.org/2000/svg}svg"


@given(st.lists(st.floats(plots.TOP, plots.HEIGHT - plots.BOTTOM), min_size=1, max_size=20))
def test_no_name_stands_over_another(wanted: list[float]) -> None:
    """Names are a line apart, in the order of what they name, and above the foot of the plot."""
    places = plots._apart(wanted)
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], places[at]))
    gaps = [places[after] - places[before] for before, after in pairwise(order)]
    assert all(gap >= plots.GAP - 1e-6 for gap in gaps)
    assert max(places) <= plots.HEIGHT - plots.BOTTOM + 8 + 1e-6


@given(st.floats(-2, 3), POSITIVE, st.lists(st.integers(1, 10**6), min_size=2, max_size=6, unique=True))
def test_growth_is_the_power(power: float, factor: float, sizes: list[int]) -> None:
    """What grows with a power of size is told by that power."""
    assume(max(sizes) > 2 * min(sizes))
    assert abs(tables.growth([(size, factor * size**power) for size in sizes]) - power) < 1e-6


@given(st.floats(1, 1e12))
def test_a_time_is_told_with_three_digits_in_a_unit_that_suits_it(nanoseconds: float) -> None:
    """Read back, it is the same within half a per cent."""
    told, unit = tables.took(nanoseconds).split()
    read = float(told.replace(",", "")) * {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
    assert abs(read - nanoseconds) <= 0.006 * nanoseconds


def test_every_target_that_is_not_reached_says_why() -> None:
    """And no reason is given for what is no target."""
    reached = {target.name: target.reached for target in tables.targets()}
    assert {name for name, held in reached.items() if held is False} <= set(tables.NOT_REACHED) <= set(reached)


def test_every_peer_of_the_run_has_its_version_in_it_or_is_told_to_be_absent() -> None:
    """No figure of a library is shown without its version."""
    packages = {about["package"] for about in RUN["peers"].values() if about["package"]}
    assert packages <= RUN["versions"].keys()
    assert not packages & RUN["absent"].keys()
