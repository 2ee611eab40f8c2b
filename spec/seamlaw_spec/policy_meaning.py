"""A second, naive account of what a policy means, as plain logic.

It shares nothing with the kernel's tables. What a part that faulted could have said is enumerated: it held, or it did
not. What is not applicable is left out.
"""

from collections.abc import Iterator
from itertools import product

from attrs import frozen

from seamlaw import Level, Result

from .policy_domains import FAULTS, GRAVITY, LEAVES, Hook, Says, Token, Tree, reason

__all__ = ["Way", "failures", "means", "ways"]


@frozen
class Way:
    """What an expression comes to, had every part that faulted said something: how it holds, and what that means."""

    holds: bool | None  # None where it is not applicable
    level: Level = Level.ALLOW
    failures: tuple[str, ...] = ()


def ways(tree: Tree, hook: Hook) -> Iterator[Way]:
    """Every way it could have been: each part that faulted held, or did not."""
    faults = _faults(tree, hook)
    for guesses in product((True, False), repeat=faults):
        yield _way(tree, hook, iter(guesses), upright=True)


def means(tree: Tree, hook: Hook) -> Result:
    """The result: what every way to fill in the faults agrees on, and where they do not, unknown."""
    guesses = product((True, False), repeat=_faults(tree, hook))
    agreed = {_truth(tree, hook, iter(guess)) for guess in guesses}
    if len(agreed) > 1:
        return Result.FAULTED
    return {None: Result.NOT_APPLICABLE, True: Result.PASSED, False: Result.FAILED}[agreed.pop()]


def _truth(tree: Tree, hook: Hook, guesses: Iterator[bool]) -> bool | None:
    """Whether an expression holds, read as plain logic; `None` where it is not applicable."""
    if tree.token in (Token.INACTIVE, Token.OTHERS):
        return None
    if tree.token in LEAVES:
        lines = [line for line in LEAVES[tree.token] if line.hook == hook]
        enforced = [line for line in lines if line.on_fail != "note" or line.says in FAULTS]
        said = [next(guesses) if line.says in FAULTS else line.says is Says.HOLDS for line in enforced]
        return all(said) if said else None
    parts = [_truth(part, hook, guesses) for part in tree.parts]
    known = [part for part in parts if part is not None]
    if not known:
        return None
    match tree.token:
        case Token.NOT:
            return not known[0]
        case Token.OR:
            return any(known)
        case _:
            return all(known)


def failures(tree: Tree, hook: Hook) -> tuple[str, ...]:
    """The reasons of what fails for sure and makes the whole fail, in order, however the faults are filled in."""
    first, *others = ways(tree, hook)
    return tuple(reason for reason in first.failures if all(reason in other.failures for other in others))


def _faults(tree: Tree, hook: Hook) -> int:
    if tree.token in (Token.INACTIVE, Token.OTHERS):
        return 0
    mine = [line for line in LEAVES.get(tree.token, ()) if line.hook == hook]
    return sum(line.says in FAULTS for line in mine) + sum(_faults(p, hook) for p in tree.parts)


def _way(tree: Tree, hook: Hook, guesses: Iterator[bool], *, upright: bool) -> Way:
    """One way; `upright` is whether an even number of `~` stands above."""
    if tree.token in (Token.INACTIVE, Token.OTHERS):
        return Way(None)
    if tree.token in LEAVES:
        return _way_of_leaf(tree.token, hook, guesses, upright=upright)
    turned = upright is not (tree.token is Token.NOT)
    parts = [_way(part, hook, guesses, upright=turned) for part in tree.parts]
    if tree.token in (Token.NOT, Token.MINE):
        return parts[0]
    judged = [part for part in parts if part.holds is not None]
    every = all if (tree.token is Token.AND) is upright else any
    holds = every(bool(part.holds) for part in judged) if judged else None
    guilty = [part for part in judged if part.holds is False] if holds is False else []
    strictest = max((part.level for part in guilty), key=GRAVITY.__getitem__, default=Level.ALLOW)
    return Way(holds, strictest, tuple(reason for part in guilty for reason in part.failures))


def _way_of_leaf(token: Token, hook: Hook, guesses: Iterator[bool], *, upright: bool) -> Way:
    lines = [(at, line) for at, line in enumerate(LEAVES[token]) if line.hook == hook]
    said = [(at, line, next(guesses) if line.says in FAULTS else line.says is Says.HOLDS) for at, line in lines]
    enforced = [found for found in said if found[1].on_fail != "note" or found[1].says in FAULTS]
    if not enforced:
        return Way(None)
    held = all(found[2] for found in enforced)
    guilty = enforced if held else [found for found in enforced if not found[2]]
    strictest = max((Level(line.on_fail) for _, line, _ in guilty), key=GRAVITY.__getitem__)
    if held is upright:
        return Way(True)
    if held:
        return Way(False, strictest, ("must not hold: " + "; ".join(reason(token, at) for at, _, _ in enforced),))
    sure = tuple(reason(token, at) for at, line, _ in guilty if line.says is Says.FAILS)
    return Way(False, strictest, sure)
