"""Faults on purpose: at each thing that a policy does to what it is shown, and at each call that it makes.

What a policy calls is seen through the profiling hook of the interpreter, and an exception raised there comes out of
the call. Calls of the kernel's own makers of decisions are left alone, for they never raise.
"""

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from attrs import Factory, define

from ._constants import SHIPPED
from ._parts import Heard, Part, Trace
from ._twins import watched

__all__ = ["Injected", "Injector", "heard_with_fault"]

MOST_PLACES = 60
HERE = __file__.rpartition("/")[0] + "/"
KERNEL = str(sys.modules["seamlaw"].__file__).rpartition("/")[0] + "/"
NEVER_RAISE = {"isinstance", "issubclass", "callable", "id", "hasattr"}
INSIDE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}


class Injected(Exception):
    """A fault that no policy can expect by its name."""


@define
class Injector:
    """Counts the places where a fault could come, and raises at one of them."""

    raise_at: int = -1
    count: int = 0
    place: str = ""
    places: list[str] = Factory(list[str])

    def tick(self, place: str) -> None:
        """Come to a place."""
        at, self.count = self.count, self.count + 1
        self.places.append(place)
        if at == self.raise_at:
            self.place = place
            raise Injected(place)

    def touched(self, name: str, _: Any, given: tuple[Any, ...]) -> None:
        """Come to something that is done to a container."""
        self.tick(f"{name}({', '.join(map(repr, given))})")

    def called(self, frame: FrameType, event: str, argument: Any) -> None:
        """Come to a call, if the policy makes it."""
        caller = frame if event == "c_call" else frame.f_back
        if event not in ("call", "c_call") or caller is None or not _is_theirs(caller.f_code):
            return
        if event == "c_call":
            if argument.__name__ not in NEVER_RAISE:
                self.tick(f"{argument.__qualname__}()")
        elif not _is_spared(frame.f_code):
            self.tick(f"{frame.f_code.co_qualname}()")

    @contextmanager
    def at_calls(self) -> Generator[None]:
        """Look at the calls that are made inside; what a collection of garbage calls meanwhile is not the policy's."""
        before, collects = sys.getprofile(), gc.isenabled()
        # The interpreter drops a hook that raises, and may be about to call it again: it must not be freed until then.
        hook = self.called
        gc.disable()
        sys.setprofile(hook)
        try:
            yield
        finally:
            sys.setprofile(before if callable(before) else None)  # a profiler in C cannot be put back
            if collects:
                gc.enable()


def _is_theirs(code: CodeType) -> bool:
    return not code.co_filename.startswith((HERE, KERNEL, *SHIPPED)) and not code.co_filename.startswith("<attrs")


def _is_spared(code: CodeType) -> bool:
    """Whether this is no call that can fail: a maker of decisions, the kit itself, a loop inside an expression."""
    file = code.co_filename
    return file.startswith((HERE, KERNEL + "_decisions")) or "seamlaw._decisions" in file or code.co_name in INSIDE


def heard_with_fault(part: Part, trace: Trace, at: int) -> tuple[Heard, Injector]:
    """What a fresh instance answers to the end of a trace when the `at`th thing that it does there fails."""
    *before, last = trace
    hear, injector = part.after(before), Injector(at)
    with injector.at_calls():
        heard = hear(watched(last, injector.touched))
    return heard, injector
