"""The test vectors: fresh, as their schema says, and what comes of them on the shipped kernel."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import jsonschema
import pytest

import seamlaw._asks as asks
import seamlaw._precedence as precedence
import seamlaw._seams as seams
import seamlaw._step as step
import seamlaw.policy._conditions as rule_conditions
import seamlaw.policy._policy as policy
import seamlaw.values._canonical as canonical
from seamlaw import Answered, Consultation, Fault, Level, Result, Severity, StandingAsk
from seamlaw_spec import verify
from seamlaw_spec.orphans import Shelf
from seamlaw_spec.report import as_data, failures, figures
from seamlaw_spec.vectors import DRIVERS, FOLDER, NAMES, SCHEMA, Document, read, run
from seamlaw_spec.vectors._files import as_text
from seamlaw_spec.vectors._make import documents

DRIVEN = ("seams", "chains", "rules")
LARGEST = 2_000_000  # bytes, of all files together
VALIDATOR: Any = jsonschema.Draft202012Validator(json.loads((FOLDER / "schema.json").read_text("utf-8")))
Plant = Callable[[pytest.MonkeyPatch], None]


def ran(name: str, document: Document | None = None) -> list[str]:
    """Run one file; the names of the drivers by which vectors were wrong."""
    _, wrong = run({name: document or read(name)})
    return sorted({one.driver for one in wrong})


@pytest.mark.parametrize("name", NAMES)
def test_the_files_are_what_the_model_makes_now(name: str) -> None:
    """The committed vectors are those made from the model; `python -m seamlaw_spec.vectors --write` does it."""
    assert (FOLDER / f"{name}.json").read_text("utf-8") == as_text(documents()[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_files_are_as_their_schema_says(name: str) -> None:
    """Every file is valid under `schema.json`, which itself is a schema."""
    VALIDATOR.check_schema(VALIDATOR.schema)
    VALIDATOR.validate(read(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_knows_every_field(name: str) -> None:
    """A vector with a field too many, or one too few, is not valid."""
    first = read(name)["vectors"][0]
    for spoiled in (
        first | {"odd": 1},
        {key: value for key, value in first.items() if key not in ("expect", "digest")},
    ):
        assert not VALIDATOR.is_valid({**read(name), "vectors": [spoiled]})


def test_there_are_no_other_files_and_all_are_small() -> None:
    """The folder holds the files that are named, and the schema; together they stay small."""
    assert sorted(file.stem for file in FOLDER.glob("*.json")) == sorted([*NAMES, "schema"])
    assert sum(file.stat().st_size for file in FOLDER.glob("*.json")) < LARGEST


def test_the_kernel_runs_them_all_by_every_driver() -> None:
    """What comes of each vector is what is expected: by `decide`, by `decide_async`, and by the plan."""
    count, wrong = run()
    assert wrong == []
    assert count == sum(len(read(name)["vectors"]) for name in NAMES)


def test_every_cell_of_the_seam_table_has_its_vector() -> None:
    """Each seam, with each kind of answer, in the chain and by a gate."""
    cells = {
        (vector["seam"], one["mode"], one["answers"][0]["do"])
        for vector in read("seams")["vectors"]
        for one in vector["interceptors"]
    }
    kinds = ("none", "allow", "same", "note", "ask", "block", "replace", "wrong_type", "raise", "nonsense")
    modes = ("chain", "gate")
    assert cells == {(seam, mode, kind) for seam in seams.SEAMS for mode in modes for kind in kinds}


def test_every_operator_is_met_absent_fitting_and_of_the_wrong_type() -> None:
    """Each operator that is not for all types has vectors that hold, that do not, and that fault."""
    said: dict[str, set[Any]] = {}
    for vector in read("conditions")["vectors"]:
        (operator,) = set(vector["condition"]) - {"at"}
        said.setdefault(operator, set()).add(vector["expect"])
    assert set(said) == set(rule_conditions.OPERATORS)
    assert {operator for operator, found in said.items() if not {True, False} <= found} == set()
    assert {operator for operator, found in said.items() if "fault" not in found} <= {"exists", "type_is"}


SPOILED: dict[str, Callable[[Any], None]] = {
    "seams": lambda vector: vector["expect"][0].update(verdict="ask"),
    "chains": lambda vector: vector["seen"].append(vector["seen"][0]),
    "merge": lambda vector: vector.update(expect={"same_as": 0}),
    "precedence": lambda vector: vector.update(expect=7),
    "policies": lambda vector: vector["expect"]["pre"].update(result="faulted"),
    "conditions": lambda vector: vector.update(expect="fault"),
    "globs": lambda vector: vector.update(expect=not vector["expect"]),
    "rules": lambda vector: vector["expect"]["log"].pop(),
    "digests": lambda vector: vector.update(canonical="nil"),
    "asks": lambda vector: vector["expect"].update(unused=[0]),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_vector_is_noticed(name: str) -> None:
    """Where a vector expects what is not so, the run says which vector it is, for every driver."""
    document = deepcopy(dict(read(name)))
    spoiled = document["vectors"][0]
    SPOILED[name](spoiled)
    _, wrong = run({name: document})
    assert [one.driver for one in wrong] == [*(DRIVERS if name in DRIVEN else ["decide"])]
    assert all(one.vector is spoiled and f"test vector of {name}" in str(one) for one in wrong)


def _notes_block(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(precedence.JOIN[Level.NOTE], Level.BLOCK, Level.NOTE)


def _gravity_is_lost(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(precedence.GRAVER, Severity.HIGH, ())


def _faults_open(patch: pytest.MonkeyPatch) -> None:
    def fault(question: Consultation[Any], problem: str) -> Fault:
        return Fault(f"interceptor error: {question.interceptor.name} {problem}", closed=False)

    patch.setattr(step, "_fault", fault)


def _crashes_pass(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(policy.AND[Result.FAULTED], Result.PASSED, Result.PASSED)


def _anything_grants(patch: pytest.MonkeyPatch) -> None:
    def covers(answer: Answered, ask: StandingAsk) -> bool:
        return True

    patch.setattr(asks, "covers", covers)


def _integers_are_doubles(patch: pytest.MonkeyPatch) -> None:
    def integer(value: int) -> str:
        return str(int(float(value)))

    patch.setattr(canonical, "_integer", integer)


def _less_is_greater(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(rule_conditions.OPERATORS, "less", rule_conditions.OPERATORS["greater"])


@pytest.mark.parametrize(
    ("plant", "files"),
    [
        (_notes_block, ("precedence",)),
        (_gravity_is_lost, ("precedence", "chains")),
        (_faults_open, ("seams", "chains", "rules")),
        (_crashes_pass, ("policies",)),
        (_anything_grants, ("asks",)),
        (_integers_are_doubles, ("digests",)),
        (_less_is_greater, ("conditions", "rules")),
    ],
)
def test_a_planted_bug_of_the_kernel_is_noticed(
    plant: Plant, files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel that decides otherwise fails vectors of the files that are about it."""
    plant(monkeypatch)
    assert [name for name in files if not ran(name)] == []


def test_another_version_is_refused() -> None:
    """A document whose format is not known is not run as if it were."""
    with pytest.raises(ValueError, match=f"not {SCHEMA}"):
        run({"globs": {**read("globs"), "schema": "seamlaw.vectors/0"}})


def test_verifying_everything_runs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of everything fails for a wrong vector, and tells how many there were; a run of one law runs none."""
    monkeypatch.setattr(verify, "marked", tuple)
    monkeypatch.setattr(Shelf, "as_it_is", tuple)
    monkeypatch.setattr(verify, "problems", list)
    good = verify.verify()
    assert good.ok
    assert f"{good.vectors:,} test vectors" in "\n".join(figures(good))
    assert as_data(good)["vectors"] == good.vectors == run()[0]
    assert verify.verify(["first_block_wins"]).vectors == 0
    _gravity_is_lost(monkeypatch)
    bad = verify.verify()
    assert not bad.ok
    assert any(line.startswith("test vector of precedence") for line in failures(bad))
