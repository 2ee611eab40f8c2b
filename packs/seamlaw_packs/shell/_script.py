"""What a script runs and writes: every simple command in it, wherever it stands."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from ._doubt import Doubt
from ._tree import tree_of
from ._words import ANYTHING, CLOSE, COMMA, END, GLOB, MARKS, OPEN, SET, SOME, expanded, spelled

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Command", "Script", "read_script"]

MOST_COMMANDS, MOST_WORDS = 100, 600
DEEPEST = 60
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")
OUTPUT = frozenset((">", ">>", ">|", "&>", "&>>", ">&", "<>"))
INPUT = frozenset(("<", "<&", "<&-", ">&-"))
EXPANSIONS = frozenset(
    ("simple_expansion", "expansion", "command_substitution", "arithmetic_expansion", "process_substitution")
)
DECLARES = frozenset(("declaration_command", "unset_command"))
EVALUATED = re.compile(r"\[[^\]]*(?:\$\(|`|\$\{)")  # a[$(…)] is run where text is taken for arithmetic
LITERAL = frozenset(
    ("raw_string", "ansi_c_string", "comment", "heredoc_start", "heredoc_end", "$", "`", "$(", "${", "<(", ">(", "$((")
)
EXPANDS = re.compile(r"\$[({]|`|[<>]\(")
TESTED = re.compile(r"'[^']*\[[^']*(?:\$\(|`)|\[[^\]]*\\(?:\$\(|`)")
SEPARATORS = frozenset(" \t\n;&|()<>")


@frozen
class Command:
    """A simple command: its words, the variables set for it, and what it reads, where that stands in the script."""

    words: tuple[str, ...]
    sets: tuple[tuple[str, str], ...] = ()
    input: str | None = None
    opaque_input: bool = False  # a here-document in which something is expanded


@define
class Script:
    """What was found in a script."""

    commands: list[Command] = field(factory=list[Command])
    writes: list[str] = field(factory=list[str])
    sets: list[tuple[str, str]] = field(factory=list[tuple[str, str]])


def read_script(text: str) -> Script:
    """Find every simple command, file written to and variable set; raises `Doubt`."""
    if CONTROL.search(text):
        raise Doubt("a control character stands in the command")
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raise Doubt("the command is no text") from None
    script = Script()
    pending: list[tuple[Node, int, tuple[Node, ...]]] = [(tree_of(text), 0, ())]
    while pending:
        node, depth, redirects = pending.pop()
        if depth > DEEPEST:
            raise Doubt("the command is nested too deep")
        inner = _look(node, redirects, script, raw)
        pending.extend((child, depth + 1, passed) for child, passed in inner)
        if len(script.commands) > MOST_COMMANDS or sum(map(_size, script.commands)) > MOST_WORDS:
            raise Doubt("the command has more parts than can be judged")
    script.commands.reverse()
    return script


def _size(command: Command) -> int:
    return len(command.words)


Inner = list[tuple["Node", tuple["Node", ...]]]


def _look(node: "Node", redirects: "tuple[Node, ...]", script: Script, raw: bytes) -> Inner:
    """Take down what a node says itself, and give the nodes within it that are to be looked at."""
    _check_joints(node, raw)
    if not node.children:
        _check_leaf(node, raw)
    if node.type in CHECKS:
        CHECKS[node.type](node, raw)
    found = tuple(child for child in node.children if child.type.endswith("redirect"))
    if node.type in SAYS:
        SAYS[node.type](node, (*redirects, *found), script, raw)
    if node.type == "redirected_statement":
        return [(child, () if child in found else found) for child in node.children]
    return [(child, ()) for child in node.children]


def _say_command(node: "Node", redirects: "tuple[Node, ...]", script: Script, raw: bytes) -> None:
    script.commands.append(_command(node, redirects, raw))


def _say_declaration(node: "Node", _: "tuple[Node, ...]", script: Script, raw: bytes) -> None:
    script.commands.append(_declaration(node, raw))


def _say_test(node: "Node", _: "tuple[Node, ...]", script: Script, raw: bytes) -> None:
    if TESTED.search(_source(node, raw)):
        raise Doubt("a text is given to what evaluates it as arithmetic")
    script.commands.append(Command(("[", *_arguments(node.named_children, raw))))


def _say_writes(node: "Node", _: "tuple[Node, ...]", script: Script, raw: bytes) -> None:
    script.writes.extend(_written(node, raw))


def _say_assignment(node: "Node", _: "tuple[Node, ...]", script: Script, raw: bytes) -> None:
    if node.parent is None or node.parent.type not in ("command", *DECLARES):
        script.sets.append(_assignment(node, raw))


def _say_loop(node: "Node", _: "tuple[Node, ...]", script: Script, raw: bytes) -> None:
    name = node.child_by_field_name("variable")
    if name is not None:
        script.sets.append((_source(name, raw), SOME))


def _source(node: "Node", raw: bytes) -> str:
    return raw[node.start_byte : node.end_byte].decode()


def _command(node: "Node", redirects: "tuple[Node, ...]", raw: bytes) -> Command:
    sets: list[tuple[str, str]] = []
    parts: list[Node] = []
    for child in node.children:
        if child.type == "variable_assignment":
            sets.append(_assignment(child, raw))
        elif child.is_named and not child.type.endswith("redirect") and child.type != "comment":
            parts.append(child)
        elif child.type in OUTPUT | INPUT:
            raise Doubt("a redirection cannot be parsed")
        elif not child.is_named and child.type not in ("\n", ";"):
            parts.append(child)
    body, opaque = _input(redirects, raw)
    words = tuple(_arguments(parts, raw))
    return Command(words, tuple(sets), body, opaque)


def _declaration(node: "Node", raw: bytes) -> Command:
    name, *rest = node.children
    sets = tuple(_assignment(child, raw) for child in rest if child.type == "variable_assignment")
    return Command((_source(name, raw), *_arguments([child for child in rest if child.is_named], raw)), sets)


def _arguments(nodes: "list[Node]", raw: bytes) -> Iterator[str]:
    for node in nodes:
        yield from expanded(word_of(node, raw))


def _assignment(node: "Node", raw: bytes) -> tuple[str, str]:
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None:
        raise Doubt("an assignment cannot be parsed")
    text = _source(name, raw).partition("[")[0]
    if value is None:
        return text, ""
    if value.type == "array":
        return text, SOME
    found = spelled(word_of(value, raw))
    if EVALUATED.search(_source(value, raw)):
        raise Doubt("a variable is set to what arithmetic would run")
    return text, found


def _input(redirects: "tuple[Node, ...]", raw: bytes) -> tuple[str | None, bool]:
    body, opaque = None, False
    for redirect in redirects:
        if redirect.type == "herestring_redirect":
            text = spelled("".join(word_of(child, raw) for child in redirect.named_children))
            body, opaque = text, opaque or not MARKS.isdisjoint(text)
        elif redirect.type == "heredoc_redirect":
            start = next((child for child in redirect.children if child.type == "heredoc_start"), None)
            found = next((child for child in redirect.children if child.type == "heredoc_body"), None)
            body = "" if found is None else _source(found, raw)
            quoted = start is not None and any(sign in _source(start, raw) for sign in "'\"\\")
            opaque = opaque or start is None or (not quoted and any(sign in body for sign in "$`\\"))
        elif any(child.type in ("<", "<&") for child in redirect.children):
            body, opaque = "", True
    return body, opaque


def _written(node: "Node", raw: bytes) -> Iterator[str]:
    operator = next((child.type for child in node.children if not child.is_named), "")
    if node.type == "herestring_redirect" or operator in INPUT:
        return
    if operator not in OUTPUT:
        raise Doubt("a redirection cannot be parsed")
    for target in node.children_by_field_name("destination"):
        word = spelled(word_of(target, raw))
        if operator == ">&" and (word.isdigit() or word == "-"):
            continue
        yield from expanded(word_of(target, raw))


def _check_comment(node: "Node", raw: bytes) -> None:
    """A comment begins where a word could; in the middle of one, `#` is text, and what follows is run."""
    before = raw[: node.start_byte].decode()
    if (before and before[-1] not in SEPARATORS) or before[-2:-1] == "\\":
        raise Doubt("a comment stands where the shell may see none")


def _check_substitution(node: "Node", raw: bytes) -> None:
    if b"\\`" in raw[node.start_byte : node.end_byte]:
        raise Doubt("backquotes stand in backquotes")


def _check_expansion(node: "Node", raw: bytes) -> None:
    if "@P" in _source(node, raw):
        raise Doubt("a variable is expanded as a prompt, which runs what stands in it")


def _check_joints(node: "Node", raw: bytes) -> None:
    """A line that goes on within a word is one word to the shell, and two to the grammar."""
    at = node.start_byte
    for child in node.children:
        if child.start_byte > at and b"\\\n" in raw[at : child.start_byte]:
            between = raw[at : child.start_byte].replace(b"\\\n", b"")
            if not between and at > node.start_byte:
                raise Doubt("a word goes over two lines")
        at = child.end_byte


def _check_leaf(node: "Node", raw: bytes) -> None:
    """What the shell would expand must not stand in what the grammar takes for plain text."""
    if node.type in LITERAL or (node.type == "heredoc_body" and _is_quoted(node, raw)):
        return
    if EXPANDS.search(re.sub(r"(?s)\\.", "", _source(node, raw))):
        raise Doubt("something is expanded where the grammar sees text")


def _is_quoted(body: "Node", raw: bytes) -> bool:
    start = (
        next((child for child in body.parent.children if child.type == "heredoc_start"), None) if body.parent else None
    )
    return start is not None and any(sign in _source(start, raw) for sign in "'\"\\")


def _check_function(node: "Node", raw: bytes) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        raise Doubt("a function cannot be parsed")
    if re.search(rf"(?<![\w.-]){re.escape(_source(name, raw))}(?![\w-])", _source(body, raw)):
        raise Doubt("a function calls itself")


def _check_word(node: "Node", raw: bytes) -> None:
    """What ends a word in the shell must not stand in one here."""
    plain = re.sub(r"(?s)\\.", "", _source(node, raw))
    if any(sign in plain for sign in " \t\n;&|<>'\"`") and (node.parent is None or node.parent.type != "heredoc_body"):
        raise Doubt("a word cannot be read as the shell reads it")


def word_of(node: "Node", raw: bytes) -> str:
    """What a word says, without its quotes, as far as that is known."""
    kind, text = node.type, _source(node, raw)
    if kind in EXPANSIONS:
        return SOME
    if kind in ("concatenation", "command_name"):
        return _joined(node, raw)
    if kind == "raw_string":
        return text[1:-1]
    if kind in ("string", "translated_string"):
        return _string(node, raw)
    if kind == "ansi_c_string":
        return _ansi(text[2:-1])
    if kind == "brace_expression":
        return GLOB
    if kind in ("word", "number", "variable_name", "special_variable_name", "test_operator") or not node.named_children:
        return _plain(text)
    if kind == "variable_assignment":
        name, value = _assignment(node, raw)
        return f"{name}={value}"
    return SOME


def _joined(node: "Node", raw: bytes) -> str:
    """The parts of a word; what stands between two of them and is no node (`{`, `,`) is text of it."""
    found, at = list[str](), node.start_byte
    for child in node.children:
        found.append(_plain(raw[at : child.start_byte].decode()))
        found.append(word_of(child, raw))
        at = child.end_byte
    found.append(_plain(raw[at : node.end_byte].decode()))
    return "".join(found)


def _string(node: "Node", raw: bytes) -> str:
    quote = raw.find(b'"', node.start_byte, node.end_byte)
    found, at = list[str](), quote + 1
    for child in node.children:
        if child.type in EXPANSIONS:
            found += [_escaped(raw[at : child.start_byte].decode()), ANYTHING]
            at = child.end_byte
    found.append(_escaped(raw[at : node.end_byte - 1].decode()))
    return "".join(found)


def _escaped(text: str) -> str:
    return re.sub(r'\\([$`"\\])', r"\1", text.replace("\\\n", ""))


ANSI = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "?": "?"}
ANSI_CODE = re.compile(r"(?s)\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))")


def _ansi(text: str) -> str:
    def said(found: re.Match[str]) -> str:
        for digits, base in ((found[1] or found[2] or found[3], 16), (found[4], 8)):
            if digits:
                code = int(digits, base)
                return chr(code) if 0x20 <= code < 0x7F or code in (9, 10) else ANYTHING
        return ANSI.get(found[5], ANYTHING)

    return ANSI_CODE.sub(said, text)


PLAIN = {"{": OPEN, ",": COMMA, "}": CLOSE, "*": GLOB, "?": GLOB, "[": SET, "]": END}
SIMPLE = re.compile(r"[\w./:=@%+~-]*")
ONE = re.compile(r"(?s)\\(.)|(.)")


def _plain(text: str) -> str:
    """Text without quotes: an escape is what it escapes; braces and wildcards are the shell's."""

    def said(found: re.Match[str]) -> str:
        if found[1] is not None:
            return "" if found[1] == "\n" else found[1]
        return PLAIN.get(found[2], found[2])

    return text if SIMPLE.fullmatch(text) else ONE.sub(said, text)


CHECKS: Mapping[str, Callable[["Node", bytes], None]] = {
    "comment": _check_comment,
    "expansion": _check_expansion,
    "function_definition": _check_function,
    "command_substitution": _check_substitution,
    "word": _check_word,
}
SAYS: Mapping[str, Callable[["Node", "tuple[Node, ...]", Script, bytes], None]] = {
    "command": _say_command,
    "declaration_command": _say_declaration,
    "unset_command": _say_declaration,
    "test_command": _say_test,
    "file_redirect": _say_writes,
    "herestring_redirect": _say_writes,
    "variable_assignment": _say_assignment,
    "for_statement": _say_loop,
    "c_style_for_statement": _say_loop,
}
