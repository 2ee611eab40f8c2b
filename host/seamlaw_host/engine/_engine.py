"""The engine: the one enforcement site. Every decorator, loop, adapter and proxy goes through it."""

import secrets
import time
from collections.abc import Callable, Generator, Iterable, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from itertools import count
from typing import Any, Literal, ParamSpec, TypeVar, cast

from attrs import evolve

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    MemoryItem,
    ProviderRequest,
    Scope,
    Seam,
    ToolCall,
    ToolResult,
    freeze,
    merge,
    thaw,
)
from seamlaw_host.errors import Blocked, HostError
from seamlaw_host.ledger import Happening, Mode
from seamlaw_host.state import attempting
from seamlaw_packs._fork import tell_when_forked

from ._actions import ReversibleAction
from ._context import CallContext, Here, enter, here, leave
from ._counts import Counts
from ._deciding import Decided, Rules, deciding
from ._drivers import Pipeline, drive, drive_async
from ._ending import given_of, shown_of
from ._events import Bus, Subscriber
from ._pipeline import Prepare, Ran, enforcing
from ._protocols import Approvals, NobodyApproves, Plugins, Policed, Recorder, Telemetry
from ._registry import Registry, acting
from ._told import told
from ._wrapping import name_of, wrapped

__all__ = ["Engine"]

V = TypeVar("V")
R = TypeVar("R")
P = ParamSpec("P")
MERGED = 256  # combinations of bundles (nested engines, guards) that are kept ready


class Engine:
    """Decides every call by a bundle and policies, and runs the tool only if it may.

    `mode`: `enforce`, or `dry_run` and `observe`, which decide and record the same and touch nothing.
    `default="deny"` blocks a tool that no interceptor or rule is for. `tools` are what a call may be renamed to.
    `plugins` decide before the bundle; what is loaded there is read anew for each call, and decides all of that call.
    `agent` and `registry` say who is calling. `deadline_s` bounds each decision: it is then taken in a thread, which
    cannot be killed and may go on, but whose answer no longer counts. `checksum` gives a checksum of the state of the
    world, `consent` whether the user consents to a call, `spent` how much was spent until now: predicates see them.
    Raises `HostError`.
    """

    def __init__(
        self,
        bundle: Interceptors | None = None,
        *,
        policies: Iterable[Policed] = (),
        plugins: Plugins | None = None,
        mode: Mode = "enforce",
        default: Literal["allow", "deny"] = "allow",
        agent: str | None = None,
        registry: Registry | None = None,
        tools: Mapping[str, Callable[..., Any]] | None = None,
        ledger: Recorder | None = None,
        approvals: Approvals | None = None,
        telemetry: Telemetry | None = None,
        deadline_s: float | None = None,
        checksum: Callable[[], str] | None = None,
        consent: Callable[[CallContext], bool] | None = None,
        spent: Callable[[CallContext], float] | None = None,
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        if mode not in ("enforce", "dry_run", "observe"):
            raise HostError("mode is 'enforce', 'dry_run' or 'observe'")
        if default not in ("allow", "deny"):
            raise HostError("default is 'allow' or 'deny'")
        if deadline_s is not None and not deadline_s > 0:
            raise HostError("deadline_s is a positive number of seconds")
        if registry is not None and agent is not None:
            registry.get(agent)
        self.bundle = merge(*(policy.interceptors() for policy in policies), bundle)
        self.plugins = plugins
        self.mode: Mode = mode
        self.enforces = mode == "enforce"
        self.default = default
        self.agent = agent
        self.registry = registry
        self.tools = dict(tools or {})
        self._recorded_by(ledger, telemetry)
        self.approvals: Approvals = approvals or NobodyApproves()
        self.deadline_s = deadline_s
        self.checksum = checksum
        self.consent = consent
        self.spent = spent
        self.clock = clock
        self.timer = timer
        self.bus = Bus()
        self._counts = Counts()
        self._rules = Rules(self.bundle)
        self._merged: dict[tuple[int, ...], tuple[tuple[Interceptors, ...], Rules]] = {}
        self._plugged: Interceptors | None = None
        self._held: dict[tuple[int, ...], tuple[tuple[Engine, ...], Engine]] = {}
        self._acting: tuple[Scope, Scope] | None = None
        if self.ledger is not None:  # it is taken now, and not while somebody waits for a tool
            _ = self.policy_hash
        self._prefix, self._numbers = secrets.token_hex(6), count(1)
        tell_when_forked(self)

    @property
    def policy_hash(self) -> str:
        """A hash over all that decides: see `docs/engine.md`."""
        return self._ready(self._now((self,))).policy_hash

    @property
    def effective(self) -> Interceptors | None:
        """What decides the next call: all that is loaded now, and then the bundle."""
        return merge(*self._now((self,)))

    # -- calls

    def call(self, tool: str, function: Callable[..., R], args: Mapping[str, object] | None = None) -> R:
        """Run a tool with these arguments, if it may; raises `Blocked`, or what the tool raises.

        The tool gets what was decided: copies of the arguments, but for Python objects, which are held by reference.
        """
        return cast(R, given_of(self.enforce(*self._called(tool, function, args))))

    async def acall(self, tool: str, function: Callable[..., Any], args: Mapping[str, object] | None = None) -> Any:
        """As `call`, for a tool that is async or not."""
        return given_of(await self.aenforce(*self._called(tool, function, args)))

    def respond(self, call: ToolCall, execute: Callable[[ToolCall], object]) -> ToolResult:
        """Run a call as it came from a model, and give what the model is shown: a result, an error or a denial.

        `execute` gets the call that was decided. For adapters and proxies.
        """
        return shown_of(self.enforce(call, lambda decided: partial(execute, decided), _action(execute)))

    async def arespond(self, call: ToolCall, execute: Callable[[ToolCall], object]) -> ToolResult:
        """As `respond`, where `execute` may be async."""
        return shown_of(await self.aenforce(call, lambda decided: partial(execute, decided), _action(execute)))

    def _called(self, tool: str, function: Callable[..., Any], args: Mapping[str, object] | None) -> Any:
        return self.new_call(tool, args or {}), partial(self._starting, tool, function), _action(function)

    def _starting(self, tool: str, function: Callable[..., object], decided: ToolCall) -> Callable[[], object]:
        """What starts the tool with what was decided; not a function inside, whose annotations cost 1 µs a call."""
        return partial(function, **thaw(decided.arguments)) if decided.name == tool else self.renamed(decided)

    def renamed(self, decided: ToolCall) -> Callable[[], object]:
        """What starts the tool that a call was renamed to; raises `HostError` for one that `tools` does not have."""
        tool = self.tools.get(decided.name)
        if tool is None:
            raise HostError("the call was renamed, and Engine(tools=…) has no tool of that name")
        if isinstance(tool, ReversibleAction):  # what is in its nature has not been decided
            raise HostError("the call was renamed to a ReversibleAction, which is called by its own name alone")
        return partial(tool, **thaw(decided.arguments))

    def new_call(self, tool: str, args: Mapping[str, object]) -> ToolCall:
        """A call of a Python function, whose arguments may be any objects; raises `InvalidValue`."""
        return ToolCall(f"{self._prefix}-{next(self._numbers)}", tool, freeze(dict(args), objects=True))

    def enforce(
        self,
        call: ToolCall,
        prepare: Prepare,
        action: ReversibleAction | None = None,
        extra: Interceptors | None = None,
    ) -> Ran:
        """Run a call through the whole pipeline, and say how it ended; what the others are made of.

        `prepare` is given the decided call, and gives what starts the tool; where it raises, the call is blocked.
        `extra` are interceptors for this call alone.
        """
        running, pipeline, within = self._begin(call, prepare, action, extra)
        token, metered = enter(within), attempting.set(running.meters)
        try:
            return drive(pipeline)
        finally:
            attempting.reset(metered)
            leave(token)

    async def aenforce(
        self,
        call: ToolCall,
        prepare: Prepare,
        action: ReversibleAction | None = None,
        extra: Interceptors | None = None,
    ) -> Ran:
        """As `enforce`, where tool, approvers, snapshot and undo may be async."""
        running, pipeline, within = self._begin(call, prepare, action, extra)
        token, metered = enter(within), attempting.set(running.meters)
        try:
            return await drive_async(pipeline)
        finally:
            attempting.reset(metered)
            leave(token)

    def _recorded_by(self, recorder: Recorder | None, telemetry: Telemetry | None) -> None:
        """Record by a ledger, and tell; `ledger` is what takes the happenings on their way there."""
        self.recorder, self.telemetry = recorder, telemetry
        self.telling = None if telemetry is None else telemetry.over(recorder)
        self.ledger = recorder if self.telling is None else self.telling

    def _begin(
        self, call: ToolCall, prepare: Prepare, action: ReversibleAction | None, extra: Interceptors | None
    ) -> tuple[CallContext, Pipeline[Ran], Here]:
        outer = here()
        scope = self._scope(outer.scope)
        running = CallContext(self, call, scope, f"{self._prefix}-{next(self._numbers)}")
        engines = outer.engines if self in outer.engines else (*outer.engines, self)
        running.by = self._within(engines)
        bundles = (self.bundle,) if self.plugins is None and len(engines) == 1 else self._now(engines)
        rules = self._ready((*bundles, extra, action.bundle if action is not None else None))
        return running, enforcing(running, rules, prepare, action), Here(scope, running, engines, outer.actions)

    @staticmethod
    def _now(engines: "tuple[Engine, ...]") -> tuple[Interceptors | None, ...]:
        """The bundles that decide: the plugins of all engines as they are now, before what else is in any.

        It is read once for what one version must decide.
        """
        own = [engine.bundle for engine in engines]
        return (*(engine.plugins.bundle for engine in engines if engine.plugins is not None), *own)

    def _within(self, engines: "tuple[Engine, ...]") -> "Engine":
        """The engine as strict as any around it, and with their ledger and approvers where it has none of its own."""
        if len(engines) == 1:
            return self
        key = tuple(map(id, engines))
        known = self._held.get(key)
        if known is None:
            made = copy(self)
            if any(engine.enforces for engine in engines):
                made.mode, made.enforces = "enforce", True
            if any(engine.default == "deny" for engine in engines):
                made.default = "deny"
            made.deadline_s = min((it.deadline_s for it in engines if it.deadline_s is not None), default=None)
            for engine in reversed(engines):  # the nearest first
                recorder = engine.recorder if made.recorder is None else made.recorder
                made._recorded_by(recorder, engine.telemetry if made.telemetry is None else made.telemetry)
                if isinstance(made.approvals, NobodyApproves):
                    made.approvals = engine.approvals
            known = engines, made
            if len(self._held) >= MERGED:
                self._held.clear()
            self._held[key] = known
        return known[1]

    def _scope(self, ambient: Scope) -> Scope:
        known = self._acting
        if known is None or known[0] is not ambient:
            known = self._acting = ambient, acting(ambient, self.agent, self.registry)
        return known[1]

    def _ready(self, bundles: tuple[Interceptors | None, ...]) -> Rules:
        """The rules of this engine, or of several bundles: those of the engines around it, which it inherits."""
        given = tuple(bundle for bundle in bundles if bundle is not None)
        if len(given) > 1:  # of engines that share a bundle, it decides once
            given = tuple({id(bundle): bundle for bundle in given}.values())
        if not given or (len(given) == 1 and given[0] is self.bundle):
            return self._rules
        key = tuple(map(id, given))
        known = self._merged.get(key)
        if known is None:
            known = given, Rules(merge(*given))  # holding the bundles keeps their ids from being used again
            plugged = None if self.plugins is None else self.plugins.bundle
            if len(self._merged) >= MERGED or plugged is not self._plugged:  # what is unloaded is let go
                self._merged.clear()
            self._merged[key], self._plugged = known, plugged
        return known[1]

    def wrap(self, function: Callable[P, R], *, name: str | None = None) -> Callable[P, R]:
        """A function, sync or async, that this engine runs; it keeps its signature and its types."""
        return wrapped(function, name or name_of(function), lambda: self)

    # -- what goes to a model, and what is remembered

    def at(self, seam: Seam[V], value: V, *beside: Any) -> V:
        """Decide at any seam, and give what may go on; raises `Blocked`."""
        with self._apart(value, beside):
            return drive(self._at(seam, value, beside))

    async def aat(self, seam: Seam[V], value: V, *beside: Any) -> V:
        """As `at`, where approvers may be async."""
        with self._apart(value, beside):
            return await drive_async(self._at(seam, value, beside))

    @contextmanager
    def _apart(self, value: object, beside: tuple[object, ...]) -> Generator[None]:
        """Let what is decided about a tool's call be about this call, and not the one in whose tool it is decided."""
        call = next((item for item in (value, *beside) if isinstance(item, ToolCall)), None)
        if call is None:
            yield
            return
        outer = here()
        running = CallContext(self, call, self._scope(outer.scope), f"{self._prefix}-{next(self._numbers)}")
        running.result = value if isinstance(value, ToolResult) else None
        around = outer.running.meters if outer.running is not None else None
        metered = attempting.get()  # who runs calls in a loop of their own meters them, too
        inside, counted = enter(outer._replace(running=running)), attempting.set(None if metered is around else metered)
        try:
            yield
        finally:
            attempting.reset(counted)
            leave(inside)

    def before_provider_call(self, request: ProviderRequest) -> ProviderRequest:
        """Decide what a model is sent: the messages at `context`, then the envelope; raises `Blocked`.

        What comes back is for one call: the durable history is the caller's, and is not touched.
        """
        return drive(self._before_provider_call(request))

    async def abefore_provider_call(self, request: ProviderRequest) -> ProviderRequest:
        """As `before_provider_call`, where approvers may be async."""
        return await drive_async(self._before_provider_call(request))

    @contextmanager
    def provider_call(
        self, request: ProviderRequest, headers: MutableMapping[str, str] | None = None
    ) -> Generator[ProviderRequest]:
        """Decide what a model is sent, and set the decided headers, of a client, for one call.

        They are restored when the block is left, also by an exception.
        """
        if headers is None:
            yield self.before_provider_call(request)
            return
        before = dict(headers)
        decided = self.before_provider_call(evolve(request, headers=before))
        try:
            headers.clear()
            headers.update(decided.headers or {})
            yield decided
        finally:
            headers.clear()
            headers.update(before)

    def after_recall(self, items: Sequence[MemoryItem]) -> tuple[MemoryItem, ...]:
        """Decide what of the memory joins the context; nothing does where it is blocked."""
        try:
            return self.at(MEMORY, tuple(items))
        except Blocked:
            return ()

    async def aafter_recall(self, items: Sequence[MemoryItem]) -> tuple[MemoryItem, ...]:
        """As `after_recall`, where approvers may be async."""
        try:
            return await self.aat(MEMORY, tuple(items))
        except Blocked:
            return ()

    def _before_provider_call(self, request: ProviderRequest) -> Pipeline[ProviderRequest]:
        now = self._now(self._engines())
        messages = yield from self._at(CONTEXT, request.messages, (), now)
        if messages is not request.messages:
            request = evolve(request, messages=messages)
        return (yield from self._at(PROVIDER_REQUEST, request, (), now))

    def _engines(self) -> "tuple[Engine, ...]":
        """Those around, and itself."""
        engines = here().engines
        return engines if self in engines else (*engines, self)

    def _at(
        self, seam: Seam[V], value: V, beside: tuple[Any, ...], now: tuple[Interceptors | None, ...] | None = None
    ) -> Pipeline[V]:
        outer, engines = here(), self._engines()
        rules, scope = self._ready(self._now(engines) if now is None else now), self._scope(outer.scope)
        attempt = f"{self._prefix}-{next(self._numbers)}"
        value, beside = seam.admit(value), seam.admit_beside(beside)
        by = self._within(engines)
        decided = yield from deciding(by, rules, seam, value, *beside, scope=scope, running=outer.running)
        call = next((item for item in (value, *beside) if isinstance(item, ToolCall)), None)
        if by.ledger is not None:
            said = decided.outcome, decided.governed, decided.answers
            at = by.clock(), seam, scope, by.mode, attempt, value
            by.ledger.append(Happening(*at, call, *said, policy_hash=rules.policy_hash))
        if not by.enforces:
            return value
        if decided.outcome is not None and decided.blocked:
            raise Blocked(decided.outcome.denial, decided.outcome)
        return decided.value

    # -- beside the calls

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Tell a function, sync or async, of every finding; gives back what ends that."""
        return self.bus.subscribe(subscriber)

    def forked(self) -> None:
        """In a child process: give other names to calls and attempts than the parent does."""
        self._prefix = secrets.token_hex(6)

    def attempts(self, scope: Scope) -> int:
        """How many calls a session has attempted, blocked ones too."""
        return self._counts.of(scope.session)

    # -- what the pipeline reports

    def attempted(self, running: CallContext) -> None:
        """Count an attempt, before any rule runs."""
        if self.telling is not None:
            self.telling.begun(running.attempt, running.proposed.name)
        self._counts.add(running.scope.session)

    def note_decided(self, running: CallContext, rules: Rules, decided: Decided[ToolCall] | None, problem: str) -> None:
        """Hand the decision to the ledger, before the tool starts."""
        if self.ledger is not None:
            said = decided or Decided(running.proposed)
            self.ledger.append(
                Happening(
                    self.clock(),
                    TOOL_CALL,
                    running.scope,
                    self.mode,
                    running.attempt,
                    running.proposed,
                    said.value,
                    said.outcome,
                    said.governed,
                    said.answers,
                    error=problem,
                    policy_hash=rules.policy_hash,
                    state=running.told,
                )
            )

    def note_finished(self, running: CallContext, rules: Rules, ran: Ran, duration_s: float) -> None:
        """Hand to the ledger how a call ended."""
        if self.ledger is not None:
            judged = ran.judged
            self.ledger.append(
                Happening(
                    self.clock(),
                    TOOL_RESULT,
                    running.scope,
                    self.mode,
                    running.attempt,
                    ran.obtained,
                    ran.call,
                    judged.outcome if judged else None,
                    judged.governed if judged else False,
                    judged.answers if judged else (),
                    ran.executed,
                    duration_s,
                    ran.problem or (told(ran.error) if ran.error is not None else ""),
                    ran.undo,
                    rules.policy_hash,
                    running.told,
                )
            )


def _action(function: object) -> ReversibleAction | None:
    return function if isinstance(function, ReversibleAction) else None
