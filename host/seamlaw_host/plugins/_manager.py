"""Packs that are loaded, unloaded and reloaded while calls are decided."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from threading import RLock
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from seamlaw import Interceptors

from ._configured import interceptors_of
from ._origin import Origin, of_instance, of_name
from ._pack import MakesPack, Pack, manifest_of, raised
from ._registry import Activation, Entry, SeamRegistry, bundle_of
from .errors import PluginError

if TYPE_CHECKING:
    from ._sources import Sources

__all__ = ["LoadReport", "PluginManager", "ReloadReport"]

EXAMPLES = 20
BUDGET_S = 1.0  # for an answer, when a new version is verified beside calls that are decided


@frozen
class LoadReport:
    """What was loaded: under which label, what was registered, and what was not, and why."""

    label: str
    pack: str
    version: str
    registered: tuple[str, ...]
    problems: tuple[str, ...] = ()


@frozen
class ReloadReport:
    """What came of a reload; where it failed, the old version is still there, and `failure` says why."""

    label: str
    failure: str | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    refreshed: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def swapped(self) -> bool:
        """Whether the new version decides now."""
        return self.failure is None


@define(eq=False)
class _Plugin:
    """A pack that is loaded."""

    label: str
    origin: Origin
    pack: Pack
    activation: Activation
    sources: "list[Sources]" = field(factory=list["Sources"])


class PluginManager:
    """Loads packs, each under a label, and gives what they answer with to an `Engine(plugins=…)`.

    The order of loading is the order of the chain. A change is there for the next call at once and as a whole: a call
    that is being decided ends as it began. Safe from any thread.
    """

    def __init__(self, registry: SeamRegistry | None = None) -> None:
        self.registry = registry if registry is not None else SeamRegistry()
        self._lock = RLock()
        self._plugins: dict[str, _Plugin] = {}
        self._left: list[Sources] = []

    @property
    def bundle(self) -> Interceptors | None:
        """All that is loaded, as one immutable value."""
        return self.registry.bundle

    @property
    def loaded(self) -> list[str]:
        """The labels of what is loaded, in order."""
        return list(self._plugins)

    def get(self, label: str) -> Pack:
        """The pack under a label; raises `PluginError`."""
        return self._found(label).pack

    def load(
        self, pack: Pack | str, configuration: Mapping[str, object] | None = None, *, label: str | None = None
    ) -> LoadReport:
        """Load a pack: one that was made, or one by the name of its entry point, with its configuration.

        What the pack's `intercept` does not declare is not registered, and told as a problem. If anything fails,
        nothing of the pack is registered. Raises `PluginError`.
        """
        if not isinstance(pack, str) and configuration is not None:
            raise PluginError("a pack that was made has its configuration already")
        origin = of_name(pack, configuration or {}) if isinstance(pack, str) else of_instance(pack)
        with self._lock:
            made, activation = self._activated(origin, origin.makes, label, new=True)
            activation.replaces(None)
            self._plugins[activation.label] = _Plugin(activation.label, origin, made, activation)
            registered = _names(self.registry.of(activation))
        manifest = manifest_of(made)
        return LoadReport(activation.label, manifest.name, manifest.version, registered, tuple(activation.problems))

    def unload(self, label: str) -> str | None:
        """Withdraw all that a pack has registered, whatever it forgets itself; raises `PluginError`.

        Gives what went wrong when the pack was told, if anything did; it is unloaded all the same.
        """
        with self._lock:
            plugin = self._found(label)
            del self._plugins[label]
            plugin.activation.withdraw()
            problem = _deactivated(plugin)
            _forget(self._left)
            self._left = plugin.sources  # which may be deciding a call that is on its way
        return problem

    def reload(
        self, label: str, *, verify: bool = True, examples: int = EXAMPLES, budget_s: float = BUDGET_S
    ) -> ReloadReport:
        """Replace a pack by what its source is now, if that can be imported, activated and verified; or change nothing.

        With `verify` the kit shows the new version made-up values, which needs `seamlaw[verify]`. Raises `PluginError`
        for a label that is not there, and for nothing else.
        """
        with self._lock:
            old, sources = self._found(label), list["Sources"]()
            try:
                sources.append(old.origin.read())
                new = self._renewed(old, sources, examples if verify else 0, budget_s)
            except (Exception, SystemExit) as error:
                _forget(sources)
                return ReloadReport(label, failure=raised(error))
            before = _names(self.registry.of(old.activation))
            new.activation.replaces(old.activation)
            after = _names(self.registry.of(new.activation))
            self._plugins[label] = new
            problem = _deactivated(old)
            _forget(old.sources[:-1])
        added, removed, refreshed = _difference(before, after)
        problems = (*new.activation.problems, *([problem] if problem else []))
        return ReloadReport(label, None, added, removed, refreshed, problems)

    def _renewed(self, old: _Plugin, sources: "list[Sources]", examples: int, budget_s: float) -> _Plugin:
        """Import, activate and verify a new version of a plugin; raises what goes wrong."""
        origin, label = old.origin, old.label
        makes = origin.found_in(sources[0])
        made, activation = self._activated(origin, makes, label)
        kept = [*old.sources[-1:], *sources]  # the old one may be deciding a call that is on its way
        new = _Plugin(label, origin, made, activation, kept)

        def fresh() -> Interceptors:
            if hasattr(made, "activate"):  # it cannot be made often: what it has registered is what is verified
                return bundle_of(activation.staged) or Interceptors()
            with Activation(self.registry, label, None).active():
                return interceptors_of(origin.make(makes))

        try:
            if examples:
                _verify(label, fresh, not hasattr(made, "activate"), examples, budget_s)
        except BaseException:
            activation.withdraw()
            _deactivated(new)
            raise
        return new

    def _activated(
        self, origin: Origin, makes: MakesPack, label: str | None, *, new: bool = False
    ) -> tuple[Pack, Activation]:
        """Make a pack, and gather what it registers; nobody sees any of it yet. Raises `PluginError`."""
        early = Activation(self.registry, label or "", None)
        with early.active():  # what registers itself while it is made belongs to it, too
            pack = origin.make(makes)
        name = manifest_of(pack).name
        activation = Activation(self.registry, label or name, origin.grants(pack), name)
        if new and activation.label in self._plugins:
            raise PluginError(f"{activation.label} is loaded already: unload it, or load this under another label")
        try:
            with activation.active():
                for entry in early.staged:
                    activation.register(entry.slot, entry.it)
                activation.take(interceptors_of(pack))
                activate = getattr(pack, "activate", None)
                if activate is not None:
                    activate(activation)
        except PluginError:
            activation.withdraw()
            raise
        except BaseException as error:
            activation.withdraw()  # so that nothing registers later, either
            if not isinstance(error, Exception):
                raise
            raise PluginError(f"{activation.label} cannot be activated: {raised(error)}") from error
        return pack, activation

    def _found(self, label: str) -> _Plugin:
        plugin = self._plugins.get(label)
        if plugin is None:
            raise PluginError(f"nothing is loaded as {label}; there are {', '.join(self._plugins) or 'none'}")
        return plugin


def _deactivated(plugin: _Plugin) -> str | None:
    """Tell a pack that it is gone, where it wants to know; gives what that raised."""
    deactivate = getattr(plugin.pack, "deactivate", None)
    try:
        if deactivate is not None:
            deactivate(plugin.activation)
    except Exception as error:
        return f"{plugin.label}: deactivate() raised {raised(error)}"
    return None


def _verify(label: str, fresh: Callable[[], Interceptors], is_factory: bool, examples: int, budget_s: float) -> None:
    """Check the laws of the kit on a new version; raises `PluginError` with what it breaks."""
    try:
        from seamlaw_spec.kit import Subject, check

        report = check(Subject(label, fresh, is_factory=is_factory), examples=examples, budget_s=budget_s)
    except ImportError as error:
        raise PluginError(
            f"to verify needs pip install 'seamlaw[verify]' ({error.name}), or reload(verify=False)"
        ) from error
    broken = [f"{one.part.label} breaks {one.law}" for one in report.broken("law")]
    if broken:
        raise PluginError(f"the new version is not verified: {'; '.join(broken)}")


def _forget(sources: "Iterable[Sources]") -> None:
    for one in sources:
        from ._sources import forget

        forget(one)


def _names(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(map(str, entries))


def _difference(
    before: Iterable[str], after: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """What was added, removed and refreshed; what stands there twice counts twice."""
    old, new = Counter(before), Counter(after)
    return tuple((new - old).elements()), tuple((old - new).elements()), tuple((new & old).elements())
