"""`seamlaw repl`: calls are typed, and decided; nothing is run."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, Unpack, cast

import click
from attrs import define, evolve

from seamlaw import Interceptors, SeamlawError
from seamlaw_host.errors import UnknownShape
from seamlaw_host.replay import Judge, explain
from seamlaw_host.sessions import Recorded

from ._explain import explained_lines
from ._one_call import read_call
from ._options import CallerOptions, as_json, aside, caller, full, load, policies
from ._records import call_record, explanation_record, json_line
from ._render import judged_lines
from ._screen import Screen, printable

__all__ = ["command"]

UNREAD = 1
PROMPT = "seamlaw> "
WHO = ("session", "agent", "role")
HELP = """\
A call, as NAME=TEXT and NAME:=JSON, or as JSON:
  bash command="git push --force" timeout:=60
  {"tool": "bash", "arguments": {"command": "ls"}}
Or one of:
  :explain CALL     who is consulted, and why; without a call, about the last one
  :again            decide the last call again
  :agent NAME, :role NAME, :session NAME    who is calling; without a name, nobody
  :who              who is calling
  :reload           read the policy anew
  :help  :quit\
"""
EPILOG = """\b
Examples:
  seamlaw repl -p policy.toml
  printf '%s\\n' 'bash command=ls' ':explain bash command="rm -rf /"' | seamlaw repl -p policy.toml

\b
Exit codes:
  0  every line was understood, whatever was decided
  1  a line was not; it is told on standard error, and the rest is decided
  2  usage: a bad option or policy
"""


@click.command(name="repl", epilog=EPILOG)
@policies
@caller
@as_json
@full
def command(sources: tuple[str, ...], as_json: bool, full: bool, **who: Unpack[CallerOptions]) -> None:
    """Try calls against a policy, one a line; nothing is run.

    Lines come from standard input, so that it can be scripted; an empty line and one that begins with # say nothing.
    :help says what can be typed.
    """
    trying = _Trying(sources, load(sources), who, Screen.of_stdout(full=full), as_json)
    for number, line in enumerate(_typed(), 1):
        try:
            if trying.hear(line, f"line {number}"):
                break
        except (click.ClickException, SeamlawError) as error:
            trying.missed += 1
            click.echo(f"seamlaw: line {number}: {printable(_problem(error))}", err=True)
    raise click.exceptions.Exit(UNREAD if trying.missed else 0)


def _problem(error: Exception) -> str:
    if isinstance(error, UnknownShape):
        return error.found
    return error.message if isinstance(error, click.ClickException) else str(error)


def _typed() -> Iterator[str]:
    """Give each line; at a terminal with a prompt, a history, and an interrupt that leaves the line alone."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    with suppress(ImportError):  # as on Windows
        import_module("readline")  # so that input() has a history
    click.echo(":help says what can be typed; Ctrl-D ends it", err=True)
    while True:
        try:
            yield input(PROMPT)
        except KeyboardInterrupt:
            click.echo(err=True)
        except EOFError:
            click.echo(err=True)
            return


@define
class _Trying:
    """A policy that is tried, who is calling, and the last call."""

    sources: tuple[str, ...]
    bundle: Interceptors
    who: CallerOptions
    screen: Screen
    as_json: bool
    last: Recorded | None = None
    missed: int = 0
    place: str = ""  # of the line that is heard

    def hear(self, line: str, place: str) -> bool:
        """Do what a line says, and tell whether that was the end; raises `UsageError` for what is not understood."""
        line, self.place = line.strip(), place
        if not line or line.startswith("#"):
            return False
        if not line.startswith(":"):
            self._decide(self._call(line))
            return False
        word, _, rest = line[1:].partition(" ")
        if word in ("quit", "q", "exit"):
            return True
        if word in WHO:
            self._named(word, rest.strip())
            return False
        said: dict[str, Callable[[str], None]] = {
            "explain": self._explain,
            "again": self._again,
            "who": self._tell_who,
            "reload": self._reload,
            "help": self._help,
        }
        if word not in said:
            raise click.UsageError(f"there is no :{word}; :help says what there is")
        said[word](rest.strip())
        return False

    def _call(self, text: str) -> Recorded:
        """Read a call, or take the last one where there is no text."""
        if text:
            read = read_call(text) if text.startswith("{") else read_call(_short(text), shape="seamlaw")
            self.last = evolve(read, result=None, result_place=None)
        if self.last is None:
            raise click.UsageError("there is no call yet")
        return evolve(self.last, place=self.place)

    def _decide(self, call: Recorded) -> None:
        with aside():
            judged = Judge(self.bundle, **self.who).judge(call)
        if self.as_json:
            self.screen.say(json_line("call", call_record(judged)))
        else:
            self._say(judged_lines(self.screen, judged))

    def _again(self, _: str) -> None:
        self._decide(self._call(""))

    def _explain(self, text: str) -> None:
        call = self._call(text)
        with aside():
            explained = explain(self.bundle, call.call, Judge(self.bundle, **self.who).scope_of(call))
        if self.as_json:
            self.screen.say(json_line("explanation", explanation_record(explained)))
        else:
            self._say(explained_lines(self.screen, explained))

    def _named(self, word: str, name: str) -> None:
        self.who = cast(CallerOptions, {**self.who, word: name or None})
        self._tell_who("")

    def _tell_who(self, _: str) -> None:
        said = cast(dict[str, str | None], self.who)
        if self.as_json:
            self.screen.say(json_line("caller", dict(said)))
        else:
            known = [f"{word} {printable(str(said[word]))}" for word in WHO if said[word]]
            self.screen.say(", ".join(known) or "nobody is named")

    def _reload(self, _: str) -> None:
        try:
            self.bundle = load(self.sources)
        except click.ClickException:
            raise
        except Exception as error:
            raise click.UsageError(f"the policy is as it was: {error}") from error
        if not self.as_json:
            self.screen.say(f"read {len(self.sources)} anew")

    def _help(self, _: str) -> None:
        click.echo(HELP, err=self.as_json)

    def _say(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.screen.say(line)


def _short(text: str) -> str:
    """Write a call that was typed in short as JSON; raises `UsageError`."""
    try:
        tool, *given = shlex.split(text)
    except ValueError as error:
        raise click.UsageError(f"the line cannot be split into words: {error}") from error
    arguments: dict[str, Any] = {}
    for word in given:
        name, sign, value = word.partition("=")
        if not sign:
            raise click.UsageError("an argument is NAME=TEXT or NAME:=JSON; a text of several words is in quotes")
        is_json = name.endswith(":")
        name = name.removesuffix(":")
        if name in arguments:
            raise click.UsageError(f"the argument {name} is given twice")
        arguments[name] = _json(name, value) if is_json else value
    return json.dumps({"tool": tool, "arguments": arguments})


def _json(name: str, text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise click.UsageError(f"what is given for {name} is no JSON; in a shell's words it needs quotes") from error
