"""Asking in Slack: those on the list count, one of them who denies is enough, and as many as are needed grant."""

import asyncio
import json
import re
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock
from typing import Any, cast
from urllib.parse import parse_qs, urlencode

from seamlaw import Answered, grant, refuse

from ._ballot import Ballot, Result
from ._errors import InvalidApprovals
from ._http import Answer, Post, Unreached, Untrusted, checked_url, json_object
from ._request import Request
from ._signing import is_from_slack
from ._slack_message import DENY, GRANT, MOST_SHOWN, message

__all__ = ["SlackHandler"]

USER = re.compile(r"[UW][A-Z0-9]{2,20}")
CHANNEL = re.compile(r"slack://#?([A-Za-z0-9._-]{1,80})", re.IGNORECASE)
SAID = re.compile(r"[a-z_]{1,60}")
GRANTING, DENYING = "white_check_mark", "x"  # the reactions that count
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0


class SlackHandler:
    """Asks `approvers` (user ids) in a channel; register it for `slack`, whose targets name the channel, if any.

    A denial of one of them denies; `quorum` of them must grant; others do not count. With a `token` the message is
    posted by `chat.postMessage` (scope `chat:write`) to the channel of the target, else to `channel`; or it is posted
    to an `incoming_webhook`. With a `signing_secret` it has buttons, and whatever receives Slack's interactive
    payloads hands them to `receive`, as `SlackReceiver` does. Without, the reactions are polled every `poll_s`
    seconds (scope `reactions:read`). Raises `InvalidApprovals`, and `MissingExtra` without `seamlaw[http]`.
    """

    def __init__(
        self,
        approvers: Iterable[str],
        *,
        token: str | None = None,
        channel: str | None = None,
        incoming_webhook: str | None = None,
        signing_secret: str | None = None,
        quorum: int = 1,
        poll_s: float = 2.0,
        api: str = "https://slack.com/api",
        verify: ssl.SSLContext | None = None,
        proxy: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._approvers = _checked(approvers)
        if not 1 <= quorum <= len(self._approvers):
            raise InvalidApprovals("quorum is at least 1, and at most the number of approvers")
        if bool(token) == bool(incoming_webhook):
            raise InvalidApprovals("Slack is asked with a token, or through an incoming_webhook")
        if signing_secret == "" or (incoming_webhook and not signing_secret):
            raise InvalidApprovals("answers to an incoming_webhook are verified with a signing_secret")
        if not poll_s > 0:
            raise InvalidApprovals("poll_s is a positive number of seconds")
        self._quorum = quorum
        self._token = token
        self._channel = channel
        self._webhook = checked_url(incoming_webhook) if incoming_webhook else None
        self._secret = signing_secret
        self._poll_s = poll_s
        self._api = checked_url(api).rstrip("/")
        self._post = Post(verify=verify, proxy=proxy)
        self._clock = clock
        self._ballots: dict[str, tuple[str, Ballot]] = {}  # by the id of the request: its digest, the votes
        self._lock = Lock()  # protects _ballots

    async def ask(self, request: Request, /) -> Answered:
        """Post, and wait for those who must answer."""
        if len(request.shown) > MOST_SHOWN:
            return refuse(request.ask, reason=f"a message of Slack cannot show more than {MOST_SHOWN} characters")
        ballot = Ballot(self._approvers, self._quorum)
        with self._lock:
            self._ballots[request.id] = request.digest, ballot
        try:
            async with asyncio.timeout(request.timeout_s):
                channel, stamp = await self._posted(request)
                if self._secret is None:
                    result = await self._polled(channel, stamp)
                else:
                    result = await asyncio.wrap_future(ballot.decided)
        except TimeoutError:
            return refuse(request.ask, reason="nobody answered in time")
        except Untrusted as why:
            return refuse(request.ask, reason=f"Slack cannot be asked: {why}")
        finally:
            with self._lock:
                del self._ballots[request.id]
        return _answer(request, result)

    def receive(self, headers: Mapping[str, str], body: bytes) -> int:
        """Take an interactive payload as Slack sends it, from any thread; gives the status to answer with."""
        if self._secret is None or not is_from_slack(headers, body, self._secret, clock=self._clock):
            return 401
        try:
            votes = list(_votes(body))
        except (Untrusted, ValueError, KeyError, TypeError):
            return 400
        for granted, by, id, digest in sorted(votes):  # denials first
            with self._lock:
                known = self._ballots.get(id)
            if known is not None and known[0] == digest:
                known[1].vote(by, granted=granted)
        return 200

    async def _posted(self, request: Request) -> tuple[str, str]:
        """Post the message; gives its channel and its time stamp, which names it."""
        what = message(request, buttons=self._secret is not None)
        if self._webhook is not None:
            answer = await self._sent(self._webhook, json.dumps(what).encode(), "application/json")
            if answer.status != 200:
                raise Untrusted(f"it answered {answer.status}")
            return "", ""
        named = CHANNEL.fullmatch(request.ask.target or "")
        channel = named[1] if named else self._channel
        if channel is None:
            raise Untrusted("neither the target nor the handler names a channel")
        said = await self._called("chat.postMessage", json.dumps({"channel": channel, **what}), "application/json")
        return str(said.get("channel", "")), str(said.get("ts", ""))

    async def _polled(self, channel: str, stamp: str) -> Result:
        form = urlencode({"channel": channel, "timestamp": stamp, "full": "true"})
        while True:
            await asyncio.sleep(self._poll_s)
            said = await self._called("reactions.get", form, "application/x-www-form-urlencoded")
            ballot = Ballot(self._approvers, self._quorum)  # anew each time: a reaction can be taken back
            for by, granted in _reactions(said, stamp):
                ballot.vote(by, granted=granted)
            if ballot.decided.done():
                return ballot.decided.result()

    async def _called(self, method: str, body: str, kind: str) -> dict[str, Any]:
        """Call a method of Slack's API; raises `Untrusted` where it says no."""
        answer = await self._sent(f"{self._api}/{method}", body.encode(), kind)
        if answer.status != 200:
            raise Untrusted(f"it answered {answer.status}")
        said = answer.json_object()
        if said.get("ok") is not True:
            problem = said.get("error")
            known = isinstance(problem, str) and SAID.fullmatch(problem)
            raise Untrusted(f"it answered {problem if known else 'that it is not ok'}")
        return said

    async def _sent(self, url: str, body: bytes, kind: str) -> Answer:
        """Send, and again where Slack is not there or asks to wait."""
        headers = {"content-type": f"{kind}; charset=utf-8"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        wait_s = FIRST_WAIT_S
        while True:
            pause_s = wait_s
            try:
                answer = await self._post(url, body, headers)
                if answer.status != 429 and answer.status < 500:
                    return answer
                pause_s = min(answer.retry_after_s or wait_s, LONGEST_WAIT_S)
            except Unreached:
                pass
            await asyncio.sleep(pause_s)
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)


def _checked(approvers: Iterable[str]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys([approvers] if isinstance(approvers, str) else approvers))
    if not names or not all(USER.fullmatch(name) for name in names):
        raise InvalidApprovals("approvers are the ids of users, such as U012AB3CD, and there is at least one")
    return names


def _answer(request: Request, result: Result) -> Answered:
    by = ", ".join(result.by)
    return grant(request.ask, by=by) if result.granted else refuse(request.ask, by=by)


def _reactions(said: dict[str, Any], stamp: str) -> Iterator[tuple[str, bool]]:
    """Tell who reacts how, denials first; where Slack does not tell all who deny, nobody grants."""
    found: dict[str, Any] = said.get("message") or {}
    if found.get("ts") != stamp:
        raise Untrusted("it answered for another message")
    reactions = cast("list[dict[str, Any]]", found.get("reactions") or [])
    denied = [reaction for reaction in reactions if reaction.get("name") == DENYING]
    for reaction in denied:
        yield from ((by, False) for by in reaction["users"])
    if all(reaction["count"] == len(reaction["users"]) for reaction in denied):
        granted = [reaction for reaction in reactions if reaction.get("name") == GRANTING]
        yield from ((by, True) for reaction in granted for by in reaction["users"])


def _votes(body: bytes) -> Iterator[tuple[bool, str, str, str]]:
    """Read a payload: whether it grants, who, and for which request and digest; raises what is caught above."""
    fields = parse_qs(body.decode("utf-8"), strict_parsing=True, max_num_fields=10)
    (text,) = fields["payload"]
    payload = json_object(text)
    if payload.get("type") != "block_actions":
        return
    by: object = payload["user"]["id"]
    for action in payload["actions"]:
        if action["action_id"] in (GRANT, DENY) and isinstance(by, str):
            id, _, digest = str(action["value"]).partition(" ")
            yield action["action_id"] == GRANT, by, id, digest
