"""Play recorded calls through a policy: what it would have decided, what that changes, and why."""

from ._changes import Leaf as Leaf
from ._changes import compared as compared
from ._changes import json_text as json_text
from ._differences import Difference as Difference
from ._differences import differences as differences
from ._explain import Explanation as Explanation
from ._explain import Step as Step
from ._explain import explain as explain
from ._fixtures import Fixtures as Fixtures
from ._fixtures import decided_again as decided_again
from ._judge import Judge as Judge
from ._judge import Judged as Judged
from ._tally import Tally as Tally

__all__ = [
    "Difference",
    "Explanation",
    "Fixtures",
    "Judge",
    "Judged",
    "Leaf",
    "Step",
    "Tally",
    "compared",
    "decided_again",
    "differences",
    "explain",
    "json_text",
]
