"""A POST that trusts nobody: https but on loopback, certificates checked, no redirect followed, no large answer read.

It uses httpx's transport and not its client, which logs every URL: one may be a secret (Slack's webhooks), and takes
proxies and certificates from the environment. Imported only when a handler asks: httpx is an extra.
"""

import ipaddress
import json
import ssl
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, cast
from urllib.parse import urlsplit

from attrs import frozen

from seamlaw_host.errors import MissingExtra

from ._errors import InvalidApprovals

if TYPE_CHECKING:
    import httpx

__all__ = ["Answer", "Post", "Unreached", "Untrusted", "checked_url", "json_object", "require_httpx"]

NO_OBJECT = "it is no JSON object"
MOST_ANSWER = 65_536  # bytes
CONNECT_S = 10.0


class Unreached(Exception):
    """The connection failed, and may be tried again; stays in the package."""


class Untrusted(Exception):
    """What came back is not what was asked for, or not from whom; its text says why, and it is not tried again."""


@frozen
class Answer:
    """What a server answered: at most so much of it."""

    status: int
    kind: str
    body: bytes
    retry_after_s: float | None = None

    def json_object(self) -> dict[str, Any]:
        """Read it as a JSON object; raises `Untrusted`."""
        if self.kind != "application/json":
            raise Untrusted(NO_OBJECT)
        return json_object(self.body)


def json_object(body: bytes | str) -> dict[str, Any]:
    """Read a JSON object that has one meaning: a key that is given twice is refused; raises `Untrusted`."""
    try:
        text = body if isinstance(body, str) else body.decode("utf-8")
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Untrusted(NO_OBJECT) from None
    if not isinstance(found, dict):
        raise Untrusted(NO_OBJECT)
    return cast("dict[str, Any]", found)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key is given twice")
    return made


def _no_constant(_: str) -> NoReturn:
    raise ValueError("no JSON")


def require_httpx() -> None:
    """Find httpx before anybody is to be asked; raises `MissingExtra`."""
    try:
        import_module("httpx")
    except ModuleNotFoundError as missing:
        raise MissingExtra("asking over HTTP needs httpx: pip install 'seamlaw[http]'") from missing


def checked_url(url: str) -> str:
    """Take a URL that may be asked: https, or http on loopback, without a name and password; `InvalidApprovals` else.

    It is not quoted: it may be a secret.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InvalidApprovals("the URL cannot be read") from None
    if not host or parts.username is not None or parts.password is not None or parts.fragment:
        raise InvalidApprovals("the URL needs a host, and has no name, password or fragment: use headers")
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(host)):
        raise InvalidApprovals("the URL is https, or http on this machine alone")
    return url


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class Post:
    """Sends bodies to URLs; `verify` is what certificates are checked with, `proxy` the URL of a proxy."""

    def __init__(self, *, verify: ssl.SSLContext | None = None, proxy: str | None = None) -> None:
        require_httpx()
        self._verify = verify
        self._proxy = proxy

    async def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send one, and read the answer; raises `Unreached` and `Untrusted`."""
        import httpx

        waits = {"connect": CONNECT_S, "read": None, "write": None, "pool": None}
        sent = {"accept": "application/json", "accept-encoding": "identity", "user-agent": "seamlaw", **headers}
        request = httpx.Request("POST", url, content=body, headers=sent, extensions={"timeout": waits})
        try:
            async with self._transport(url) as transport:
                response = await transport.handle_async_request(request)
                try:
                    return await _read(response)
                finally:
                    await response.aclose()
        except httpx.HTTPError as error:
            if _is_about_certificates(error):
                raise Untrusted("its certificate is not trusted") from None
            raise Unreached from None

    def _transport(self, url: str) -> "httpx.AsyncHTTPTransport":
        import httpx

        verify: ssl.SSLContext | bool = self._verify if self._verify is not None else url.startswith("https:")
        return httpx.AsyncHTTPTransport(verify=verify, proxy=self._proxy, trust_env=False)


async def _read(response: "httpx.Response") -> Answer:
    body = b""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Untrusted("it answered in a coding that was not asked for")
    async for part in response.aiter_raw():
        body += part
        if len(body) > MOST_ANSWER:
            raise Untrusted(f"it answered more than {MOST_ANSWER} bytes")
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    wait = response.headers.get("retry-after", "")
    return Answer(response.status_code, kind, body, float(wait) if wait.isascii() and wait.isdigit() else None)


def _is_about_certificates(error: BaseException) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLCertVerificationError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False
