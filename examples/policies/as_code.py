"""The policy of coding_agent.toml, written in Python where code says more than data: `as_code.py:bundle`.

The recorded sessions come to the same verdicts under both. An interceptor fills the time-out, gates keep files and
removals inside, and a `Policy` says what a command must not do.
"""

import posixpath
import re
import shlex

from seamlaw import Ask, Block, Interceptors, Note, Policy, Replace, ToolCall, ask, block, gate, note, replace, rewriter

WORKSPACE = "/tmp/demo"
SHELLS = ["Bash", "run_command"]
WRITERS = ["Write", "Edit", "MultiEdit", "*write_file", "*edit_file", "*move_file"]
READERS = ["Read", "*read_file", "*read_text_file"]
PATHS = ("file_path", "path", "source", "destination")


def inside(path: object) -> bool:
    """Tell whether a path, as it is written, stays in the workspace."""
    return isinstance(path, str) and posixpath.normpath(path).startswith(WORKSPACE + "/")


def command(call: ToolCall) -> str:
    """The command line; one that is no text raises, which is a fault, which blocks."""
    found = call.arguments.get("command", "")
    if not isinstance(found, str):
        raise TypeError("a command must be text")
    return found


@rewriter(tools=SHELLS)
def timeout(call: ToolCall) -> Replace | None:
    """A command that names no time-out gets one."""
    key, value = ("timeout", 120_000) if call.name == "Bash" else ("timeout_s", 120)
    return None if key in call.arguments else replace(ToolCall(call.id, call.name, {**call.arguments, key: value}))


@gate(tools=WRITERS)
def writes_stay_inside(call: ToolCall) -> Block | None:
    """What names a file must name one of the workspace."""
    paths = [call.arguments[key] for key in PATHS if key in call.arguments]
    return None if paths and all(map(inside, paths)) else block("files are written in the workspace only")


@gate(tools=WRITERS + READERS)
def no_env_files(call: ToolCall) -> Block | None:
    """A .env file is not opened; what is no text could name one in a way that is not seen here."""
    paths = [call.arguments[key] for key in PATHS if call.arguments.get(key) is not None]
    if not all(isinstance(path, str) for path in paths):
        return block("a path is text")
    is_env = any(re.match(r"\.env(\.|$)", posixpath.basename(path)) for path in paths)
    return block("a .env file holds secrets") if is_env else None


@gate(tools=SHELLS)
def force_push(call: ToolCall) -> Ask | None:
    """The owner is asked before history is rewritten."""
    if re.search(r"git\s[^;&|]*push\s[^;&|]*(-f|--force|\s\+\w)", command(call)):
        return ask("a force push rewrites what others have fetched", target="cli://", severity="high")
    return None


@gate(tools=["Agent", "Task"])
def delegation(_: ToolCall) -> Note:
    """Worth knowing."""
    return note("work is handed to a sub-agent")


def removes_inside_only(call: ToolCall) -> bool:
    """Every argument of a recursive rm is a plain path into the workspace: nothing that the shell would expand."""
    if not re.search(r"\brm\s+-[^;&|]*[rR]", command(call)):
        return True
    words = shlex.split(command(call))
    paths = [word for word in words[1:] if not word.startswith("-")]
    plain = all(re.fullmatch(r"[\w./-]+", path) for path in paths)
    return words[0] == "rm" and plain and all(inside(posixpath.join(WORKSPACE, path)) for path in paths)


def runs_nothing_unread(call: ToolCall) -> bool:
    """What the network sends is not piped into a shell."""
    return not re.search(r"\b(curl|wget)\s[^;&]*\|\s*(sudo\s+)?(ba|da|z|k)?sh\b", command(call))


def names_no_env_file(call: ToolCall) -> bool:
    """No command names a .env file."""
    return not re.search(r"(^|[\s/\"'=<])\.env([^\w-]|$)", command(call))


def is_command(call: ToolCall) -> bool:
    """The policy is for shells."""
    return call.name in SHELLS


commands = (
    Policy("commands")
    .active_when(is_command)
    .require(removes_inside_only, reason="folders are removed in the workspace only", severity="high")
    .require(runs_nothing_unread, reason="what the network sends is not run unread", severity="high")
    .require(names_no_env_file, reason="a .env file holds secrets", severity="high")
)

bundle = Interceptors(tool_call=[timeout, writes_stay_inside, no_env_files, force_push, delegation, commands.as_gate()])
