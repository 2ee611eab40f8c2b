"""Variables by which a command runs something else than it says."""

import re

from ._words import is_known

__all__ = ["is_harmless"]

RUN = re.compile(
    r"LD_\w*|DYLD_\w*|BASH_ENV|ENV|IFS|PS[0-4]|PROMPT_COMMAND|SHELL|SHELLOPTS|BASHOPTS|BASH_FUNC\w*|GLOBIGNORE|CDPATH|"
    r"GIT_\w*|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|LESS|MANROFFOPT|PERL5?\w*(?:OPT|LIB|DB)|RUBYOPT|RUBYLIB|"
    r"NODE_OPTIONS|PYTHON(?:STARTUP|HOME|INSPECT|BREAKPOINT|WARNINGS)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|HOME|XDG_\w+|"
    r"\w*_WRAPPER|RSYNC_RSH|SUDO_ASKPASS|SSH_ASKPASS|TAR_OPTIONS|GREP_OPTIONS|MAKEFLAGS|npm_config_\w+|PATH|HISTFILE"
)
FINE = re.compile(
    r"GIT_(?:AUTHOR|COMMITTER)_\w+|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|GIT_PAGER_IN_USE|GIT_TRACE\w*(?==)|GIT_SEQUENCE_\w+(?==:)"
)
HARMLESS_VALUES = frozenset(("", "cat", "less", "more", "true", ":", "false", "0", "1", "never", "-R", "-FRX", "-FX"))
NODE = re.compile(
    r"(?:--(?:max-old-space-size=\d+|no-warnings|enable-source-maps|trace-warnings|experimental-vm-modules) ?)*"
)


def is_harmless(name: str, value: str, *, any_program: bool) -> bool:
    """Whether to set a variable changes nothing of what runs; where any program may run, `PATH` does not matter."""
    if not is_known(name) or not name.isascii():  # which is no name to a shell: it is a command, "é=1"
        return False
    if not RUN.fullmatch(name) or FINE.fullmatch(name):
        return True
    if name == "PATH":
        return any_program
    if name == "NODE_OPTIONS":
        return is_known(value) and NODE.fullmatch(value) is not None
    return value in HARMLESS_VALUES and name not in ("IFS", "PATH", "HOME")
