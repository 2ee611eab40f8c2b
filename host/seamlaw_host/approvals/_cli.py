"""Asking whoever sits at the terminal; whatever is not plainly a yes is a no."""

import getpass
import os
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from seamlaw import Answered, grant, refuse

from ._request import Request
from ._visible import visible

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ._terminal import Terminal

__all__ = ["CliHandler"]

YES, ALL, REVIEW = ("y", "yes"), ("a", "all"), ("r", "review")


class CliHandler:
    """Asks at a terminal, the controlling one of the process unless another is named.

    Shows the tool, the redacted arguments whole, the reason and who asks, with nothing in them that could steer the
    terminal. Several asks of one call are reviewed one by one, or all granted, or none. An end of file, Ctrl-C, a
    time-out, no terminal, and one that is not ours to read refuse.
    """

    def __init__(self, path: str = "/dev/tty") -> None:
        self._path = path

    def ask(self, request: Request, /) -> Answered:
        """Ask once."""
        return self.ask_all([request])[0]

    def ask_all(self, requests: Sequence[Request], /) -> list[Answered]:
        """Ask about several, together or one by one."""
        waits = [request.timeout_s for request in requests if request.timeout_s is not None]
        answers = [refuse(request.ask) for request in requests]
        try:
            from ._terminal import NoAnswer, terminal
        except ImportError:  # Windows has no termios
            return [refuse(request.ask, reason="this platform has no terminal to ask at") for request in requests]
        try:
            with terminal(self._path, min(waits, default=None)) as tty:
                for index, granted in enumerate(_asked(tty, requests)):
                    request = requests[index]
                    by = _login()
                    answers[index] = grant(request.ask, by=by) if granted else refuse(request.ask, by=by)
        except NoAnswer as none:
            return [refuse(request.ask, reason=str(none)) for request in requests]
        return answers


def _asked(tty: "Terminal", requests: Sequence[Request]) -> Iterator[bool]:
    """Show what would run, and ask; gives an answer for each."""
    several = len(requests) > 1
    told = None
    for request in requests:
        if told != (request.tool, request.digest):
            tty.write(_drawn(_what(request), tty.width))
        told = request.tool, request.digest
    for number, request in enumerate(requests, 1):
        tty.write(_drawn(_why(request, f"{number}. " if several else ""), tty.width))
    if not several:
        yield tty.read_line("Let it run? [y/N] ").lower() in YES
        return
    how = tty.read_line(f"Grant all {len(requests)}, none, or review one by one? [a/r/N] ").lower()
    for number, request in enumerate(requests, 1):
        if how in REVIEW:
            tty.write(_drawn(_why(request, f"{number}. "), tty.width))
            yield tty.read_line(f"Grant {number} of {len(requests)}? [y/N] ").lower() in YES
        else:
            yield how in ALL


def _what(request: Request) -> "RenderableType":
    from rich.panel import Panel
    from rich.text import Text

    caller = ", ".join(f"{name} {value}" for name in ("agent", "session") if (value := getattr(request, name)))
    body = Text()
    body.append(visible(request.tool) or f"(at the seam {request.seam})", "bold")
    body.append(f"  by {visible(caller)}" if caller else "")
    body.append(f"\n{request.shown}\n")
    if request.is_opaque:
        body.append("A <Name> may be a Python object, of which nothing more is shown.\n", "yellow")
    body.append(f"digest {request.digest}, before secrets were taken out", "dim")
    return Panel(body, title="An agent wants to run", title_align="left", border_style="yellow")


def _why(request: Request, number: str) -> "RenderableType":
    from rich.text import Text

    seconds = "" if request.timeout_s is None else f", within {request.timeout_s:g} s"
    text = Text(f"{number}{visible(request.message) or 'no reason is given'}\n", "bold")
    indent = " " * len(number)
    return text.append(f"{indent}{visible(request.interceptor)} asks {visible(request.target)}{seconds}\n", "dim")


def _drawn(shown: "RenderableType", width: int) -> str:
    """Draw for a terminal; what is shown is text, so that nothing in it is taken for markup."""
    from rich.console import Console

    file = StringIO()
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in (None, "", "dumb")
    console = Console(
        file=file, width=max(width, 20), force_terminal=not plain, no_color=plain, highlight=False, legacy_windows=False
    )
    console.print(shown, end="")
    return file.getvalue()


def _login() -> str | None:
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return None
