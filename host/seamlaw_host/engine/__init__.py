"""The one place that runs a guarded tool, and what is seen from inside a call."""

from ._actions import Reversibility as Reversibility
from ._actions import ReversibleAction as ReversibleAction
from ._actions import RollbackFailed as RollbackFailed
from ._actions import aundoable as aundoable
from ._actions import undoable as undoable
from ._context import CallContext as CallContext
from ._context import context as context
from ._context import current_scope as current_scope
from ._context import session as session
from ._engine import Engine as Engine
from ._events import Event as Event
from ._guard import guard as guard
from ._protocols import Approvals as Approvals
from ._protocols import Pending as Pending
from ._protocols import Plugins as Plugins
from ._protocols import Recorder as Recorder
from ._registry import Agent as Agent
from ._registry import Registry as Registry
from ._registry import UnknownAgent as UnknownAgent

__all__ = [
    "Agent",
    "Approvals",
    "CallContext",
    "Engine",
    "Event",
    "Pending",
    "Plugins",
    "Recorder",
    "Registry",
    "Reversibility",
    "ReversibleAction",
    "RollbackFailed",
    "UnknownAgent",
    "aundoable",
    "context",
    "current_scope",
    "guard",
    "session",
    "undoable",
]
