"""Merging bundles: concatenation per seam, in the order of the arguments."""

from seamlaw import SEAMS, Interceptors, State, Verdict, merge
from seamlaw_spec._law import law
from seamlaw_spec.bundles import OWN_SEAMS, Part, Slot, answering, bundle, held
from seamlaw_spec.domains import OPEN, Heard, chain, gates, run, verdict
from seamlaw_spec.places import OWN_OPEN

EMPTY = Interceptors()


@law(by="HCPE")
def merge_is_a_monoid(first: list[Part], second: list[Part], third: list[Part]) -> bool:
    """Merging is associative, with the empty bundle, and `None`, as identity."""
    a, b, c = bundle(first, "a"), bundle(second, "b"), bundle(third, "c")
    whole = merge(a, b, c)
    identities = [merge(EMPTY, a), merge(a, EMPTY), merge(None, a), merge(a, None), merge(a)]
    return merge(merge(a, b), c) == whole == merge(a, merge(b, c)) and all(
        one is (a if first else None) for one in identities
    )


@law(by="HCE")
def merging_nothing_is_none(nones: list[bool]) -> bool:
    """Where all inputs are empty or `None`, so is the result: `None`."""
    empty = Interceptors(seams={OWN_OPEN: ()})
    return merge(*(None if is_none else empty for is_none in nones)) is None and not EMPTY and not empty


@law(by="HCE")
def merging_one_is_that_one(before: list[bool], parts: list[Part], last: Part, after: list[bool]) -> bool:
    """One contributing bundle passes through as the same object, whatever stands empty around it."""
    one = bundle([*parts, last])
    around = [[None if is_none else EMPTY for is_none in nones] for nones in (before, after)]
    return merge(*around[0], one, *around[1]) is one and bool(one)


@law(by="HCPE")
def merge_keeps_order_and_inputs(sources: list[list[Part]]) -> bool:
    """The order within each input and across inputs is kept in every slot; no input changes."""
    inputs = [bundle(parts, f"s{at}") for at, parts in enumerate(sources)]
    merged = merge(*inputs)
    return all(held(merged, slot) == sum((held(one, slot) for one in inputs), ()) for slot in Slot) and inputs == [
        bundle(parts, f"s{at}") for at, parts in enumerate(sources)
    ]


@law(by="HCPE")
def plugins_run_before_host(plugins: list[Part], host: list[Part]) -> bool:
    """In the chain every plugin interceptor precedes every host interceptor; gates of both come after both chains.

    Rules that fill come before every chain, and rules that judge after it.
    """
    merged = merge(bundle(plugins, "plugin"), bundle(host, "host")) or EMPTY
    return all(_is_in_order(merged, slot) for slot in Slot)


def _is_in_order(merged: Interceptors, slot: Slot) -> bool:
    """Whether everyone is there once, sorted by phase, and in the chain by source."""
    seam = OWN_SEAMS.get(slot) or SEAMS.get(slot.value)
    if seam is None:
        return True
    ordered = merged.ordered(seam)
    rules = {rule.name for at in (Slot.FILLS, Slot.JUDGES) for rule in held(merged, at)}
    places = [_place(asked.name, asked.is_gate, asked.name in rules) for asked in ordered]
    given = held(merged, slot) + (merged.by_rule if slot is Slot.TOOL_CALL else ())
    return places == sorted(places) and sorted(one.name for one in given) == sorted(one.name for one in ordered)


def _place(name: str, is_gate: bool, is_rule: bool) -> tuple[bool, bool, str]:
    """Fills, chain, judges, gates; in each the plugins first, and each source in its own order."""
    source, at = name.split(":")
    return is_gate, not is_rule, f"{source != 'plugin'}{int(at):05}"


@law(by="HCPE")
def a_block_is_never_undone(
    own: list[Heard], judges: list[Heard], others: list[Heard], other_judges: list[Heard], is_last: bool, number: int
) -> bool:
    """No answer of another source turns a block, on the same value, into anything else, whether before or after."""
    ours = [*chain(own), *gates(judges)]
    theirs = [*chain(others, 50), *gates(other_judges, 50)]
    sources = [answering(theirs), answering(ours)] if is_last else [answering(ours), answering(theirs)]
    said = {entry.interceptor: entry for entry in (*ours, *theirs)}
    merged = [said[asked.name] for asked in (merge(*sources) or EMPTY).ordered(OPEN)]
    alone, together = run(State(number), ours).state, run(State(number), merged).state
    return verdict(alone) is not Verdict.BLOCK or verdict(together) is Verdict.BLOCK
