"""`seamlaw ledger`: what is in a ledger, and whether it is as it was written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.host.ledger.made import decided, finished, happened, ledger, severally, written

from seamlaw import Scope, ToolCall, block
from seamlaw_host.ledger import JsonlSink, SqlSink

Run = Callable[..., Result]


@pytest.fixture(name="audit")
def _audit(tmp_path: Path) -> str:
    """A ledger with some of everything."""
    path = tmp_path / "audit.jsonl"
    with ledger(JsonlSink(path)) as made:
        fill(made)
    return str(path)


def fill(made: Any) -> None:
    """Append some of everything."""
    made.append(happened(1, severally()))
    made.append(happened(2))
    made.append(finished(2))
    other = ToolCall("3", "rm", {"path": "/"})
    made.append(happened(3, decided(other, block("never")), proposed=other, scope=Scope(agent="reader", session="s-2")))
    made.append(happened(4, governed=False))


def records(result: Result) -> list[dict[str, Any]]:
    """The records that a command wrote as JSON."""
    return [json.loads(line)["record"] for line in result.output.splitlines()]


def test_show_lists_what_was_decided(run: Run, audit: str) -> None:
    """A line a record: when, what, which tool, whose, by whom and why."""
    result = run("ledger", "show", audit)
    assert result.exit_code == 0
    lines = [line.split() for line in result.output.splitlines()]
    assert lines[1] == ["2023-11-14", "22:13:21", "block", "tool_call", "bash", "writer", "gate-3:", "no"]
    assert lines[4] == ["2023-11-14", "22:13:23", "block", "tool_call", "rm", "reader", "gate-0:", "never"]
    assert lines[5][-1] == "ungoverned"
    assert len(lines) == 6


@pytest.mark.parametrize(
    ("only", "attempts"),
    [
        (["--verdict", "block"], [1, 3]),
        (["--tool", "b*"], [1, 2, 2, 4]),
        (["--agent", "reader"], [3]),
        (["--session", "s-2"], [3]),
        (["--seam", "tool_result"], [2]),
        (["--since", "2023-11-14T22:13:22.500000"], [2, 3, 4]),
        (["--until", "2023-11-14T23:13:22+01:00"], [1]),
        (["--last", "2"], [3, 4]),
        (["--tool", "b*", "--last", "1"], [4]),
        (["--session", "none"], []),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_show_lists_only_what_was_asked_for(run: Run, audit: str, only: list[str], attempts: list[int]) -> None:
    """Each option narrows what is shown."""
    result = run("ledger", "show", audit, "--json", *only)
    assert [record["attempt"] for record in records(result)] == [f"attempt-{number}" for number in attempts]


def test_show_gives_whole_records_as_json_and_nothing_as_such(run: Run, audit: str) -> None:
    """The record is as it stands in the ledger; where there is none, that is said."""
    (record, *_) = records(run("ledger", "show", audit, "--json"))
    written_down = json.loads(Path(audit).read_bytes().splitlines()[1])["record"]
    assert record == written_down
    assert run("ledger", "show", audit, "--session", "none").output == "no record\n"


def test_show_reads_databases(run: Run, tmp_path: Path, audit: str) -> None:
    """A URL is as good as a file."""
    url = f"sqlite:///{tmp_path / 'audit.db'}"
    with ledger(SqlSink(url)) as made:
        fill(made)
    shown = records(run("ledger", "show", url, "--json"))
    assert [{**one, "id": 0} for one in shown] == [
        {**one, "id": 0} for one in records(run("ledger", "show", audit, "--json"))
    ]
    missing = run("ledger", "show", f"sqlite:///{tmp_path / 'none.db'}")
    assert (missing.exit_code, "No such file" in missing.output) == (2, True)


def test_what_cannot_be_read_is_told_and_the_rest_is_shown(run: Run, audit: str) -> None:
    """A bad line costs that line, and the exit code."""
    lines = Path(audit).read_bytes().splitlines(keepends=True)
    Path(audit).write_bytes(b"".join([*lines[:2], b"hunter2\n", *lines[3:], b'{"type":"rec']))
    result = run("ledger", "show", audit, "--json")
    assert result.exit_code == 1
    assert "line 3: this is no line of a ledger" in result.stderr
    assert "line 8: this is no whole line" in result.stderr
    assert "hunter2" not in result.output + result.stderr
    assert len(result.stdout.splitlines()) == 4


def test_nothing_in_a_record_steers_the_terminal(run: Run, tmp_path: Path) -> None:
    """Tools and agents are named by a model: escapes, markup and line feeds are shown, not obeyed."""
    path = tmp_path / "audit.jsonl"
    evil = "\x1b[2J[bold]x[/bold]\n\u202e"
    with ledger(JsonlSink(path)) as made:
        called = ToolCall("1", evil, {})
        made.append(happened(1, decided(called, block(evil)), proposed=called, scope=Scope(agent=evil)))
    output = run("ledger", "show", str(path)).output
    assert len(output.splitlines()) <= 4
    assert output.replace("\n", "").isprintable()
    assert "[bold]" in output


def test_a_ledger_as_it_was_written_is_in_order(run: Run, audit: str) -> None:
    """It tells the head, which is to be kept elsewhere."""
    result = run("ledger", "verify", audit)
    assert result.exit_code == 0
    assert "in order; 7 lines, 5 records" in result.output
    (found,) = map(json.loads, run("ledger", "verify", audit, "--json").output.splitlines())
    assert (found["ok"], found["lines"], found["records"], found["problems"]) == (True, 7, 5, [])
    assert found["head"] in result.output
    assert run("ledger", "verify", audit, "--head", found["head"]).exit_code == 0
    assert run("ledger", "verify", audit, "--head", "0" * 64).exit_code == 1


def test_a_changed_line_is_named(run: Run, audit: str) -> None:
    """As file:line, so that an editor finds it; the exit code is 1."""
    text = Path(audit).read_bytes()
    Path(audit).write_bytes(text.replace(b"never", b"maybe", 1))
    result = run("ledger", "verify", audit)
    assert result.exit_code == 1
    assert result.output.startswith(f"{audit}:5: changed: this line was changed")
    assert "NOT in order" in result.output
    (found,) = map(json.loads, run("ledger", "verify", audit, "--json").output.splitlines())
    assert [(one["kind"], one["line"]) for one in found["problems"]] == [("changed", 5)]


def test_files_of_several_ledgers_are_verified_one_by_one(run: Run, tmp_path: Path, audit: str) -> None:
    """Rotated files go with theirs; one ledger that is not in order makes the whole fail."""
    other = tmp_path / "other.jsonl"
    written(other, 8, rotate_bytes=1_500)
    rotated = [str(each) for each in sorted(tmp_path.glob("other.0*.jsonl"))]
    assert rotated
    result = run("ledger", "verify", audit, *rotated, str(other))
    assert result.exit_code == 0
    assert result.output.count("in order") == 2
    Path(rotated[0]).unlink()
    assert run("ledger", "verify", audit, str(other)).exit_code == 1
    assert run("ledger", "verify", audit, str(other), "--partial").exit_code == 0
    assert run("ledger", "verify", str(tmp_path / "none.jsonl")).exit_code == 2


def test_the_key_comes_from_the_environment(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never an argument, which others on the machine could read."""
    path = str(tmp_path / "signed.jsonl")
    written(Path(path), 3, key=b"the key")
    monkeypatch.setenv("LEDGER_KEY", "the key")
    assert run("ledger", "verify", path, "--key-env", "LEDGER_KEY").exit_code == 0
    monkeypatch.setenv("LEDGER_KEY", "another")
    assert run("ledger", "verify", path, "--key-env", "LEDGER_KEY").exit_code == 1
    assert run("ledger", "verify", path, "--key-env", "NO_SUCH_KEY").exit_code == 2


@pytest.mark.parametrize(
    "arguments", [["show"], ["verify"], ["show", "x", "--since", "hunter2"], ["show", "x", "--last", "0"]]
)
def test_mistakes_are_usage_errors(run: Run, arguments: list[str]) -> None:
    """They end with 2, and nothing is shown."""
    assert run("ledger", *arguments).exit_code == 2
