"""Read recorded agent sessions, in the shapes people really have, as calls and their results."""

from seamlaw_host.errors import UnknownShape as UnknownShape

from ._events import Event as Event
from ._events import Malformed as Malformed
from ._events import Recorded as Recorded
from ._events import Session as Session
from ._events import Was as Was
from ._read import read_session as read_session
from ._shapes import SHAPES as SHAPES
from ._shapes import Shape as Shape

__all__ = ["SHAPES", "Event", "Malformed", "Recorded", "Session", "Shape", "UnknownShape", "Was", "read_session"]
