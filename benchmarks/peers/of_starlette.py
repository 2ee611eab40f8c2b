"""Starlette: plain ASGI middlewares around an application, put together as Starlette does it."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.middleware import Middleware

from ._peer import Peer, text


class Check:
    def __init__(self, app: Any, forbidden: str) -> None:
        self.app, self.forbidden = app, forbidden

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        if self.forbidden in scope["arguments"]["command"]:
            return False
        return await self.app(scope, receive, send)


async def application(scope: Any, receive: Any, send: Any) -> bool:
    return True


def build(count: int) -> Callable[[Any], Awaitable[bool]]:
    app: Any = application
    for middleware in reversed([Middleware(Check, forbidden=text(number)) for number in range(count)]):
        app = middleware.cls(app, *middleware.args, **middleware.kwargs)

    async def decide(scope: Any) -> bool:
        return bool(await app(scope, None, None))

    return decide


def scope(arguments: dict[str, object]) -> dict[str, object]:
    return {"type": "http", "arguments": arguments}


PEERS = (
    Peer("starlette ASGI middleware", build, "starlette", scope, is_async=True, does="nests the checks, awaits them"),
)
