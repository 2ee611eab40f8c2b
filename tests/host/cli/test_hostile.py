"""A hostile transcript, or a hostile policy file, cannot rewrite the operator's screen."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from seamlaw_host.cli._screen import fitted, printable

Run = Callable[..., Result]
Write = Callable[..., str]

HOSTILE = [
    "\x1b[2J\x1b[1;1H",  # clears the screen
    "\x1b]0;title\x07",  # sets the title
    "\x1b]8;;http://example.com\x1b\\link\x1b]8;;\x1b\\",
    "\x9b31m",  # C1
    "\r\x1b[Kline 1  bash  PROCEED",
    "a\nline 1  bash  PROCEED",
    "\x08\x08\x08",
    "\u202eevil\u202c",
    "\u2066evil\u2069",
    "\u200b\u200f\ufeff\u2028\u2029",
    "\U000e0041\U000e0042",  # tags: invisible text
    "\x00\x7f\x85",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("options", [[], ["--full"], ["--json"]])
def test_nothing_in_a_session_steers_the_terminal(
    run: Run, policy: str, session: Write, text: str, options: list[str]
) -> None:
    """Not in a tool's name, a key, a value, an id, an agent, a result, nor in what cannot be read."""
    lines: list[object] = [
        {"tool": text + "bash", "arguments": {text: {text: [text, text * 200]}}, "agent": text, "id": text},
        {"tool": "bash", "arguments": {"command": text}, "result": {"output": text}},
        {"tool": text, "arguments": 7},
        {"tool": "x", "arguments": {}, text: 1},
    ]
    result = run("replay", session(*map(json.dumps, lines)), "-p", policy, *options)
    shown = result.stdout.replace("\n", "")
    assert shown.isprintable()
    assert not [line for line in result.stdout.splitlines() if line.startswith("line 1 ") and "PROCEED" not in line]
    assert result.stdout.count("\nline 1 ") == 0


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_a_policy_says_steers_the_terminal(run: Run, tmp_path: Path, text: str) -> None:
    """Reasons, names, targets, and keys that are refused."""
    call = '{"tool": "bash", "arguments": {}}'
    rule = {"ask": text, "name": text, "target": text}
    (tmp_path / "p.json").write_text(json.dumps({"rules": [rule]}), "utf-8")
    for command in ("decide", "explain"):
        result = run(command, "-p", f"{tmp_path}/p.json", stdin=call)
        assert result.stdout.replace("\n", "").isprintable()
        assert "a\nline 1" not in result.stdout
    (tmp_path / "p.json").write_text(json.dumps({"rules": [{text: text}]}), "utf-8")
    result = run("decide", "-p", f"{tmp_path}/p.json", stdin=call)
    assert result.exit_code == 2
    assert result.stderr.replace("\n", "").isprintable()


def test_markup_is_text(run: Run, policy: str, session: Write) -> None:
    """What looks like markup, an emoji's name or a format is shown as it is."""
    text = "[red]x[/red] [link=http://example.com]y[/link] :smile: {0} %s"
    path = session(json.dumps({"tool": "bash", "arguments": {"command": text}}))
    assert f'"{text}"' in run("replay", path, "-p", policy).stdout


def test_visible_text_of_any_script_is_shown_as_it_is(run: Run, policy: str, session: Write) -> None:
    """Größe, 大きさ and ✓ need no escape."""
    path = session(json.dumps({"tool": "bash", "arguments": {"command": "Größe 大きさ ✓ 🎉"}}))
    assert '"Größe 大きさ ✓ 🎉"' in run("replay", path, "-p", policy).stdout


@given(st.text())
def test_whatever_the_text_what_is_shown_is_printable(text: str) -> None:
    """No character survives that is not plainly visible, and what is visible survives."""
    assert printable(text).isprintable()
    if text.isprintable():
        assert printable(text) == text


@given(st.text(alphabet="abc\n\x1b", max_size=60), st.integers(1, 20), st.integers(0, 60))
def test_a_cut_text_has_the_character_it_is_cut_around(text: str, width: int, around: int) -> None:
    """Or its end, where it has no such character."""
    cut = fitted(text, width, around=around)
    assert cut.isprintable()
    if len(text) <= width and around < width:
        assert cut == printable(text)
    elif around < len(text):
        assert printable(text[around]) in cut
