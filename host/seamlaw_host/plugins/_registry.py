"""Who stands at which seam: a registry that anyone may use, and what one pack sees of it while it is loaded.

All that is registered is one immutable bundle, which a change replaces as a whole: whoever has read it decides by it
to the end, and nobody sees half of a change.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock
from typing import Any, cast

from attrs import define, evolve, field, frozen

from seamlaw import SEAMS, Interceptor, Interceptors, Seam, UnknownSeam

from ._grants import Grants
from ._pack import suggestion
from .errors import PluginError

__all__ = ["Activation", "Entry", "SeamRegistry", "bundle_of", "entries_of"]

HANDLERS, RULES = "handlers", "rules"
PLACE = ""  # keeps the place of a pack in the order, whatever it registers
Slot = str | Seam[Any]
Given = Callable[[Any], object] | Callable[[Any, Any], object] | Callable[[Any, Any, Any], object]
_ACTIVE: ContextVar["Activation | None"] = ContextVar("seamlaw_activation", default=None)


@frozen(eq=False)
class Entry:
    """Something that is registered: by whom, where, and what; a rule stands at `rules`."""

    owner: object
    slot: Slot
    it: Any

    def is_for(self, slot: Slot, given: object) -> bool:
        """Whether this is what was registered there as `given`: the interceptor, or the function in it."""
        return self.slot == slot and (self.it == given or getattr(self.it, "function", None) == given)

    def __str__(self) -> str:
        slot = self.slot if isinstance(self.slot, str) else self.slot.name
        return f"{slot}: {_as_asked(self).name}"


class SeamRegistry:
    """Interceptors by seam, in the order of registration; an `Engine(plugins=…)` takes it. Safe from any thread."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._entries: tuple[Entry, ...] = ()
        self._bundle: Interceptors | None = None

    @property
    def bundle(self) -> Interceptors | None:
        """All that is registered, as one immutable value."""
        return self._bundle

    def register(self, seam: Seam[Any] | str, interceptor: Given) -> Interceptor:
        """Put an interceptor, or a plain callable, at the end of a seam, or of `handlers`; what is there stays once.

        Raises `UnknownSeam`, with a suggestion, and `InvalidInterceptor`.
        """
        active = _ACTIVE.get()
        if active is not None and active.registry is self:
            return active.register(seam, interceptor)
        return self.add(None, seam, interceptor)

    def add(self, owner: object, seam: Seam[Any] | str, interceptor: Given) -> Interceptor:
        """As `register`, by somebody who can be told apart."""
        entry = _entry(owner, seam, interceptor)
        with self.lock:
            for known in self._entries:
                if known.owner is owner and known.is_for(entry.slot, entry.it):
                    return cast(Interceptor, known.it)
            self._put((*self._entries, entry))
        return cast(Interceptor, entry.it)

    def unregister(self, seam: Seam[Any] | str, interceptor: Given) -> None:
        """Take an interceptor away, by itself or by the function that was registered; absent, it does nothing."""
        slot = _slot(seam)
        with self.lock:
            self._put(tuple(entry for entry in self._entries if not entry.is_for(slot, interceptor)))

    def discard(self, entry: Entry) -> None:
        """Take away exactly this."""
        with self.lock:
            self._put(tuple(known for known in self._entries if known is not entry))

    def get(self, seam: Seam[Any] | str) -> list[Interceptor]:
        """A copy of what stands at a seam; raises `UnknownSeam`."""
        slot = _slot(seam)
        return [entry.it for entry in self._entries if entry.slot == slot]

    def get_all(self) -> dict[str, list[Interceptor]]:
        """A copy of what stands at every seam where anything does, by its name; rules stand at tool_call."""
        found = dict[str, list[Interceptor]]()
        for entry in self._entries:
            if entry.slot == PLACE:
                continue
            name = entry.slot if isinstance(entry.slot, str) else entry.slot.name
            found.setdefault("tool_call" if name == RULES else name, []).append(_as_asked(entry))
        return found

    def of(self, owner: object) -> tuple[Entry, ...]:
        """What somebody has registered."""
        return tuple(entry for entry in self._entries if entry.owner is owner and entry.slot != PLACE)

    def swap(self, old: object, new: Iterable[Entry]) -> None:
        """Replace all of somebody by these, where the first of them stood, or at the end: at once, or not at all."""
        with self.lock:
            at = next((i for i, entry in enumerate(self._entries) if entry.owner is old), len(self._entries))
            kept = [entry for entry in self._entries[at:] if entry.owner is not old]
            self._put((*self._entries[:at], *new, *kept))

    def _put(self, entries: tuple[Entry, ...]) -> None:
        if entries == self._entries:  # whoever made plans of the bundle can keep them
            return
        bundle = bundle_of(entries)  # which raises before anything has changed
        self._entries, self._bundle = entries, bundle


def bundle_of(entries: Iterable[Entry]) -> Interceptors | None:
    """Put entries together again; `None` where there are none."""
    given, own = dict[str, list[Any]](), dict[Seam[Any], list[Any]]()
    for entry in entries:
        if entry.slot == PLACE:
            continue
        if isinstance(entry.slot, str):
            given.setdefault(entry.slot, []).append(entry.it)
        else:
            own.setdefault(entry.slot, []).append(entry.it)
    options: dict[str, Any] = {**given, "seams": own}
    return Interceptors(**options) or None


def _slot(seam: Seam[Any] | str) -> Slot:
    """Where something is registered; raises `UnknownSeam`, with a suggestion."""
    if not isinstance(seam, str):
        return seam.name if SEAMS.get(seam.name) == seam else seam
    if seam not in SEAMS and seam != HANDLERS:
        raise UnknownSeam(f"no seam is called {seam!r}; {suggestion(seam, [*SEAMS, HANDLERS])}")
    return seam


def _entry(owner: object, seam: Seam[Any] | str, interceptor: Given) -> Entry:
    slot = _slot(seam)
    at: dict[str, Any] = {slot: [interceptor]} if isinstance(slot, str) else {"seams": {slot: [interceptor]}}
    (entry,) = entries_of(owner, Interceptors(**at))
    return entry


def entries_of(owner: object, bundle: Interceptors) -> Iterator[Entry]:
    """Take a bundle apart."""
    for slot in (*SEAMS, HANDLERS, RULES):
        yield from (Entry(owner, slot, it) for it in getattr(bundle, slot))
    for seam, given in bundle.seams:
        yield from (Entry(owner, seam, it) for it in given)


def _as_asked(entry: Entry) -> Interceptor:
    return cast(Interceptor, entry.it.as_interceptor() if entry.slot == RULES else entry.it)


@define(eq=False)
class Activation:
    """The registry as one pack sees it: what it registers is its own, is held to its grants, and goes with it.

    While the pack is being loaded nothing of it is seen by anybody; then all is at once.
    """

    registry: SeamRegistry
    label: str
    grants: Grants | None
    name: str = ""  # of the pack; where the label is another, it is told with what the pack answers
    staged: list[Entry] = field(init=False, factory=list[Entry])
    problems: list[str] = field(init=False, factory=list[str])
    state: str = field(init=False, default="loading")

    def register(self, seam: Seam[Any] | str, interceptor: Given) -> Interceptor:
        """As `SeamRegistry.register`; what the pack's manifest does not declare is told as a problem, and left out."""
        entry = self._called(_entry(self, seam, interceptor))
        if not self.admits(entry):
            return cast(Interceptor, entry.it)
        with self.registry.lock:  # or it could go on between the look and the registering
            if self.state == "over":
                raise PluginError(f"{self.label} is unloaded, and registers nothing")
            if self.state == "live":
                return self.registry.add(self, seam, interceptor)
        if not any(known.is_for(entry.slot, entry.it) for known in self.staged):
            self.staged.append(entry)
        return cast(Interceptor, entry.it)

    def replaces(self, old: "Activation | None") -> None:
        """Let all that is staged be there, and the old one be gone, at once."""
        with self.registry.lock:
            self.registry.swap(old or self, [Entry(self, PLACE, None), *self.staged])
            self.state, self.staged = "live", []
            if old is not None:
                old.state = "over"

    def withdraw(self) -> None:
        """Take away all that this pack has registered, whatever it forgets itself."""
        with self.registry.lock:
            self.state = "over"
            self.registry.swap(self, ())

    def unregister(self, seam: Seam[Any] | str, interceptor: Given) -> None:
        """Take away what this pack has registered; nobody else's."""
        slot = _slot(seam)
        if self.state == "loading":
            self.staged = [entry for entry in self.staged if not entry.is_for(slot, interceptor)]
        for entry in self.registry.of(self):
            if entry.is_for(slot, interceptor):
                self.registry.discard(entry)

    def get(self, seam: Seam[Any] | str) -> list[Interceptor]:
        """As `SeamRegistry.get`."""
        return self.registry.get(seam)

    def get_all(self) -> dict[str, list[Interceptor]]:
        """As `SeamRegistry.get_all`."""
        return self.registry.get_all()

    def take(self, bundle: Interceptors) -> None:
        """Stage what the pack answers with, as far as it is declared."""
        for entry in map(self._called, entries_of(self, bundle)):
            if not any(known.is_for(entry.slot, entry.it) for known in self.staged) and self.admits(entry):
                self.staged.append(entry)

    def _called(self, entry: Entry) -> Entry:
        """Let the label be told with each name, where it is another than the pack's."""
        if self.label == self.name or not isinstance(entry.it, Interceptor):
            return entry
        named = entry.it.name
        name = self.label if named in (self.name, self.label) else f"{self.label}: {named}"
        return evolve(entry, it=evolve(entry.it, name=name))

    def admits(self, entry: Entry) -> bool:
        """Whether the manifest declares it; notes the problem, and what would mend it, where it does not."""
        asked = _as_asked(entry)
        seam = entry.slot if isinstance(entry.slot, str) else entry.slot.name
        lacking = None if self.grants is None else self.grants.lacking("tool_call" if seam == RULES else seam, asked)
        if lacking is not None:
            self.problems.append(
                f"{self.label}: {asked.name} is not registered, for the manifest does not declare it: "
                f"add {lacking} to intercept"
            )
        return lacking is None

    @contextmanager
    def active(self) -> Generator[None]:
        """Take as this pack's own what is registered, in this context, with the registry itself."""
        token = _ACTIVE.set(self)
        try:
            yield
        finally:
            _ACTIVE.reset(token)
