"""A proxy in front of a server of streamable HTTP: one endpoint, in whose place the client is given ours."""

import asyncio
import ipaddress
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from seamlaw_host.engine import Engine
from seamlaw_host.errors import HostError, MissingExtra

from ._exchange import Caller, say
from ._stdio import SIGNALS

if TYPE_CHECKING:
    from uvicorn import Server

__all__ = ["proxy_http"]

GRACE_S = 3  # for what is open when it ends


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
    quiet = {"log_level": "warning", "access_log": False, "lifespan": "off", "timeout_graceful_shutdown": GRACE_S}
    server = Server(Config(endpoint.app, host=host, port=port, **quiet))  # type: ignore[arg-type]
    server.capture_signals = nullcontext  # type: ignore[assignment, method-assign]  # see _on_signals
    stopped = _on_signals(server)
    telling = asyncio.create_task(_tell(server, urlsplit(url).path, url))
    try:
        await server.serve()
    finally:
        telling.cancel()
        await endpoint.close()
    return 128 + stopped[0] if stopped else 0


def _on_signals(server: "Server") -> list[int]:
    """Let a signal end the server; gives the list that has its number then.

    The server's own way would raise it anew, and end the process before the ledger is closed.
    """
    stopped: list[int] = []

    def stop(number: int) -> None:
        stopped.append(number)
        server.should_exit = True

    for number in SIGNALS:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            asyncio.get_running_loop().add_signal_handler(number, stop, int(number))
    return stopped


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
