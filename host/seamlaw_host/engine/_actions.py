"""Actions that can be undone: snapshot, undo, how reversible they are, and rolling back a chain of them."""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Literal, TypeAlias

from attrs import Factory, field, frozen

from seamlaw import Ask, Block, Interceptors, ask, block, gate
from seamlaw_host.errors import HostError

from ._context import CallContext, enter, here, leave
from ._drivers import Do, Pipeline, drive, drive_async

__all__ = ["Reversibility", "ReversibleAction", "RollbackFailed", "aundoable", "undoable"]

Reversibility: TypeAlias = Literal["low", "medium", "high", "permanent"]
LEVELS: tuple[Reversibility, ...] = ("low", "medium", "high", "permanent")


class RollbackFailed(HostError, RuntimeError):
    """Some of a chain of actions could not be undone; `failures` has what each raised, the others are undone."""

    def __init__(self, failures: tuple[Exception, ...]) -> None:
        super().__init__(f"{len(failures)} of the actions could not be undone")
        self.failures = failures


def _level(given: Reversibility) -> Reversibility:
    if given not in LEVELS:
        raise HostError(f"reversibility is one of {', '.join(LEVELS)}")
    return given


def _intrinsic(action: "ReversibleAction") -> Interceptors | None:
    said: Block | Ask
    match action.reversibility:
        case "permanent":
            said = block("this can never be undone")
        case "high":
            said = ask("this is hard to undo", target=action.escalate_to, severity="high")
        case _:
            return None
    return Interceptors(tool_call=[gate(lambda call: said, name="reversibility")])


@frozen
class ReversibleAction:
    """A tool with what undoes it; `do`, `snapshot` and `undo` may be sync or async.

    `snapshot(context)` is taken before the tool runs; where it raises, the tool does not run. `undo(context)` finds it
    as `context.snapshot`, beside the arguments and the result. How reversible: of `low` nothing is asked, `medium`
    needs an `undo`, `high` is asked about (at `escalate_to`), `permanent` is always blocked. Raises `HostError`.
    """

    do: Callable[..., Any]
    undo: Callable[[CallContext], object] | None = None
    snapshot: Callable[[CallContext], object] | None = None
    reversibility: Reversibility = field(default="low", converter=_level)
    escalate_to: str | None = None
    # The rule that is in its nature: decided, asked and recorded as any other.
    bundle: Interceptors | None = field(init=False, repr=False, default=Factory(_intrinsic, takes_self=True))

    def __attrs_post_init__(self) -> None:
        if self.reversibility == "medium" and self.undo is None:
            raise HostError("an action of medium reversibility needs an undo")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the tool itself, unguarded."""
        return self.do(*args, **kwargs)


class Chain:
    """Actions that ran, which can be rolled back, the last first."""

    def __init__(self) -> None:
        self.undos: list[Callable[[], object]] = []

    def rolling_back(self) -> Pipeline[None]:
        """Undo all; one that fails stops no other, and what is no `Exception` (an exit) leaves when all are tried."""
        failures: list[Exception] = []
        leaves: BaseException | None = None
        while self.undos:
            try:
                yield Do(self.undos.pop(), alone=True)
            except RollbackFailed as error:  # of a chain inside this one
                failures.extend(error.failures)
            except Exception as error:
                failures.append(error)
            except GeneratorExit:
                raise
            except BaseException as error:
                leaves = error
        if leaves is not None:
            raise leaves
        if failures:
            raise RollbackFailed(tuple(failures))

    def rollback(self) -> None:
        """Undo all actions of the chain, the last first; raises `RollbackFailed` where some cannot be undone."""
        drive(self.rolling_back())

    async def arollback(self) -> None:
        """Undo all, where an undo is async."""
        await drive_async(self.rolling_back())


@contextmanager
def undoable() -> Generator[Chain]:
    """Roll back, the last first, all reversible actions run inside, when the block is left by an exception.

    `chain.rollback()` does so at any time. Actions of tasks started inside belong to the chain, too, and a chain inside
    of another belongs to that one when it has ended well.
    """
    chain, now = Chain(), here()
    token = enter(now._replace(actions=chain.undos))
    try:
        yield chain
    except BaseException:
        leave(token)
        chain.rollback()
        raise
    else:
        leave(token)
        if now.actions is not None:  # the chain around this one undoes it, too
            now.actions.append(chain.rollback)


@asynccontextmanager
async def aundoable() -> AsyncGenerator[Chain]:
    """As `undoable`, for actions whose undo is async."""
    chain, now = Chain(), here()
    token = enter(now._replace(actions=chain.undos))
    try:
        yield chain
    except BaseException:
        leave(token)
        await chain.arollback()
        raise
    else:
        leave(token)
        if now.actions is not None:
            now.actions.append(chain.arollback)
