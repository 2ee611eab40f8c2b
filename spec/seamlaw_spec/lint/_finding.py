"""What a lint finds."""

from enum import Enum
from typing import Any

from attrs import frozen

from seamlaw_spec.rules_smt import Witness

__all__ = ["Finding", "Level"]


class Level(Enum):
    """How likely it is a mistake: it certainly does not do what it says, it likely does not, it is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@frozen
class Finding:
    """One thing found: its kind, whom it is about, what is the matter, and a call that shows it, if one does."""

    level: Level
    kind: str
    about: str
    problem: str
    witness: Witness | None = None

    def data(self) -> dict[str, Any]:
        """The finding as data, for `--json`."""
        told: dict[str, Any] = {"level": self.level.value, "kind": self.kind, "about": self.about}
        told["problem"] = self.problem
        if self.witness is not None:
            call = self.witness.call
            told["call"] = {"tool": call.name, "arguments": call.arguments, "agent": self.witness.scope.agent}
        return told
