"""A plain server for Slack's interactive payloads; put what ends TLS in front of it."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from ._errors import InvalidApprovals
from ._slack import SlackHandler

__all__ = ["SlackReceiver"]

MOST_BODY = 1_048_576  # bytes
PATIENCE_S = 10.0  # for a request to come whole


class SlackReceiver:
    """Receives what people press in Slack and hands it to the handler, while the block is entered.

    It listens on this machine alone unless told otherwise, and takes POST to `path`. Every payload is verified by the
    signing secret. Raises `InvalidApprovals` and what binding a port raises.
    """

    def __init__(self, handler: SlackHandler, *, host: str = "127.0.0.1", port: int = 0, path: str = "/") -> None:
        if not path.startswith("/"):
            raise InvalidApprovals("path begins with /")
        self._http = ThreadingHTTPServer((host, port), _requests(handler, path))
        self._http.daemon_threads = True
        self.port: int = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def _requests(handler: SlackHandler, path: str) -> type[BaseHTTPRequestHandler]:
    class Requests(BaseHTTPRequestHandler):
        timeout = PATIENCE_S
        server_version, sys_version = "seamlaw", ""

        def do_POST(self) -> None:
            self.close_connection = True
            length = self.headers.get("content-length", "")
            if self.path.partition("?")[0] != path:
                self._answer(404)
            elif not (length.isascii() and length.isdigit()):
                self._answer(411)
            elif len(length) > 9 or int(length) > MOST_BODY:
                self._answer(413)
            else:
                self._answer(handler.receive(dict(self.headers.items()), self.rfile.read(int(length))))

        def _answer(self, status: int) -> None:
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: what came is somebody's."""

    return Requests
