"""`seamlaw hook`: one process for one event. Whatever goes wrong where something can be blocked ends in exit code 2."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from functools import partial
from threading import Timer
from typing import BinaryIO, NoReturn, TextIO

from seamlaw import SeamlawError
from seamlaw_host.policies import load_policies

from ._agents import AGENTS
from ._answer import answer, fails_closed
from ._event import HookEvent, UnreadableEvent, read_event
from ._limits import counts_in_memory

__all__ = ["main"]

BLOCK, FAILED = 2, 1  # to the agent, any code but 0 and 2 is a failure that blocks nothing
LARGEST = 256 * 2**20  # bytes of an event
LONGEST_S = 86_400.0
WIDTH = 100  # of the help: to ask the terminal, argparse imports more than the hook does itself
EPILOG = """\
examples:
  seamlaw hook claude-code --policy ~/policies/agent.toml --install
  seamlaw hook codex --policy ~/policies/agent.toml --install
  seamlaw hook claude-code --policy agent.toml < event.json

exit codes:
  0  decided; what was decided, if anything, is on standard output
  1  it failed, at an event where a block would protect nobody
  2  blocked, because something went wrong: the reason is on standard error
"""


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        "seamlaw hook",
        description="Decide one hook event of a coding agent, read from standard input.",
        epilog=EPILOG,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=WIDTH),
        allow_abbrev=False,
    )
    add = made.add_argument
    add("agent", choices=tuple(AGENTS), help="whose hooks these are")
    add("--policy", "-p", action="append", required=True, metavar="POLICY", help="as for `seamlaw decide`")
    add("--ledger", metavar="FILE", help="record each decision here; one that cannot be recorded blocks")
    add("--agent", dest="name", metavar="NAME", help="who is calling, whatever the event says")
    add("--role", metavar="NAME", help="the caller's role")
    add(
        "--rewritten",
        choices=("ask", "allow", "check"),
        default="ask",
        help="how Claude Code goes on with a call that the policy changed: ask the user (the default), ask nobody, or "
        "as its own permissions say (an old version then runs the call as it was)",
    )
    add("--deadline", type=_seconds, default=30.0, metavar="SECONDS", help="block if it takes longer (30)")
    add("--install", action="store_true", help="print the settings that make the agent call this hook")
    return made


def _seconds(text: str) -> float:
    found = float(text)
    if not 0 < found <= LONGEST_S:
        raise ValueError
    return found


def main(arguments: Sequence[str]) -> int:
    """Run it, and give the exit code; never raises anything but `SystemExit`, of argparse."""
    options = parser().parse_args(arguments)
    late = Timer(options.deadline, _too_late)
    late.daemon = True
    late.start()
    event: HookEvent | None = None
    try:
        if options.install:
            return _install(options)
        with _aside() as write:
            event = read_event(_given())
            answered = _answered(options, event)
            if answered is not None:
                write(answered.encode() + b"\n")
    except BaseException as error:
        _complain(_told(error))
        return BLOCK if fails_closed(event) else FAILED
    finally:
        late.cancel()
    return 0


@contextmanager
def _aside() -> Generator[Callable[[bytes], None]]:
    """Keep standard output for the answer: what a policy prints, or a program that it starts, goes to standard error.

    One stray line there, and the agent takes an answer for a text that decides nothing.
    """
    stdout: TextIO | None = sys.stdout
    if stdout is None:  # what Python has for a stream that was closed when it began
        raise UnreadableEvent("standard output is closed, so nothing can be answered")
    stdout.flush()
    ours, theirs = os.dup(1), os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else 2  # pyright: ignore[reportUnnecessaryComparison]
    try:
        os.dup2(theirs, 1)
        yield partial(_write, ours)
    finally:
        with suppress(OSError, ValueError):
            stdout.flush()
        os.dup2(ours, 1)
        os.close(ours)


def _write(fd: int, text: bytes) -> None:
    while text:
        text = text[os.write(fd, text) :]


def _given() -> bytes:
    stdin: BinaryIO | None = sys.stdin.buffer if sys.stdin is not None else None  # pyright: ignore[reportUnnecessaryComparison]
    if stdin is None:
        raise UnreadableEvent("standard input is closed, so there is no event")
    given = stdin.read(LARGEST + 1)
    if len(given) > LARGEST:
        raise UnreadableEvent(f"the event is larger than {LARGEST} bytes")
    return given


def _answered(options: argparse.Namespace, event: HookEvent) -> str | None:
    agent = AGENTS[options.agent]
    bundle = load_policies(*options.policy)
    in_memory = counts_in_memory(bundle)
    if in_memory:
        raise UnreadableEvent(
            f'{in_memory[0]} counts in memory, which ends with each hook: give it a RedisState, or state = "redis://…"'
        )
    if event.name == "SessionStart":
        from ._install import unenforced

        told = unenforced(bundle, agent)
        return json.dumps({"systemMessage": "seamlaw: " + "; ".join(told)}) if told else None
    answered = answer(bundle, agent, event, name=options.name, role=options.role, rewritten=options.rewritten)
    said = None if answered.said is None else json.dumps(answered.said)
    if options.ledger is not None:
        from ._recording import record

        record(options.ledger, bundle, event, answered, options.deadline)
    return said


def _install(options: argparse.Namespace) -> int:
    from ._install import absolute, settings, unenforced

    agent, policies = AGENTS[options.agent], absolute(options.policy)
    with redirect_stdout(sys.stderr):
        bundle = load_policies(*policies)
    arguments = [part for policy in policies for part in ("--policy", policy)]
    for name, given in (("--agent", options.name), ("--role", options.role), ("--ledger", options.ledger)):
        if given is not None:
            arguments += [name, absolute([given])[0] if name == "--ledger" else given]
    if options.rewritten != "ask":
        arguments += ["--rewritten", options.rewritten]
    made = settings(agent, bundle, arguments, recorded=options.ledger is not None)
    sys.stdout.write(json.dumps(made, indent=2) + "\n")
    sys.stdout.flush()
    _complain(f"put this into {agent.settings_file}; keep it, the policy and this program out of the agent's reach")
    for told in unenforced(bundle, agent):
        _complain(f"note: {told}")
    for told in counts_in_memory(bundle):
        _complain(f"ERROR: {told} counts in memory, which ends with each hook: every call will be blocked")
    return 0


def _told(error: BaseException) -> str:
    """Say what went wrong; a text that is not our own may quote what must not be shown."""
    if isinstance(error, SeamlawError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{type(error).__name__} was raised"


def _complain(text: str) -> None:
    try:
        shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
        sys.stderr.write(f"seamlaw: {shown}\n")
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # closed: the exit code says it alone
        pass


def _too_late() -> NoReturn:
    _complain("it took longer than its deadline, so this is blocked")
    os._exit(BLOCK)
