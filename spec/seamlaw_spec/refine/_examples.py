"""Two policies tried on calls made around the constants of both, and on those calls spelled otherwise."""

from collections.abc import Iterator
from functools import partial

from seamlaw import TOOL_CALL, Interceptors, merge
from seamlaw_spec.kit._constants import constants_of
from seamlaw_spec.kit._explore import generated
from seamlaw_spec.kit._parts import Part, Shown, Subject, hear, parts_of
from seamlaw_spec.kit._shrink import shrink_shown
from seamlaw_spec.kit._twins import asked_keys, map_texts
from seamlaw_spec.kit._values import shown_at
from seamlaw_spec.kit._watchdog import Overran, within

from ._refinement import Refinement, loosened

__all__ = ["by_examples", "keeps_state", "keys_of"]

ODD = ("\n", "\t", " ", "\u00a0", "x", "")
SECONDS = 1.0


def by_examples(
    old: Subject, new: Subject, *, examples: int, blocks_only: bool = False, seed: int = 0
) -> Refinement | None:
    """The smallest call found on which the new policy is looser, both being fresh; `None` if none was."""
    how = f"found among {examples} calls and their other spellings"

    def differs(shown: Shown) -> Refinement | None:
        try:
            with within(SECONDS):
                return loosened(old.fresh(), new.fresh(), shown.value, shown.scope, how, blocks_only)
        except Overran:
            return None

    for shown in _calls(old.fresh(), new.fresh(), examples, seed):
        if differs(shown):
            return differs(shrink_shown(shown, lambda other: differs(other) is not None))
    return None


def _parts(*bundles: Interceptors) -> list[Part]:
    both = merge(*bundles) or Interceptors()
    return [part for part in parts_of(Subject("both", lambda: both, is_factory=False)) if part.seam == TOOL_CALL]


def _calls(old: Interceptors, new: Interceptors, examples: int, seed: int) -> Iterator[Shown]:
    parts, keys = _parts(old, new), keys_of(old, new)
    for part in parts:
        each = max(examples // len(parts), 20)
        for shown in generated(shown_at(part, constants_of(part.fresh()), keys), each, seed):
            yield shown
            yield from _spelled(shown)


def _spelled(shown: Shown) -> Iterator[Shown]:
    """The same with the end of the name put otherwise, and with all texts in the other case."""
    for odd in ODD:
        yield map_texts(shown, partial(_ending, odd, 1))
        yield map_texts(shown, partial(_ending, odd, 0))
    yield map_texts(shown, lambda text, at: text.swapcase() if at != "/name" else text)


def _ending(odd: str, less: int, text: str, at: str) -> str:
    return text[: len(text) - less] + odd if at == "/name" else text


def keys_of(*bundles: Interceptors) -> set[str]:
    """The arguments that policies ask for."""
    keys = set[str]()
    for part in _parts(*bundles):
        shown = shown_at(part, constants_of(part.fresh()), keys)
        keys |= {key for one in generated(shown, 25) for key in _asked(part, one)}
    return keys


def keeps_state(subject: Subject) -> bool:
    """Whether a part of a policy answers otherwise when it has been asked before."""
    return any(map(_remembers, (part for part in parts_of(subject) if part.seam == TOOL_CALL)))


def _remembers(part: Part) -> bool:
    asked = part.fresh()
    for shown in generated(shown_at(part, constants_of(asked), set()), 30):
        try:
            if hear(part, asked, shown).gist() != hear(part, part.fresh(), shown).gist():
                return True
        except Overran:
            return True
    return False


def _asked(part: Part, shown: Shown) -> set[str]:
    try:
        return asked_keys(part, shown)
    except Overran:
        return set()
