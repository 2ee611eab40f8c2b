"""Mutants that nothing can notice, each with the reason: the changed kernel does the same."""

from collections.abc import Mapping

__all__ = ["EQUIVALENT"]

_CHECKED = "checked() gives back the very bundle it is given, so either side of `and` says what both say"
_POSIX = "a path on POSIX, where the matrix is made, is written without backslashes, so nothing is replaced"

EQUIVALENT: Mapping[str, str] = {
    r"seamlaw._step table: another text: '\\'": _POSIX,
    "seamlaw._step table: another text: '/'": _POSIX,
    r"seamlaw._step told: another text: '\\'": _POSIX,
    "seamlaw._step told: another text: '/'": _POSIX,
    "seamlaw._step conclude: without part 0: worst is None or verdict is Verdict.PROCEED": (
        "where nothing was found the verdict is that of the level ALLOW, which is PROCEED, so the other part holds too"
    ),
    "seamlaw._step deciding: and for or: checked(bundle) and bundle": _CHECKED,
    "seamlaw._step deciding: without part 1: checked(bundle) and bundle": _CHECKED,
    "seamlaw._watch handle: and for or: checked(bundle) and bundle": _CHECKED,
    "seamlaw._watch handle: without part 1: checked(bundle) and bundle": _CHECKED,
    "seamlaw._watch observe: and for or: checked(bundle) and bundle": _CHECKED,
    "seamlaw._watch observe: without part 1: checked(bundle) and bundle": _CHECKED,
    "seamlaw._step asking: continue: break": (
        "a state that is stopped stays so, and each that is left is passed over in turn without being asked"
    ),
    "seamlaw._step decide_async: another text: 'Outcome[V]'": "the first argument of cast() is for type checkers alone",
}
