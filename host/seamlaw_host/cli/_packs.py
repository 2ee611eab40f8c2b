"""`seamlaw packs`: which packs there are, what each may intercept and is configured by, and which are trusted."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._options import as_json, aside
from ._records import json_line
from ._screen import Screen, printable

if TYPE_CHECKING:
    from seamlaw_host.plugins import Project

__all__ = ["command"]

EPILOG = """\b
Examples:
  seamlaw packs list
  seamlaw packs show confirm --json
  seamlaw packs list ./packs/hours
  seamlaw packs trust ./packs/hours

\b
Exit codes:
  0  done
  1  a pack cannot be imported; nobody has confirmed
  2  usage: a bad option, no such pack, no pack in the folder
"""
HEADS = ("NAME", "VERSION", "FROM", "INTERCEPTS", "WHAT IT DOES")


@click.group(name="packs", epilog=EPILOG, short_help="Show the packs that there are; trust those of a project.")
def command() -> None:
    """Show the packs that there are, and trust those of a project's folder.

    A pack of a folder (pack.toml beside its modules) is loaded only if its content is trusted: all its files, as they
    are. A change of any of them ends that.
    """


@command.command(name="list")
@click.argument("folders", nargs=-1)
@as_json
def list_packs(folders: tuple[str, ...], as_json: bool) -> None:
    """List the packs that are installed, and those in these folders."""
    with aside():
        found = [*map(_installed, _names()), *map(_project, folders)]
    screen = Screen.of_stdout()
    for line in (json_line("pack", one) for one in found) if as_json else _table(found):
        screen.say(line)
    raise click.exceptions.Exit(int(any(one["problem"] for one in found)))


@command.command(name="show", short_help="Show one pack: what it intercepts, and its configuration.")
@click.argument("pack")
@as_json
def show(pack: str, as_json: bool) -> None:
    """Show one pack, by its name or its folder: what it intercepts, and how it is configured.

    With --json, the configuration is a JSON Schema. Of a folder nothing is executed, and so its schema is not known.
    """
    from seamlaw_host.plugins import find_pack, schema_of

    with aside():
        if _is_folder(pack):
            found = _project(pack) | {"schema": None}
        else:
            found = _installed(pack) | {"schema": schema_of(find_pack(pack))}
    screen = Screen.of_stdout()
    for line in [json_line("pack", found)] if as_json else _shown(found):
        screen.say(line)


@command.command(name="trust", short_help="Trust the pack of a folder, as it is now.")
@click.argument("folder")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Trust it no more.")
def trust(folder: str, yes: bool, revoke: bool) -> None:
    """Trust the pack of a folder, as it is now: it may then be loaded, and intercept what it declares."""
    from seamlaw_host.plugins import TrustStore, read_project

    project, store = read_project(folder), TrustStore()
    screen = Screen.of_stdout()
    if revoke:
        was = store.remove(project.digest)
        screen.say(f"{printable(project.manifest.name)} is not trusted" + ("" if was else ", and was not"))
        return
    for line in _about(project):
        screen.say(line)
    if not yes and not click.confirm("Trust exactly this?", err=True):
        raise click.exceptions.Exit(1)
    store.add(project.digest, _kept(project))
    screen.say(f"{printable(project.manifest.name)} is trusted, as it is now")


def _is_folder(pack: str) -> bool:
    return "/" in pack or pack in (".", "..")


def _names() -> list[str]:
    from seamlaw_host.plugins import pack_names

    return pack_names()


def _installed(name: str) -> dict[str, Any]:
    """What an installed pack says of itself; of one that cannot be imported, why."""
    from seamlaw_host.plugins import BUNDLED, Misconfigured, PluginError, find_pack
    from seamlaw_host.plugins._grants import grants_at
    from seamlaw_host.plugins._pack import manifest_of

    found: dict[str, Any] = {"name": name, "version": None, "from": "seamlaw" if name in BUNDLED else "installed"}
    found |= {"intercept": [], "description": None, "trusted": True, "problem": None}
    try:
        makes = find_pack(name)
        try:
            manifest = manifest_of(makes)
        except Misconfigured:  # a function that makes one tells nothing before it is called
            return found
        declared = grants_at("intercept", manifest.intercept or ()).listed
        return found | {"version": manifest.version, "intercept": declared, "description": manifest.description}
    except PluginError as error:
        if name not in _names():
            raise
        return found | {"problem": str(error)}


def _project(folder: str) -> dict[str, Any]:
    from seamlaw_host.plugins import TrustStore, read_project

    project = read_project(folder)
    manifest = project.manifest
    return {
        "name": manifest.name,
        "version": manifest.version,
        "from": str(project.folder),
        "intercept": project.grants.listed,
        "description": manifest.description,
        "trusted": TrustStore().trusts(project.digest),
        "problem": None,
        "digest": project.digest,
    }


def _table(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    rows = [HEADS, *map(_row, found)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS) - 1)]
    for row in rows:
        yield "  ".join([*(text.ljust(width) for text, width in zip(row, widths, strict=False)), row[-1]]).rstrip()


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    told = one["problem"] or one["description"] or ""
    trusted = "" if one["trusted"] else "NOT TRUSTED: "
    cells = one["name"], one["version"] or "?", one["from"], ", ".join(one["intercept"]) or "?", f"{trusted}{told}"
    return tuple(map(printable, cells))


def _shown(one: dict[str, Any]) -> Iterator[str]:
    yield printable(f"{one['name']} {one['version'] or '?'}: {one['problem'] or one['description'] or ''}")
    yield printable(f"from        {one['from']}" + ("" if one["trusted"] else " (not trusted)"))
    yield printable(f"intercepts  {', '.join(one['intercept']) or 'nothing that it declares'}")
    schema: dict[str, Any] | None = one["schema"]
    for key, said in (schema or {}).get("properties", {}).items():
        needed = " (needed)" if schema is not None and key in schema["required"] else ""
        yield printable(f"  {key:<12}{_kind(said)}{needed}")


def _kind(said: dict[str, Any]) -> str:
    from seamlaw_host.plugins._schema import words

    return words(said) if said.keys() & {"anyOf", "enum", "type"} else "anything"


def _about(project: "Project") -> Iterator[str]:
    manifest = project.manifest
    yield printable(f"{manifest.name} {manifest.version}: {manifest.description}")
    yield printable(f"from        {project.folder}")
    yield printable(f"intercepts  {', '.join(project.grants.listed) or 'nothing'}")
    yield printable(f"files       {', '.join(sorted(project.sources.files))}")
    yield f"content     {project.digest}"


def _kept(project: "Project") -> dict[str, object]:
    manifest = project.manifest
    return {
        "name": manifest.name,
        "version": manifest.version,
        "intercept": project.grants.listed,
        "folder": str(Path(project.folder)),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
