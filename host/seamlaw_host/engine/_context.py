"""Who is calling and what is being decided, as the code inside a call sees it: ambient, by a context variable."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from attrs import evolve

from seamlaw import FrozenDict, Scope, ToolCall, ToolResult
from seamlaw_host.errors import HostError
from seamlaw_host.state import Attempt

if TYPE_CHECKING:
    from ._engine import Engine

T = TypeVar("T")

__all__ = ["CallContext", "Here", "context", "current_scope", "here", "session"]


class CallContext:
    """One call on its way: what predicates, undo functions and tools can ask about it.

    `call` is, to a gate, what it judges; to an interceptor of the chain, what was proposed; after the decision, what
    runs. `result` is `None` until the tool has run. Nobody can change what was proposed, nor who is calling.
    """

    __slots__ = (
        "_attempt",
        "_engine",
        "_proposed",
        "_scope",
        "_told",
        "by",
        "call",
        "checksum",
        "meters",
        "result",
        "snapshot",
    )

    def __init__(self, engine: "Engine", proposed: ToolCall, scope: Scope, attempt: str) -> None:
        self._engine = self.by = engine  # `by`: held to what the engines around it are held to
        self._proposed = proposed
        self.call = proposed
        self._scope = scope
        self._attempt = attempt
        self._told: dict[str, object] = {}
        self.meters = Attempt()  # what has counted this call, and is told how it ended
        self.result: ToolResult | None = None
        self.snapshot: object = None
        self.checksum: str | None = None

    @property
    def engine(self) -> "Engine":
        """The engine that decides."""
        return self._engine

    @property
    def proposed(self) -> ToolCall:
        """The call as it came."""
        return self._proposed

    @property
    def scope(self) -> Scope:
        """Who is calling."""
        return self._scope

    @property
    def attempt(self) -> str:
        """What names this call in the records."""
        return self._attempt

    @property
    def tool(self) -> str:
        """The name of the tool."""
        return self.call.name

    @property
    def arguments(self) -> FrozenDict:
        """The arguments, frozen."""
        return self.call.arguments

    @property
    def domain(self) -> str | None:
        """What the caller works on, as `session(domain=…)` says."""
        return self.scope.domain

    @property
    def session(self) -> str | None:
        """The session."""
        return self.scope.session

    @property
    def agent(self) -> str | None:
        """Who is calling."""
        return self.scope.agent

    @property
    def role(self) -> str | None:
        """The caller's role."""
        return self.scope.role

    @property
    def trust(self) -> str | None:
        """How far the caller is trusted."""
        return self.scope.trust

    @property
    def chain(self) -> tuple[str, ...]:
        """The agents that delegated, from the first to the acting one."""
        return self.scope.chain

    @property
    def depth(self) -> int:
        """How often the work was delegated: hops, not names."""
        return max(len(self.scope.chain) - 1, 0)

    @property
    def step(self) -> int:
        """Which call of its session this is, from 1; blocked ones count."""
        return self._tell("step", self._engine.attempts(self.scope))

    @property
    def state_matches(self) -> bool:
        """Whether the state of the world still has the checksum that it had when the call came."""
        provider = self._engine.checksum
        if provider is None:
            raise HostError("nothing tells a checksum of the state: Engine(checksum=…)")
        return self._tell("state_matches", provider() == self.checksum)

    @property
    def consent(self) -> bool:
        """Whether the user has consented to this call; only `True` is consent."""
        provider = self._engine.consent
        if provider is None:
            raise HostError("nothing tells whether the user consents: Engine(consent=…)")
        return self._tell("consent", provider(self) is True)

    @property
    def spent(self) -> float:
        """What has been spent until now, in the unit of whoever tells it; a number that is finite."""
        provider = self._engine.spent
        if provider is None:
            raise HostError("nothing tells what is spent: Engine(spent=…)")
        amount = provider(self)
        if type(amount) not in (int, float) or amount - amount != 0:
            raise HostError("what is spent is a finite number")
        return self._tell("spent", amount)

    @property
    def told(self) -> Mapping[str, object] | None:
        """What has been told about this call, for the record; of each the first answer, which decided."""
        if self.checksum is not None:
            return {"checksum": self.checksum, **self._told}
        return self._told or None

    def _tell(self, name: str, value: T) -> T:
        self._told.setdefault(name, value)
        return value


class Here(NamedTuple):
    """What is ambient: the scope, the call that is running, and the engines whose policies are inherited."""

    scope: Scope = Scope()
    running: CallContext | None = None
    engines: "tuple[Engine, ...]" = ()
    actions: list[Callable[[], object]] | None = None


_HERE: ContextVar[Here] = ContextVar("seamlaw", default=Here())  # noqa: B039 - immutable
here = _HERE.get
enter = _HERE.set
leave = _HERE.reset


def current_scope() -> Scope:
    """Who is calling, here."""
    return here().scope


def context() -> CallContext:
    """The call that is being decided or run, here; raises `HostError` outside of one."""
    running = here().running
    if running is None:
        raise HostError("no guarded call is being decided or run here")
    return running


@contextmanager
def session(
    session: str | None = None,
    *,
    agent: str | None = None,
    role: str | None = None,
    trust: str | None = None,
    domain: str | None = None,
) -> Generator[Scope]:
    """Say who is calling, for all that is called inside; what is not said is inherited.

    An agent named here is added to the chain of delegation; role and trust are then not inherited from its caller.
    """
    now = here()
    said = {"session": session, "role": role, "trust": trust, "domain": domain}
    scope = now.scope
    if agent is not None and agent != scope.agent:
        above = scope.chain or ((scope.agent,) if scope.agent else ())
        scope = evolve(scope, agent=agent, role=None, trust=None, chain=(*above, agent))
    scope = evolve(scope, **{name: value for name, value in said.items() if value is not None})
    token = enter(now._replace(scope=scope))
    try:
        yield scope
    finally:
        leave(token)
