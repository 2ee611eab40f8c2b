"""Policies in YAML 1.2, of which only what JSON could say is taken: no tags, no merge keys, no key twice."""

from typing import Any

from ._document import Document, Places, Unreadable, inside, item

__all__ = ["read_yaml"]

JSON_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float", "str", "seq", "map"))
MOST_NODES = 100_000  # a few aliases can stand for billions


def read_yaml(text: str) -> Document:
    """Read one YAML document; raises `Unreadable`, also where the reader is not installed."""
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError
    except ModuleNotFoundError:
        raise Unreadable("YAML needs an extra: pip install 'seamlaw[yaml]'") from None
    yaml: Any = YAML(typ="safe", pure=True)
    try:
        root = yaml.compose(text)
        walk = _Walk(yaml.constructor)
        return Document(None if root is None else walk.value(root, ""), walk.lines)
    except YAMLError as error:
        raise _explained(error) from None


def _explained(error: Any) -> Unreadable:
    """Take the problem and its line; an error without a mark says both in its first line."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or str(error).split("\n")[0]
    return Unreadable(f"no YAML: {problem}", None if mark is None else mark.line + 1)


class _Walk:
    """Makes nodes into plain data, and notes their lines."""

    def __init__(self, constructor: Any) -> None:
        self.constructor = constructor
        self.lines: Places = {}
        self.nodes = 0

    def value(self, node: Any, place: str) -> Any:
        """Make one node, and all in it, into data."""
        line = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise Unreadable(f"more than {MOST_NODES} values, or an alias inside itself", line, place)
        if str(node.tag) not in JSON_TAGS:
            kind = str(node.tag).rpartition(":")[2]
            raise Unreadable(f"{kind} is no JSON; if it is text, put it in quotes", line, place)
        match node.id:
            case "mapping":
                return self.table(node, place)
            case "sequence":
                return [self.value(each, item(place, index)) for index, each in enumerate(node.value)]
            case _:
                return self.constructor.construct_object(node)

    def table(self, node: Any, place: str) -> dict[Any, Any]:
        """Make a mapping into data."""
        made: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if key_node.id != "scalar":
                raise Unreadable("a key must be text", line, place)
            key = self.value(key_node, inside(place, str(key_node.value)))
            here = inside(place, str(key))
            if key in made:
                raise Unreadable("is given twice", line, here)
            self.lines[here] = line
            made[key] = self.value(value_node, here)
        return made
