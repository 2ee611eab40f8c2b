"""Where a pack comes from: how it is made, and how it is made anew of the source as it is by then."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import attrs
from attrs import frozen

from ._bundled import BUNDLED
from ._configured import configured
from ._grants import Grants, grants_at
from ._pack import MakesPack, Pack, find_pack, manifest_of, raised, target_of
from .errors import PluginError

if TYPE_CHECKING:
    from ._sources import Sources
    from ._trust import TrustStore

__all__ = ["Origin", "Version", "of_instance", "of_name", "of_project"]


@frozen
class Version:
    """What makes a pack, what that may intercept, and the source it was read from, where that was read for it."""

    makes: MakesPack
    grants: Callable[[Pack], Grants | None]
    sources: "tuple[Sources, ...]" = ()


@frozen
class Origin:
    """The version that there is, how a pack is made of a version, and how the next version is read."""

    first: Version
    make: Callable[[MakesPack], Pack]
    look: "Callable[[], Sources]"  # reads the source, and executes nothing
    read: Callable[[], Version]  # raises whatever the source raises when it is imported


def of_name(name: str, configuration: Mapping[str, object]) -> Origin:
    """A pack by the name of its entry point; what it does not declare it may not intercept. Raises `PluginError`."""
    module, _, attribute = target_of(name).partition(":")

    def grants(pack: Pack) -> Grants:
        return grants_at(f"{name}.intercept", manifest_of(pack).intercept or ())

    def make(makes: MakesPack) -> Pack:
        return configured(makes, dict(configuration))

    look, read = _reading(module, attribute, grants)
    return Origin(Version(find_pack(name), grants), make, look, read)


def of_instance(pack: Pack) -> Origin:
    """A pack that a program made itself; it is held to what it declares only where it declares something."""
    kind = type(pack)
    if isinstance(pack, type):
        raise PluginError(f"{pack.__name__} is a class: make a pack of it, {pack.__name__}(...), or load it by name")
    public = f"{kind.__module__.partition('._')[0]}:{kind.__qualname__}"  # the package around private modules
    module, _, attribute = (
        public if public in BUNDLED.values() else f"{kind.__module__}:{kind.__qualname__}"
    ).partition(":")

    def make(makes: MakesPack) -> Pack:
        return pack if makes is kind else _alike(pack, makes)

    def grants(made: Pack) -> Grants | None:
        manifest = manifest_of(made)
        return None if manifest.intercept is None else grants_at(f"{manifest.name}.intercept", manifest.intercept)

    look, read = _reading(module, attribute, grants)
    return Origin(Version(kind, grants), make, look, read)


def of_project(folder: Path, configuration: Mapping[str, object], trusted: "TrustStore") -> Origin:
    """A pack of a folder, whose content is trusted exactly as it is: now, and at each reload. Raises `PluginError`."""
    from ._project import read_project

    names = list[str]()

    def make(makes: MakesPack) -> Pack:
        made = configured(makes, dict(configuration))
        if manifest_of(made).name != names[-1]:
            raise PluginError(f"{folder}: the pack is called {manifest_of(made).name}, and in its manifest {names[-1]}")
        return made

    def read() -> Version:
        found = read_project(folder)
        if not trusted.trusts(found.digest):
            raise PluginError(
                f"{found.folder}: this pack is not trusted as it is now; look at it, and say: "
                f"seamlaw packs trust {found.folder}"
            )
        names.append(found.manifest.name)
        return _imported(found.sources, found.module, found.attribute, lambda _: found.grants)

    try:
        return Origin(read(), make, lambda: read_project(folder).sources, read)
    except PluginError:
        raise
    except (Exception, SystemExit) as error:  # an exit of a pack, of all things, must not look like an answer
        raise PluginError(f"{folder}: cannot be imported: {raised(error)}") from error


def _reading(
    module: str, attribute: str, grants: Callable[[Pack], Grants | None]
) -> "tuple[Callable[[], Sources], Callable[[], Version]]":
    """How the source of a module is looked at, and imported."""

    def look() -> "Sources":
        from ._sources import of_module

        if "<locals>" in attribute or module == "__main__":
            raise PluginError(f"{attribute} is not at the top of a module that could be read anew")
        if f"{module}.".startswith("seamlaw_host."):  # a second copy would settle with an engine that knows the first
            raise PluginError(f"{attribute} is a part of the host itself, and is not reloaded while that runs")
        return of_module(module)

    return look, lambda: _imported(look(), "", attribute, grants)


def _imported(sources: "Sources", module: str, attribute: str, grants: Callable[[Pack], Grants | None]) -> Version:
    """Import what was read, and find what makes the pack; what raises leaves nothing behind."""
    from ._sources import forget, import_from

    found: Any = import_from(sources, module)
    try:
        for part in attribute.split("."):
            found = getattr(found, part)
    except AttributeError as error:
        forget(sources)
        where = f"{sources.folder / 'pack.toml'}: entry: {module}" if module else sources.name
        raise PluginError(f"{where} has no {attribute}") from error
    except BaseException:
        forget(sources)
        raise
    return Version(found, grants, (sources,))


def _alike(pack: object, makes: MakesPack) -> Pack:
    """Make a pack with the configuration of another; raises `PluginError`."""
    kind: Any = type(pack)
    if not attrs.has(kind):
        raise PluginError(
            f"the configuration of {kind.__name__} is not known: make it an attrs class, or load it by its name"
        )
    made: Any = makes(**{one.alias: getattr(pack, one.name) for one in attrs.fields(kind) if one.init})
    manifest_of(made)
    return cast(Pack, made)
