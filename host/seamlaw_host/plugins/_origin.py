"""Where a pack comes from: how it is made, and how it is made anew of the source as it is by then."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import attrs
from attrs import frozen

from ._bundled import BUNDLED
from ._configured import configured
from ._grants import Grants, grants_at
from ._pack import MakesPack, Pack, find_pack, manifest_of, target_of
from .errors import PluginError

if TYPE_CHECKING:
    from ._sources import Sources

__all__ = ["Origin", "of_instance", "of_name"]


@frozen
class Origin:
    """How a pack is made of what makes it, what it may intercept, and where its source is."""

    makes: MakesPack
    make: Callable[[MakesPack], Pack]
    grants: Callable[[Pack], Grants | None]
    module: str
    attribute: str

    def read(self) -> "Sources":
        """Read the source as it is now; raises `PluginError`."""
        from ._sources import of_module

        if "<locals>" in self.attribute or self.module == "__main__":
            raise PluginError(f"{self.attribute} is not at the top of a module that could be read anew")
        return of_module(self.module)

    def found_in(self, sources: "Sources") -> MakesPack:
        """Import what was read, and find what makes the pack; raises what that raises."""
        from ._sources import import_from

        found: Any = import_from(sources)
        for part in self.attribute.split("."):
            found = getattr(found, part)
        return cast(MakesPack, found)


def of_name(name: str, configuration: Mapping[str, object]) -> Origin:
    """A pack by the name of its entry point; what it does not declare it may not intercept. Raises `PluginError`."""
    makes = find_pack(name)
    module, _, attribute = target_of(name).partition(":")

    def grants(pack: Pack) -> Grants:
        return grants_at(f"{name}.intercept", manifest_of(pack).intercept or ())

    return Origin(makes, lambda made_by: configured(made_by, dict(configuration)), grants, module, attribute)


def of_instance(pack: Pack) -> Origin:
    """A pack that a program made itself; it is held to what it declares only where it declares something."""
    kind = type(pack)
    named = {target: target.split(":") for target in BUNDLED.values()}
    module, attribute = named.get(
        f"{_public(kind.__module__)}:{kind.__qualname__}", (kind.__module__, kind.__qualname__)
    )

    def make(makes: MakesPack) -> Pack:
        return pack if makes is kind else _alike(pack, makes)

    def grants(made: Pack) -> Grants | None:
        manifest = manifest_of(made)
        return None if manifest.intercept is None else grants_at(f"{manifest.name}.intercept", manifest.intercept)

    return Origin(kind, make, grants, module, attribute)


def _public(module: str) -> str:
    """The package around private modules."""
    return module.partition("._")[0]


def _alike(pack: object, makes: MakesPack) -> Pack:
    """Make a pack with the configuration of another; raises `PluginError`."""
    kind: Any = type(pack)
    if not attrs.has(kind):
        raise PluginError(f"the configuration of {kind.__name__} is not known: load it by name")
    made: Any = makes(**{one.alias: getattr(pack, one.name) for one in attrs.fields(kind) if one.init})
    manifest_of(made)
    return cast(Pack, made)
