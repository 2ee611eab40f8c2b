"""Packs that are loaded, unloaded and reloaded while calls are decided."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from seamlaw import Interceptors

from ._configured import interceptors_of
from ._origin import Origin, Version, of_instance, of_name, of_project
from ._pack import Pack, manifest_of, raised
from ._registry import Activation, Entry, SeamRegistry, bundle_of
from .errors import PluginError

if TYPE_CHECKING:
    from ._sources import Sources
    from ._trust import TrustStore

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

    def __init__(self, registry: SeamRegistry | None = None, *, trusted: "TrustStore | None" = None) -> None:
        self._trusted = trusted
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

    def digest(self, label: str) -> str:
        """The hash of a pack's source as it is now, loaded or not yet; raises `PluginError`."""
        return self._found(label).origin.look().digest

    def load(
        self,
        pack: Pack | str | Path,
        configuration: Mapping[str, object] | None = None,
        *,
        label: str | None = None,
    ) -> LoadReport:
        """Load a pack: one that was made; or, with its configuration, by its entry point's name, or from a folder.

        A folder is loaded if the user trusts its content. What a pack's `intercept` does not declare is not registered,
        and told as a problem. If anything fails, nothing of the pack is registered. Raises `PluginError`.
        """
        with self._lock:
            origin = self._origin(pack, configuration)
            try:
                plugin = self._activated(origin, origin.first, label, new=True)
            except BaseException:
                _forget(origin.first.sources)
                raise
            plugin.activation.replaces(None)
            self._plugins[plugin.label] = plugin
            registered = _names(self.registry.of(plugin.activation))
        manifest, problems = manifest_of(plugin.pack), tuple(plugin.activation.problems)
        return LoadReport(plugin.label, manifest.name, manifest.version, registered, problems)

    def _origin(self, pack: Pack | str | Path, configuration: Mapping[str, object] | None) -> Origin:
        if isinstance(pack, str):
            return of_name(pack, configuration or {})
        if isinstance(pack, Path):
            from ._trust import TrustStore

            return of_project(pack, configuration or {}, self._trusted or TrustStore())
        if configuration is not None:
            raise PluginError("a pack that was made has its configuration already")
        return of_instance(pack)

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
            old = self._found(label)
            try:
                new = self._renewed(old, examples if verify else 0, budget_s)
            except (Exception, SystemExit) as error:
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

    def _renewed(self, old: _Plugin, examples: int, budget_s: float) -> _Plugin:
        """Import, activate and verify a new version of a plugin; raises what goes wrong, and leaves nothing behind."""
        version = old.origin.read()
        try:
            new = self._activated(old.origin, version, old.label)
            new.sources = [*old.sources[-1:], *version.sources]  # the old one may be deciding a call on its way
            if examples:
                self._verify(new, version, examples, budget_s)
        except BaseException:
            _forget(version.sources)
            raise
        return new

    def _verify(self, new: _Plugin, version: Version, examples: int, budget_s: float) -> None:
        """Check the laws of the kit on a new version; raises `PluginError` with what it breaks."""
        often = not hasattr(new.pack, "activate")  # or what it has registered is what is verified

        def fresh() -> Interceptors:
            if not often:
                return bundle_of(new.activation.staged) or Interceptors()
            with Activation(self.registry, new.label, None).active():
                return interceptors_of(new.origin.make(version.makes))

        try:
            try:
                from seamlaw_spec.kit import Subject, check

                report = check(Subject(new.label, fresh, is_factory=often), examples=examples, budget_s=budget_s)
            except ImportError as error:
                needs = f"pip install 'seamlaw[verify]' ({error.name}), or reload(verify=False)"
                raise PluginError(f"to verify needs {needs}") from error
            if broken := [f"{one.part.label} breaks {one.law}" for one in report.broken("law")]:
                raise PluginError(f"the new version is not verified: {'; '.join(broken)}")
        except BaseException:
            new.activation.withdraw()
            _deactivated(new)
            raise

    def _activated(self, origin: Origin, version: Version, label: str | None, *, new: bool = False) -> _Plugin:
        """Make a pack, and gather what it registers; nobody sees any of it yet. Raises `PluginError`."""
        early = Activation(self.registry, label or "", None)
        with early.active():  # what registers itself while it is made belongs to it, too
            pack = origin.make(version.makes)
        name = manifest_of(pack).name
        activation = Activation(self.registry, label or name, version.grants(pack), name)
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
        return _Plugin(activation.label, origin, pack, activation, list(version.sources))

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
