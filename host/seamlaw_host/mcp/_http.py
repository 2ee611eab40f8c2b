"""A proxy in front of a server of streamable HTTP: one endpoint, in whose place the client is given ours."""

import asyncio
import ipaddress
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from seamlaw_host.engine import Engine
from seamlaw_host.errors import HostError, MissingExtra

from ._exchange import Caller, say

if TYPE_CHECKING:
    from uvicorn import Server

__all__ = ["proxy_http"]


async def proxy_http(engine: Engine, url: str, listen: str, *, caller: Caller, hide_denied: bool = False) -> int:
    """Serve at `HOST:PORT` what stands at the URL, until a signal ends it.

    Raises `MissingExtra` without `seamlaw[mcp]`, `HostError` for an address that is none.
    """
    host, port = _address(listen)
    if urlsplit(url).scheme not in ("http", "https"):
        raise HostError("--http takes a URL of http or https")
    try:
        from uvicorn import Config, Server

        from ._endpoint import Endpoint
    except ModuleNotFoundError:
        raise MissingExtra("a proxy over HTTP needs an extra: pip install 'seamlaw[mcp]'") from None
    endpoint = Endpoint(engine, url, caller=caller, hide_denied=hide_denied, local=_is_local(host))
    server = Server(Config(endpoint.app, host=host, port=port, log_level="warning", lifespan="off", access_log=False))
    telling = asyncio.create_task(_tell(server, urlsplit(url).path, url))
    try:
        await server.serve()
    finally:
        telling.cancel()
        await endpoint.close()
    return 0


def _address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise HostError("--listen takes HOST:PORT, such as 127.0.0.1:8808")
    return host.strip("[]"), int(port)


def _is_local(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


async def _tell(server: "Server", path: str, url: str) -> None:
    while not server.started:
        await asyncio.sleep(0.02)
    host, port = server.servers[0].sockets[0].getsockname()[:2]
    say(f"listening on http://{f'[{host}]' if ':' in host else host}:{port}{path} before {url}")
