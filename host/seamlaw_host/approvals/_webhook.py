"""Asking a service: a signed POST, the same id on every retry, and an answer that can only be meant for this ask."""

import asyncio
import json
import random
import ssl
import time
from collections.abc import Callable, Mapping

from seamlaw import Answered, grant, refuse

from ._http import Answer, Post, Unreached, Untrusted, checked_url
from ._request import Request
from ._signing import key_of, signed

__all__ = ["WebhookHandler"]

AGAIN = (202, 425, 429)  # not decided yet, and not now; so are 5xx
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0


class WebhookHandler:
    """Asks a service of yours by POST; register it for `webhook`.

    The body is JSON, signed with the `secret` as Standard Webhooks say (https://www.standardwebhooks.com); check it
    with `is_signed`. It is granted by 200 and `{"approved": true, "id": …, "digest": …}` with the id and the digest
    of the request, and perhaps `by` and `reason`; any other key, and anything else, refuses. Where the connection
    fails, or the service answers 202 (not decided yet), 425, 429 or 5xx, it is asked again with the same id, less and
    less often, until time is up: the service must know the id again. Raises `InvalidApprovals`, and `MissingExtra`
    without `seamlaw[http]`.
    """

    def __init__(
        self,
        url: str,
        secret: str | bytes,
        *,
        headers: Mapping[str, str] | None = None,
        verify: ssl.SSLContext | None = None,
        proxy: str | None = None,
        first_wait_s: float = FIRST_WAIT_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._url = checked_url(url)
        self._key = key_of(secret)
        self._headers = dict(headers or {})
        self._post = Post(verify=verify, proxy=proxy)
        self._first_wait_s = first_wait_s
        self._clock = clock

    async def ask(self, request: Request, /) -> Answered:
        """Ask until there is an answer, or time is up."""
        try:
            async with asyncio.timeout(request.timeout_s):
                return self._read(request, await self._decided(request))
        except TimeoutError:
            return refuse(request.ask, reason="nobody answered in time")
        except Untrusted as why:
            return refuse(request.ask, reason=f"the webhook's answer is no grant: {why}")

    async def _decided(self, request: Request) -> Answer:
        body, wait_s = _body(request), self._first_wait_s
        while True:
            headers = {**self._headers, "content-type": "application/json"}
            headers |= signed(self._key, request.id, self._clock(), body)
            pause_s = wait_s * random.uniform(0.5, 1.0)  # noqa: S311 - to keep many from coming at once
            try:
                answer = await self._post(self._url, body, headers)
                if answer.status not in AGAIN and answer.status < 500:
                    return answer
                pause_s = max(pause_s, min(answer.retry_after_s or 0.0, LONGEST_WAIT_S))
            except Unreached:
                pass
            await asyncio.sleep(pause_s)
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    def _read(self, request: Request, answer: Answer) -> Answered:
        """Read an answer that is strict in every way; raises `Untrusted`."""
        if answer.status != 200:
            raise Untrusted(f"it answered {answer.status}")
        said = answer.json_object()
        if said.get("id") != request.id or said.get("digest") != request.digest:
            raise Untrusted("it is for another request")
        if unknown := set(said) - {"approved", "id", "digest", "by", "reason"}:  # may take back what is granted
            raise Untrusted(f"it has {len(unknown)} keys that are not known")
        by, reason = said.get("by"), said.get("reason", "")
        if not isinstance(by, str | None) or not isinstance(reason, str):
            raise Untrusted("by and reason are texts")
        if said.get("approved") is True:
            return grant(request.ask, by=by)
        return refuse(request.ask, by=by, reason=reason)


def _body(request: Request) -> bytes:
    shown = {
        "id": request.id,
        "created": request.created,
        "expires": request.expires,
        "seam": request.seam,
        "tool": request.tool,
        "arguments": request.arguments,
        "opaque": request.is_opaque,
        "digest": request.digest,
        "message": request.message,
        "severity": request.ask.severity.value,
        "interceptor": request.interceptor,
        "target": request.target,
        "session": request.session,
        "agent": request.agent,
        "attempt": request.attempt,
    }
    return json.dumps({"type": "approval.requested", "data": shown}, ensure_ascii=True).encode()
