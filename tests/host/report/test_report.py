"""Reports say what is in a ledger, and nothing in a ledger can be more than text in them."""

import csv
import io
import json
import re
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from shutil import which
from typing import Any

import msgspec
import pytest
from attrs import evolve
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.host.ledger.made import Kept, call, decided, finished, happened, ledger

from seamlaw import Scope, ToolCall, ask, block, grant, note, refuse, replace, settle
from seamlaw_host.cli._main import seamlaw
from seamlaw_host.ledger import Asked, Finding, JsonlSink, Record, SqlSink
from seamlaw_host.report import Summary, as_csv, as_data, as_dot, as_html, as_mermaid, as_text, narrated
from seamlaw_host.report import _summary as summary_module

Run = Callable[..., Result]
OTHER = Scope(session="s-2", agent="lead", chain=("lead",))
FORMATS = ("text", "json", "csv", "html", "dot", "mermaid", "narrative")


def fill(made: Any) -> None:
    """Append some of everything."""
    made.append(happened(1, decided(call(1), note("seen"))))
    made.append(finished(1))
    made.append(happened(2, decided(call(2), block("never"))))
    made.append(happened(3, decided(call(3), replace(call(3, also="this")))))
    made.append(finished(3, error="raised KeyError at tool.py:1", undo="undo failed: raised OSError"))
    asked = decided(call(4), ask("first", target="slack://ops"), ask("second"))
    answers = grant(asked.asks[0], by="ann"), refuse(asked.asks[1], by="bob", reason="not today")
    made.append(happened(4, settle(asked, answers)[0], answers=answers))
    searched = ToolCall("5", "search", {"for": "all"})
    made.append(happened(5, governed=False, proposed=searched, scope=OTHER))
    made.append(happened(6, decided(call(6), ask("may it?")), mode="dry_run", scope=OTHER))
    withheld = decided(call(5), block("secret"))
    made.append(finished(5, call=searched, scope=OTHER, outcome=withheld))


def records() -> list[Record]:
    """The records of that."""
    kept = Kept()
    with ledger(kept) as made:
        fill(made)
    return kept.records


def summed(found: list[Record]) -> Summary:
    """Sum up records."""
    summary = Summary()
    for record in found:
        summary.add(record)
    return summary


@pytest.fixture(name="audit")
def _audit(tmp_path: Path) -> str:
    """The same in a file."""
    with ledger(JsonlSink(tmp_path / "audit.jsonl")) as made:
        fill(made)
    return str(tmp_path / "audit.jsonl")


@pytest.fixture(name="run")
def _run() -> Run:
    """Run `seamlaw report` here."""
    return lambda *arguments: CliRunner().invoke(seamlaw, ["report", *arguments], prog_name="seamlaw")


def test_calls_are_counted_by_verdict_tool_agent_and_reason() -> None:
    """Each call once, however many records it left; results, asks, findings and undo by themselves."""
    data = as_data(summed(records()))
    assert (data["records"], data["total"]["calls"]) == (9, 6)
    assert {name: data["total"][name] for name in ("proceed", "ask", "block")} == {"proceed": 3, "ask": 1, "block": 2}
    assert (data["total"]["executed"], data["total"]["withheld"], data["total"]["failed"]) == (3, 1, 1)
    assert data["total"]["seconds"] == 0.75
    assert [(one["tool"], one["calls"], one["ungoverned"]) for one in data["tools"]] == [
        ("bash", 5, 0),
        ("search", 1, 1),
    ]
    assert [(one["agent"], one["calls"], one["block"]) for one in data["agents"]] == [("writer", 4, 2), ("lead", 2, 0)]
    assert [(one["session"], one["calls"]) for one in data["sessions"]] == [("session-1", 4), ("s-2", 2)]
    reasons = [(one["verdict"], one["decided_by"], one["reason"], one["count"]) for one in data["reasons"]]
    assert ("block", "gate-0", "never", 1) in reasons
    assert ("ask", "gate-0", "may it?", 1) in reasons
    assert data["asks"] == {"granted": 1, "refused": 1, "unanswered": 1}
    assert data["undo"] == {"failed": 1}
    assert data["ungoverned"] == {"search": 1}
    assert data["delegations"] == [{"from": "lead", "to": "writer", "calls": 4}]
    assert data["modes"] == {"enforce": 8, "dry_run": 1}
    assert (data["first"], data["last"]) == (1_700_000_001.0, 1_700_000_006.0)
    json.dumps(data)


def test_what_was_redacted_or_lost_is_counted() -> None:
    """A report says how much of the ledger is not as it was seen."""
    (record, *_) = records()
    gap = Record(id="1-lost-1", time=1.0, seam="ledger", error="3 records before this one could not be kept")
    redacted = evolve(record, kept=evolve(record.kept, proposed="redacted"))
    data = as_data(summed([record, redacted, gap]))
    assert (data["records"], data["lost"], data["incomplete"], data["total"]["calls"]) == (3, 1, 1, 2)


def test_memory_is_bounded_by_the_names_that_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names come from a model: beyond a number they are summed up as others, and no call is left out."""
    monkeypatch.setattr(summary_module, "MOST", 10)
    (record, *_) = records()
    summary = Summary()
    for at in range(50):
        agent = f"a{at}"
        summary.add(evolve(record, tool=f"t{at}", agent=agent, session=f"s{at}", reason="", chain=("a", agent)))
    for found in (summary.tools, summary.agents, summary.sessions, summary.uses, summary.delegations):
        assert len(found) == 11
    assert sum(counts.calls for counts in summary.tools.values()) == 50
    assert sum(summary.delegations.values()) == 50


def test_the_text_tells_the_sums() -> None:
    """What a person looks for first stands first."""
    lines = "\n".join(as_text(summed(records())))
    assert "calls       6: 3 proceed, 1 ask, 2 block" in lines
    assert "ungoverned: search (1)" in lines
    assert re.search(r"^bash +5 +2 +1 +2 +0 +1 +0 +1$", lines, re.MULTILINE)
    assert re.search(r"1  block  gate-0: never", lines)
    assert "lead -> writer: 4 calls" in lines


def test_the_csv_has_a_row_for_each_record() -> None:
    """Read by any reader of CSV, it has what the record has."""
    found = records()
    rows = list(csv.DictReader(io.StringIO("".join(as_csv(found)))))
    assert [row["id"] for row in rows] == [record.id for record in found]
    assert (rows[2]["verdict"], rows[2]["reason"], rows[2]["decided_by"]) == ("block", "never", "gate-0")
    assert json.loads(rows[2]["proposed"]) == found[2].proposed
    assert rows[5]["asks"] == "first (slack://ops): granted; second (None): refused"
    assert float(rows[0]["time"]) == found[0].time


def test_the_story_of_a_session_tells_each_step() -> None:
    """Who called what, what was decided by whom and why, what came of asks, and what went wrong."""
    story = "\n".join(narrated("session-1", [record for record in records() if record.session == "session-1"]))
    assert "# Session session-1" in story
    assert 'writer (for lead) called **bash** with `{"command": "ls 2"}`. It was **blocked** by gate-0: never.' in story
    assert '- What went on was `{"command": "ls 3", "also": "this"}`' in story
    assert "- gate-0 asked of slack://ops: first; granted by ann" in story
    assert "- gate-1 asked: second; refused by bob: not today" in story
    assert "- It went wrong: raised KeyError at tool.py:1" in story
    assert "- Undo: undo failed: raised OSError" in story
    assert "Nothing is recorded of it." in "\n".join(narrated("none", []))


EVIL = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    "</style></title></table><script>alert(1)</script>",
    '=HYPERLINK("http://evil")',
    "  =1+1",
    "\t@SUM(1)",
    "-2+3\x00\x1b[2J\u202e",
    '"]; evil [label="',
    'x"]\n  evil["<b>',
    "](javascript:alert(1)) `` ` # | [a](b)",
)


def hostile(text: str) -> Record:
    """A record with that in every field that is text."""
    finding = Finding(interceptor=text, kind="block", level="block", reason=text, target=text)
    asked = Asked(interceptor=text, reason=text, target=text, digest=text, granted=False, by=text, answer=text)
    names = ("session", "agent", "role", "trust", "domain", "attempt", "call_id", "tool", "proposed_digest", "reason")
    more = ("effective_digest", "decided_by", "undo", "error", "policy_hash")
    everywhere: dict[str, Any] = dict.fromkeys((*names, *more), text)
    return Record(
        id=text,
        time=1.0,
        seam="tool_call",
        verdict="block",
        changed=True,
        chain=(text, text + "2"),
        proposed={text: [text]},
        effective={"name": text, "arguments": {text: text}},
        findings=(finding,),
        asks=(asked,),
        **everywhere,
    )


class Page(HTMLParser):
    """What a browser would make of a page: its tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))


TAGS = set("html head meta title style body h1 h2 p div b i table tr th td code br span svg g path text rect".split())


def page_of(found: list[Record]) -> tuple[str, Page]:
    """Make a page, and parse it."""
    text, page = "".join(as_html(summed(found), "Ledger", found)), Page()
    page.feed(text)
    return text, page


@pytest.mark.parametrize("seam", ["tool_call", "tool_result", "own <seam>"])
@pytest.mark.parametrize("evil", EVIL)
def test_nothing_in_a_record_becomes_markup(evil: str, seam: str) -> None:
    """With hostile text in every field, the page has the tags of the template and no others, and no handler."""
    text, page = page_of([evolve(hostile(evil), seam=seam)])
    assert {tag for tag, _ in page.tags} <= TAGS
    assert not any(name.startswith("on") or name in ("src", "href") for _, attrs in page.tags for name in attrs)
    assert "\x1b" not in text
    assert "\u202e" not in text
    harmless, _ = page_of([evolve(hostile("x"), seam=seam)])
    assert re.sub(r">[^<]*<", "><", text).count("<") == re.sub(r">[^<]*<", "><", harmless).count("<")


@given(evil=st.text(max_size=40))
def test_no_text_changes_the_tags_of_a_page(evil: str) -> None:
    """Whatever the text: the tags are those of a page with another text in its place."""
    _, page = page_of([hostile(evil + "x")])
    _, harmless = page_of([hostile("harmless")])
    assert page.tags == harmless.tags


def test_a_page_is_one_file_and_forbids_scripts() -> None:
    """Nothing is loaded from anywhere, and the policy of the page says so."""
    text, page = page_of(records())
    policy = next(attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "http://" not in text
    assert "https://" not in text
    assert "url(" not in text


@given(evil=st.sampled_from(EVIL) | st.text(max_size=30))
def test_no_cell_is_a_formula(evil: str) -> None:
    """Nothing that a spreadsheet would calculate: OWASP's list of beginnings, after white space too."""
    lines = list(as_csv([hostile(evil)]))
    (row,) = list(csv.reader(io.StringIO("".join(lines[1:]))))
    for cell in row:
        assert not cell.strip().startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")), cell
        assert cell.isprintable()


@given(evil=st.sampled_from(EVIL) | st.text(max_size=30))
def test_no_name_ends_its_quotes_in_a_graph(evil: str) -> None:
    """In DOT and in Mermaid the lines are those of a graph with another name in its place."""
    hostile_lines, harmless = list(as_dot(summed([hostile(evil)]))), list(as_dot(summed([hostile("harmless")])))
    bare = [re.sub(r'"(?:[^"\\]|\\.)*"', '""', line) for line in hostile_lines]
    if evil not in ("", "harmless"):
        assert bare == [re.sub(r'"(?:[^"\\]|\\.)*"', '""', line) for line in harmless]
    for line in as_mermaid(summed([hostile(evil)])):
        assert line.count('"') in (0, 2)
        assert not re.search(r"[<>\n`]", re.sub(r"-\.?-?>", "", line)), line


@pytest.mark.skipif(which("dot") is None, reason="Graphviz is not here; on Debian and Ubuntu: apt install graphviz")
def test_graphviz_reads_the_graph() -> None:
    """It draws what it is given, whatever stands in it."""
    text = "\n".join(as_dot(summed([*records(), *map(hostile, EVIL)])))
    subprocess.run(["dot", "-Tsvg"], input=text.encode(), check=True, capture_output=True)


PLAIN = {"text", "softbreak", "strong_open", "strong_close", "code_inline"}
BLOCKS = set("heading_open heading_close paragraph_open paragraph_close inline".split())
LISTS = set("bullet_list_open bullet_list_close list_item_open list_item_close".split())


@given(evil=st.sampled_from(EVIL) | st.text(max_size=30))
def test_no_text_is_markup_in_a_story(evil: str) -> None:
    """A parser of Markdown finds what the template has: no link, no image, no HTML, no other heading or list."""
    story = list(narrated(evil, [hostile(evil)]))
    assert all(line.isprintable() for line in story)
    tokens = MarkdownIt("commonmark", {"html": True}).parse("\n".join(story))
    assert {token.type for token in tokens} <= BLOCKS | LISTS
    assert {child.type for token in tokens for child in token.children or ()} <= PLAIN
    others = MarkdownIt("commonmark").parse("\n".join(narrated("harmless", [hostile("harmless")])))
    if evil:
        assert [token.type for token in tokens] == [token.type for token in others]


@given(evil=st.sampled_from(EVIL) | st.text(max_size=30))
def test_nothing_in_the_text_steers_the_terminal(evil: str) -> None:
    """Every character of it is visible."""
    assert all(line.isprintable() for line in as_text(summed([hostile(evil)])))


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_written_to_the_output_or_to_a_file(run: Run, audit: str, tmp_path: Path, form: str) -> None:
    """The same, in whichever place."""
    result = run(audit, "--format", form)
    assert result.exit_code == 0
    assert result.output
    assert run(audit, "--format", form, "-o", str(tmp_path / "out")).output == ""
    assert (tmp_path / "out").read_bytes() == result.stdout_bytes


def test_databases_are_reported_as_files_are(run: Run, audit: str, tmp_path: Path) -> None:
    """And the title of a page does not tell a password that stands in the URL."""
    url = f"sqlite:///{tmp_path / 'audit.db'}"
    with ledger(SqlSink(url)) as made:
        fill(made)
    assert run(url, "--format", "json").output == run(audit, "--format", "json").output
    from seamlaw_host.cli._report import _titled

    assert _titled("postgresql+psycopg://u:hunter2@host/db") == "Ledger postgresql+psycopg"


def test_a_report_is_of_what_was_asked_for(run: Run, audit: str) -> None:
    """The options that choose records are those of `seamlaw ledger show`."""
    data = json.loads(run(audit, "--format", "json", "--session", "s-2").output)
    assert (data["type"], data["records"]) == ("report", 3)
    story = run(audit, "--format", "narrative", "--session", "s-2").output
    assert story.startswith("# Session s-2\n")
    assert story.endswith("3 records.\n")


def test_what_cannot_be_read_is_told_and_the_rest_is_reported(run: Run, audit: str, tmp_path: Path) -> None:
    """A bad line costs that line, and the exit code; where nothing can be opened nothing is written."""
    Path(audit).write_bytes(Path(audit).read_bytes() + b"hunter2\n")
    result = run(audit)
    assert result.exit_code == 1
    assert "1 line unreadable" in result.output
    assert "hunter2" not in result.output + result.stderr
    for form in FORMATS:
        missing = run(str(tmp_path / "none"), "--format", form)
        assert (missing.exit_code, missing.stdout) == (2, "")


def test_every_record_that_can_be_read_can_be_reported() -> None:
    """A ledger may come from elsewhere: odd numbers and texts in it stop no report."""
    odd = msgspec.convert({"id": "", "time": 1e300, "seam": "", "duration_s": -1.0}, Record)
    for found in ([odd], []):
        for lines in (as_text(summed(found)), as_dot(summed(found)), as_mermaid(summed(found)), as_csv(found)):
            assert "\n".join(lines)
        assert "".join(as_html(summed(found), "x", found))
        assert "\n".join(narrated(None, found))
