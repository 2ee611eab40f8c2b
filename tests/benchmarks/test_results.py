"""What is kept of a run, and what is made of it: nothing about a machine that has a name, and nothing out of date."""

import json
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks import plots, record, results, tables

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
