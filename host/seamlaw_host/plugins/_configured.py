"""A pack, made of a configuration that came from a file."""

import re
from collections.abc import Mapping
from typing import Any

from seamlaw import Interceptors
from seamlaw_packs.errors import InvalidPack

from ._pack import MakesPack, Pack, manifest_of, raised
from ._schema import check
from .errors import Misconfigured

__all__ = ["configured", "interceptors_of"]

KEY_OF = "a key of "
QUOTED = re.compile(r"\['([^']*)'\]")


def configured(makes: MakesPack, given: object) -> Pack:
    """Make a pack of a table that came from a file; raises `Misconfigured`, with the place in the table."""
    table = check(makes, given)
    try:
        made: Any = makes(**table)
    except InvalidPack as error:
        raise _placed(error, table) from None
    except Exception as error:
        raise Misconfigured("", f"cannot be made: {raised(error)}") from error
    manifest_of(made)
    pack: Pack = made
    return pack


def interceptors_of(pack: Pack) -> Interceptors:
    """What a pack answers with; raises `Misconfigured`."""
    try:
        given = pack.interceptors()
    except Exception as error:
        raise Misconfigured("", f"has no interceptors: {raised(error)}") from error
    if type(given) not in (Interceptors, type(None)):
        raise Misconfigured("", f"its interceptors() gave {type(given).__name__}, not Interceptors")
    return given or Interceptors()


def _placed(error: InvalidPack, table: Mapping[str, object]) -> Misconfigured:
    """Write the place as places in files are written; one that is no key of the table is told with the problem."""
    place, problem = error.place, error.problem
    if place.startswith(KEY_OF):
        place, problem = place.removeprefix(KEY_OF), f"a key {problem}"
    place = QUOTED.sub(r".\1", place)
    if re.split(r"[.\[]", place)[0] in table:
        return Misconfigured(place, problem)
    return Misconfigured("", f"{place}: {problem}")
