"""The claims, one module for each thing they are about; a law is proved by some of them."""

from ._asks import ASKS
from ._bundles import BUNDLES
from ._chain import CHAIN
from ._gates import GATES
from ._kept import KEPT
from ._policies import POLICIES
from ._precedence import PRECEDENCE
from ._rules import RULES

__all__ = ["ASKS", "BUNDLES", "CHAIN", "GATES", "KEPT", "POLICIES", "PRECEDENCE", "RULES"]
