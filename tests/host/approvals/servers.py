"""Real HTTP servers on loopback, which answer as a test says."""

import json
import ssl
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from attrs import field, frozen

CERTIFICATE = str(Path(__file__).with_name("localhost.pem"))  # for localhost, signed by itself, with its key


@frozen
class Received:
    """A request that came."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)


@frozen
class Reply:
    """What is answered; no status drops the connection."""

    status: int | None = 200
    body: bytes = b""
    kind: str = "application/json"
    headers: Mapping[str, str] = field(factory=dict[str, str])


def reply(value: object, status: int = 200, **headers: str) -> Reply:
    """Answer JSON."""
    return Reply(status, json.dumps(value).encode(), headers={k.replace("_", "-"): v for k, v in headers.items()})


class Server:
    """A server on a free port; `received` is what came, in order."""

    def __init__(self, respond: Callable[[Received], Reply], *, tls: bool = False) -> None:
        self.received: list[Received] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                got = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                server.received.append(got)
                said = respond(got)
                if said.status is None:
                    self.close_connection = True
                    return
                self.send_response(said.status)
                for name, value in {"content-type": said.kind, **said.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(said.body)))
                self.end_headers()
                self.wfile.write(said.body)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign] # whoever hangs up is part of the test
        self.port: int = self._http.server_address[1]
        self.url = f"http{'s' if tls else ''}://{'localhost' if tls else '127.0.0.1'}:{self.port}"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()
