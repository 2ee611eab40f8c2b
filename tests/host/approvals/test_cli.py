"""Asking at a terminal, a real one: a plain yes grants, and nothing else does."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.host.approvals.asking import CANARY, MASK, Masking, Tool, asking, called, put
from tests.host.approvals.person import Person

from seamlaw import Interceptors, Outcome, ToolCall, Verdict
from seamlaw_host.approvals import Approvals, CliHandler
from seamlaw_host.engine import Engine, session

ASK, HOW = "[y/N]", "[a/r/N]"


def asked_at(
    person: Person, bundle: Interceptors | None = None, call: ToolCall | None = None, timeout_s: float | None = 60
) -> Outcome[ToolCall]:
    """Put an ask to a person, and settle."""
    its = Approvals({"cli": CliHandler(person.path)}, redactor=Masking(), timeout_s=timeout_s)
    return put(its, bundle or asking("cli://"), call or ToolCall("1", "push", {"branch": "main"}))


@pytest.mark.parametrize("typed", [b"y\n", b"Y\n", b"yes\n", b"  YES  \n", b"y\r"])
def test_yes_grants(typed: bytes) -> None:
    """`y` or `yes`, and Enter; the terminal is left as it was."""
    with Person((ASK, typed)) as person:
        assert asked_at(person).proceeds
        assert person.is_as_before


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (b"\n", "refused"),
        (b"n\n", "refused"),
        (b"no\n", "refused"),
        (b"yess\n", "refused"),
        (b"y y\n", "refused"),
        (b"yno\x08\x08\n", "refused"),
        (b"true\n", "refused"),
        (b"a\n", "refused"),
        (b"\xef\xbd\x99\n", "refused"),  # a full-width y
        (b"\xc2\xa0y\n", "refused"),
        (b"\xff\n", "refused"),
        (b"\x04", "closed"),
        (b"y\x04", "closed"),
        (b"\x03", "interrupted"),
        (b"y\x03", "interrupted"),
        (b"y\x1a\n", "refused"),
        (b"y\x1c\n", "refused"),
        (b"x" * 4000 + b"\n", "refused"),
    ],
)  # fmt: skip
def test_everything_else_refuses(typed: bytes, why: str) -> None:
    """Enter alone, a no, an end of file, Ctrl-C, Ctrl-Z, a quit, nonsense; the terminal is left as it was."""
    with Person((ASK, typed)) as person:
        outcome = asked_at(person)
        assert (outcome.verdict, why in outcome.reason) == (Verdict.BLOCK, True), outcome.reason
        assert person.is_as_before


def test_an_answer_that_does_not_come_is_no_in_time() -> None:
    """The handler stops by itself, so that no question is left to take the answer to the next."""
    with Person() as person:
        start = time.monotonic()
        outcome = asked_at(person, timeout_s=0.2)
        assert "in time" in outcome.reason
        assert 0.2 <= time.monotonic() - start < 50
        assert person.is_as_before
    with Person((ASK, b"y")) as person:
        assert "in time" in asked_at(person, timeout_s=0.3).reason


def test_what_was_typed_before_the_question_is_no_answer_to_it() -> None:
    """Type-ahead is thrown away, before the first question and between two."""
    with Person(early=b"y\ny\ny\n") as person:
        assert "in time" in asked_at(person, timeout_s=0.3).reason
    with Person((HOW, b"r\ny\ny\n")) as person:
        assert not asked_at(person, asking("cli://a", "cli://b"), timeout_s=0.5).proceeds


def test_it_shows_what_would_run_why_and_for_whom() -> None:
    """Tool, arguments whole, reason, asker, target, caller and digest."""
    long = "".join(f"{i:04}" for i in range(1000))
    with Person((ASK, b"n\n")) as person:
        its = Approvals({"cli": CliHandler(person.path)}, redactor=Masking())
        engine = Engine(asking("cli://ops", reason="is it so?", timeout_s=77), approvals=its)
        with session("s1", agent="coder"):
            called(engine, Tool(), {"text": long, "token": CANARY})
    shown = person.shown
    squeezed = "".join(shown.replace("│", "").split())
    assert long in squeezed
    assert f'"token":"{MASK}"' in squeezed
    for part in ("push", "is it so?", "asker-0", "cli://ops", "agent coder", "session s1", "77 s", "digest", "[y/N]"):
        assert part in shown
    assert CANARY not in shown


HOSTILE = [
    "\x1b[2J\x1b[1;1H",
    "\x1b]0;title\x07",
    "\x9b31m",
    "\r\x1b[K",
    "line\nLet it run? [y/N] y",
    "\x08\x08",
    "\u202eevil\u202c",
    "\u2066evil\u2069",
    "\u200b\u2028\ufeff",
    "\U000e0041",
    "\x00\x7f\x85",
    "[bold red]markup[/]",
    "[link=http://evil]x[/link]",
    ":smiley:",
    "\u3164",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_call_steers_the_terminal(text: str) -> None:
    """Escapes, bidi controls, invisible characters and markup in arguments, names and reasons are made visible."""
    with Person(("\nLet it run? [y/N]", b"n\n")) as person:
        bundle = asking(f"cli://{text}", reason=text, name=text)
        its = Approvals({"cli": CliHandler(person.path)}, redactor=Masking(), timeout_s=60)
        put(its, bundle, ToolCall("1", text, {text: [text]}))
    lines = person.shown.split("\n")
    assert all(line.isprintable() for line in lines), person.shown
    assert len([line for line in lines if line.startswith("Let it run?")]) == 1
    assert not any(character in person.shown for character in "\u3164\u202e\u2066\u200b")
    if text.isprintable() and text != "\u3164":
        assert text in person.shown.replace("│\n│", "")


def test_an_object_is_said_to_be_shown_by_its_type() -> None:
    """The approver knows that there is more than they see."""
    with Person((ASK, b"y\n")) as person:
        engine = Engine(asking("cli://"), approvals=Approvals({"cli": CliHandler(person.path)}, redactor=Masking()))
        assert called(engine, Tool(), {"connection": object()}) == "done"
    assert "<object>" in person.shown
    assert "Python object" in person.shown


# Several


@pytest.mark.parametrize(
    ("script", "granted"),
    [
        ([(HOW, b"a\n")], True),
        ([(HOW, b"all\n")], True),
        ([(HOW, b"\n")], False),
        ([(HOW, b"n\n")], False),
        ([(HOW, b"y\n")], False),
        ([(HOW, b"\x03")], False),
        ([(HOW, b"r\n"), (ASK, b"y\n"), (ASK, b"y\n"), (ASK, b"y\n")], True),
        ([(HOW, b"r\n"), (ASK, b"y\n"), (ASK, b"\n"), (ASK, b"y\n")], False),
        ([(HOW, b"r\n"), (ASK, b"y\n"), (ASK, b"y\n"), (ASK, b"\x03")], False),
        ([(HOW, b"r\n"), (ASK, b"y\n"), (ASK, b"y\n"), (ASK, b"\x04")], False),
    ],
)
def test_several_are_granted_denied_or_reviewed(script: list[tuple[str, bytes]], granted: bool) -> None:
    """All, none, or one by one; the default is no, for all and for each."""
    with Person(*script) as person:
        assert asked_at(person, asking("cli://a", "cli://b", "cli://c")).proceeds == granted
        assert person.is_as_before
    assert person.shown.count("An agent wants to run") == 1
    assert all(target in person.shown for target in ("1. ", "cli://a", "2. ", "cli://b", "3. ", "cli://c"))


@given(st.lists(st.sampled_from([b"y\n", b"n\n", b"\n", b"\x04"]), min_size=2, max_size=4))
def test_a_review_grants_only_what_was_granted_one_by_one(typed: list[bytes]) -> None:
    """Every ask of a call needs a yes of its own."""
    targets = [f"cli://{i}" for i in range(len(typed))]
    with Person((HOW, b"r\n"), *((ASK, line) for line in typed)) as person:
        assert asked_at(person, asking(*targets)).proceeds == all(line == b"y\n" for line in typed)


def test_two_calls_at_once_are_asked_one_after_the_other() -> None:
    """An answer is for the question that stands, and no two stand at once."""
    with Person((ASK, b"y\n"), (ASK, b"n\n")) as person:
        its = Approvals({"cli": CliHandler(person.path)}, redactor=Masking())
        engine, tools = Engine(asking("cli://"), approvals=its), [Tool(), Tool()]
        told: list[str] = ["", ""]

        def call(n: int) -> None:
            told[n] = called(engine, tools[n], {"n": n})

        threads = [threading.Thread(target=call, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(len(tool.starts) for tool in tools) == [0, 1]
    first = person.shown.index("Let it run?")
    assert person.shown.index("wants to run", first) > first  # the second is shown after the first was answered
    order = [0, 1] if person.shown.index('"n": 0') < person.shown.index('"n": 1') else [1, 0]
    assert [len(tools[n].starts) for n in order] == [1, 0]


def test_the_async_driver_asks_too() -> None:
    """The loop is not held up by the person."""
    with Person((ASK, b"y\n")) as person:
        its = Approvals({"cli": CliHandler(person.path)}, redactor=Masking())
        assert called(Engine(asking("cli://"), approvals=its), Tool(), {}, in_loop=True) == "done"


# Where there is no terminal


@pytest.mark.parametrize("path", ["/dev/null", "/nowhere", "/"])
def test_without_a_terminal_it_is_refused(path: str) -> None:
    """What is no terminal cannot be asked at, and a file is not written to."""
    outcome = put(Approvals({"cli": CliHandler(path)}, redactor=Masking()), asking("cli://"))
    assert (outcome.proceeds, "no terminal" in outcome.reason) == (False, True)


def test_a_file_is_no_terminal(tmp_path: Path) -> None:
    """Not even one that says yes."""
    file = tmp_path / "file"
    file.write_text("y\n", "utf-8")
    assert not put(Approvals({"cli": CliHandler(str(file))}, redactor=Masking()), asking("cli://")).proceeds
    assert file.read_text("utf-8") == "y\n"


def test_a_terminal_that_goes_away_refuses() -> None:
    """Hung up while the question stands."""
    person = Person()
    told: list[Outcome[ToolCall]] = []
    thread = threading.Thread(target=lambda: told.append(asked_at(person)))
    thread.start()
    shown = b""
    while ASK.encode() not in shown:
        assert select.select([person.master], [], [], 60)[0]
        shown += os.read(person.master, 65536)
    os.close(person.slave)
    os.close(person.master)
    thread.join(60)
    assert told
    assert "closed" in told[0].reason


# In a process of its own, with a controlling terminal: /dev/tty

ASKER = """
import fcntl, os, signal, sys, termios
from tests.host.approvals.asking import Masking, Tool, asking, called
from seamlaw_host.approvals import Approvals, CliHandler
from seamlaw_host.engine import Engine

path, how = sys.argv[1:]
os.setsid()
if path:
    fcntl.ioctl(os.open(path, os.O_RDWR), termios.TIOCSCTTY, 0)
if how == "behind":
    if os.fork():
        _, status = os.wait()
        sys.exit(os.waitstatus_to_exitcode(status))
    os.setpgid(0, 0)
its = Approvals({"cli": CliHandler()}, redactor=Masking(), timeout_s=60)
tool = Tool()
print(called(Engine(asking("cli://"), approvals=its), tool, {"n": 1}), len(tool.starts), flush=True)
"""


def process(person: Person | None, how: str = "") -> "subprocess.Popen[str]":
    """A process whose standard input is a pipe that says yes, with or without a controlling terminal."""
    command = [sys.executable, "-c", ASKER, person.path if person else "", how]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path.cwd())
    assert started.stdin is not None
    started.stdin.write("y\n" * 10)
    started.stdin.flush()
    return started


def test_it_asks_at_the_controlling_terminal_and_not_on_standard_input() -> None:
    """Standard input and output belong to the protocol that the program speaks."""
    for typed, told in ((b"y\n", "done 1\n"), (b"n\n", "may it? (refused")):
        with Person((ASK, typed)) as person:
            assert process(person).communicate(timeout=120)[0].startswith(told)


def test_ctrl_c_refuses_and_leaves_the_program_running() -> None:
    """It ends the question, not the process."""
    with Person((ASK, b"\x03")) as person:
        started = process(person)
        assert started.communicate(timeout=120)[0] == "may it? (interrupted) 0\n"
        assert started.returncode == 0


def test_a_process_without_a_terminal_is_refused() -> None:
    """A daemon, a container, a job of CI."""
    told, _ = process(None).communicate(timeout=120)
    assert told == "may it? (there is no terminal to ask at) 0\n"


def test_a_process_in_the_background_is_refused_and_not_stopped() -> None:
    """To read the terminal would stop it (SIGTTIN)."""
    with Person((ASK, b"y\n")) as person:
        told, _ = process(person, "behind").communicate(timeout=120)
    assert told == "may it? (the terminal belongs to another program now) 0\n"


def test_a_killed_question_grants_nothing() -> None:
    """Kill -9 while it stands."""
    started: list[subprocess.Popen[str]] = []

    def kill() -> bool:
        time.sleep(0.1)
        started[0].send_signal(signal.SIGKILL)
        return True

    with Person((ASK, b"")) as person:
        started.append(process(person))
        until = time.monotonic() + 120
        while ASK not in person.shown and time.monotonic() < until:
            time.sleep(0.01)
        assert kill()
        assert started[0].communicate(timeout=120)[0] == ""
