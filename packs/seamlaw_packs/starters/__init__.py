"""Policies to begin with, one for each kind of agent: TOML files to copy and change."""

from importlib.resources import files

from seamlaw_packs.errors import InvalidPack

__all__ = ["starter", "starters"]

_HERE = files(__name__)
_END = ".toml"


def starters() -> tuple[str, ...]:
    """The names of all."""
    return tuple(sorted(file.name.removesuffix(_END) for file in _HERE.iterdir() if file.name.endswith(_END)))


def starter(name: str) -> str:
    """The text of one; raises `InvalidPack` where there is none of this name."""
    if name not in starters():
        raise InvalidPack("starter", f"must be one of {', '.join(starters())}")
    return (_HERE / f"{name}{_END}").read_text("utf-8")
