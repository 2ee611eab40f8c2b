"""Grants: what one covers is never more than what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw import Globs, gate
from seamlaw_host.plugins import PluginError
from seamlaw_host.plugins._grants import grants_at

GLOBS = st.text("ab*?[!]", min_size=1, max_size=4)
NAMES = st.text("ab*?[!]", max_size=5)


def _is_glob(text: str) -> bool:
    try:
        return bool(Globs(text).patterns)
    except ValueError:
        return False


@given(GLOBS.filter(_is_glob), GLOBS.filter(_is_glob), st.lists(NAMES))
def test_what_is_covered_is_within_the_grant(granted: str, wanted: str, names: list[str]) -> None:
    """An interceptor that is covered is for no tool that the grant is not for, whatever its name."""
    grants = grants_at("intercept", [f"tool_call:{granted}"])
    if grants.lacking("tool_call", gate(lambda call: None, tools=wanted)) is None:
        assert all(Globs(granted).admit(name) for name in names if Globs(wanted).admit(name))


@given(GLOBS.filter(_is_glob), GLOBS.filter(_is_glob))
def test_what_it_says_is_lacking_is_enough(granted: str, wanted: str) -> None:
    """With what is said to be lacking, nothing is lacking; and each seam is granted by itself."""
    made = gate(lambda call: None, tools=wanted)
    lacking = grants_at("intercept", [f"tool_call:{granted}"]).lacking("tool_call", made)
    given_more = [f"tool_call:{granted}", *([] if lacking is None else [lacking.strip('"')])]
    assert grants_at("intercept", given_more).lacking("tool_call", made) is None
    assert grants_at("intercept", given_more).lacking("tool_result", made) is not None


@pytest.mark.parametrize("typo", ["tool_cal", "tol_call:bash", "handler", "Context"])
def test_a_typo_in_a_seam_is_refused(typo: str) -> None:
    """Else the pack would be there, and its gate would not."""
    with pytest.raises(PluginError, match=r"intercept\[1\]: no seam is called .*; did you mean "):
        grants_at("intercept", ["tool_call", typo])
