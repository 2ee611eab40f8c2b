"""Tools that are generators: what they do they do later, step by step, and each step inside of the call."""

import inspect
from collections.abc import AsyncGenerator, Callable, Generator
from types import AsyncGeneratorType, GeneratorType
from typing import Any, cast

from ._context import Here, enter, here, leave

__all__ = ["inside", "is_generator"]

KINDS = (GeneratorType, AsyncGeneratorType)


def is_generator(output: object) -> bool:
    """Whether this is a generator, sync or async, that a tool gave."""
    return isinstance(output, KINDS)


def inside(output: object) -> object:
    """The same generator, each step of which sees who is calling and the engines of here, wherever it is taken."""
    if inspect.isasyncgen(output):
        return _async_steps(cast("AsyncGenerator[Any, Any]", output), here())
    return _steps(cast("Generator[Any, Any, Any]", output), here())


def _steps(steps: Generator[Any, Any, Any], at: Here) -> Generator[Any, Any, Any]:
    resume: Callable[[Any], Any] = steps.send
    said: Any = None
    while True:
        token = enter(at)
        try:
            item = resume(said)
        except StopIteration as end:
            return end.value
        finally:
            leave(token)
        try:
            said, resume = (yield item), steps.send
        except BaseException as error:  # GeneratorExit, too: it ends the steps, and comes back
            said, resume = error, steps.throw


async def _async_steps(steps: AsyncGenerator[Any, Any], at: Here) -> AsyncGenerator[Any, Any]:
    resume: Callable[[Any], Any] = steps.asend
    said: Any = None
    while True:
        token = enter(at)
        try:
            item = await resume(said)
        except StopAsyncIteration:
            return
        finally:
            leave(token)
        try:
            said, resume = (yield item), steps.asend
        except BaseException as error:
            said, resume = error, steps.athrow
