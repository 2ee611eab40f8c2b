"""Policies: recipes, and edits of them by one part or several."""

from typing import Any

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamlaw_spec.policy_recipes import Dressing, Edit, Recipe

from ._lookup import register

ODD: tuple[Any, ...] = (0, 1, True, False, None, 1.0, -0.0, 0.0, "", "1", b"1", 2**53, 2**53 + 1, 256, 257, "é", "\n")
SCALARS = st.sampled_from(ODD) | st.integers() | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
SPELLED = SCALARS | st.tuples(SCALARS, SCALARS) | st.frozensets(SCALARS, max_size=4)
BOUND = st.recursive(
    SPELLED, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
)
DRESSINGS = st.builds(
    Dressing,
    name=st.sampled_from(["limits", "other", ""]),
    comment=st.sampled_from(["", "why", "return True"]),
    docstring=st.sampled_from(["", "Whether.", "True"]),
    local=st.sampled_from(["found", "n", "zzz", "a"]),
    blank_lines=st.sampled_from([0, 1, 300]),
    spaces=st.integers(1, 4),
    file=st.sampled_from(["<policy>", "/elsewhere/policy.py"]),
)
PARTS: dict[str, SearchStrategy[Any]] = {
    "constant": SPELLED,
    "operator": st.sampled_from(["<", "<=", ">", ">=", "==", "!=", "in", "not in"]),
    "bound_by_closure": BOUND,
    "bound_by_global": BOUND,
    "bound_by_default": BOUND,
    "bound_by_keyword": BOUND,
    "bound_by_partial": BOUND,
    "bound_to_object": BOUND,
    "on_fail": st.sampled_from(["block", "ask", "note"]),
    "severity": st.sampled_from(["low", "medium", "high"]),
    "reason": st.sampled_from(["over the limit", "Over the limit", "over the limit "]),
    "target": st.sampled_from([None, "finance", "legal"]),
    "timeout_s": st.sampled_from([None, 60.0, 61.0]),
    "hook": st.sampled_from(["pre", "post"]),
    "role": st.sampled_from([None, "clerk", "auditor"]),
    "junction": st.sampled_from(["", "&", "|"]),
    "swapped": st.booleans(),
    "negated": st.booleans(),
    "activated_by": st.sampled_from([None, "send", "sent"]),
    "dressing": DRESSINGS,
}
RECIPES: SearchStrategy[Recipe] = st.builds(Recipe, **PARTS)


BASES = (
    Recipe(),
    Recipe(junction="&", activated_by="send", target=None, timeout_s=None),
    Recipe(junction="|", swapped=True, role="clerk", target=None, timeout_s=None),
    Recipe(
        constant=frozenset({"a", "b"}), operator="in", negated=True, on_fail="block", bound_by_closure=[1, {"a": 0}]
    ),
)


@st.composite
def _edits(draw: st.DrawFn) -> Edit:
    """One part changed, or none, and the dressing."""
    before = draw(st.sampled_from(BASES))
    part = draw(st.sampled_from([*PARTS, "junction", "junction", "on_fail"]))  # these are seen in few of the bases
    return Edit(before, evolve(before, **{part: draw(PARTS[part]), "dressing": draw(DRESSINGS)}))


register(Recipe, RECIPES)
register(Edit, _edits())
