"""An interceptor that lives in another process: what the kernel calls, and what becomes of no answer.

It fails closed wherever the kernel's own faults do, that is as a gate, at a closed seam, and as a rewriter that may
deny; else it is skipped, with a note (law `closed_fault_blocks`, and a test that compares the two).
"""

import asyncio
import time
from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar

from attrs import frozen

from seamlaw import SEAMS, Consultation, Entry, Scope, Seam, ask, block, consult, note, replace
from seamlaw_packs._hidden import Hidden

from ._channel import Channel, Pending
from ._protocol import LONGEST_LINE, Allow, Answer, Ask, Block, Declared, Error, Note, Replace
from ._stderr import LOG
from ._values import json_of, read_value, write_value
from .errors import Failed

__all__ = ["Observer", "Remote", "consult_async"]


@frozen(eq=False)
class Remote:
    """Asks one interceptor of an extension, at once or awaited."""

    waits: ClassVar[bool] = True  # an engine calls it where no event loop has to wait
    _channel: Hidden[Channel]
    declared: Declared
    identity: tuple[object, ...]  # by which policies are told apart
    exact_integers: bool

    @property
    def channel(self) -> Channel:
        """What it is asked through."""
        return self._channel.value

    def __call__(self, *offered: Any, scope: Scope) -> object:
        """Ask, and wait for the answer until its deadline."""
        try:
            return self.decision(self.ask(offered, scope))
        except Failed as failed:
            return self._without(failed)

    def ask(self, offered: tuple[Any, ...], scope: Scope) -> Answer:
        """Ask, and wait for what is said until its deadline; raises `Failed`."""
        pending = self._submitted(offered, scope)
        try:
            return pending.answered.result(max(0.0, pending.until - time.monotonic()))
        except TimeoutError:
            raise self.channel.give_up(pending) from None
        except Failed:
            raise
        except BaseException:  # an interrupt
            self.channel.give_up(pending, counts=False)
            raise

    async def answer(self, offered: tuple[Any, ...], scope: Scope) -> object:
        """Ask, and await the answer until its deadline."""
        try:
            pending = self._submitted(offered, scope)
            try:
                async with asyncio.timeout(max(0.0, pending.until - time.monotonic())):
                    answer = await asyncio.wrap_future(pending.answered)
            except TimeoutError:
                raise self.channel.give_up(pending) from None
            except Failed:
                raise
            except BaseException:  # it was cancelled
                self.channel.give_up(pending, counts=False)
                raise
            return self.decision(answer)
        except Failed as failed:
            return self._without(failed)

    @property
    def seam(self) -> Seam[Any]:
        """Where it stands."""
        return SEAMS[self.declared.seam]

    @property
    def blocks(self) -> bool:
        """Whether no answer is a block: where the kernel would block for a fault."""
        return self.declared.mode == "gate" or self.seam.on_fault != "open" or self.declared.denies

    def _submitted(self, offered: tuple[Any, ...], scope: Scope) -> Pending:
        shown = write_value(offered, exact_integers=self.exact_integers)
        value, *beside = shown.parts
        head = f'"interceptor":{json_of(self.declared.name)},"seam":"{self.declared.seam}"'
        tail = f'"scope":{json_of(scope)},"digest":"{shown.digest}"'
        body = f'{head},"value":{value},"beside":[{",".join(beside)}],{tail}'
        if len(body) > LONGEST_LINE - 200:
            raise Failed(f"was not asked: the value is larger than {LONGEST_LINE} bytes")
        deadline_s = self.channel.settings.deadlines_s[self.declared.seam]
        pending = Pending(partial(_line, body), deadline_s, time.monotonic() + deadline_s)
        self.channel.submit(pending)
        return pending

    def decision(self, answer: Answer) -> object:
        """Make what was said the kernel's; raises `Failed`."""
        match answer:
            case Allow():
                return None
            case Note():
                return note(answer.reason, severity=answer.severity)
            case Replace():
                return replace(read_value(self.seam, answer.value))
            case Ask():
                return ask(answer.reason, target=answer.target, timeout_s=answer.timeout_s, severity=answer.severity)
            case Block():
                return block(answer.reason, severity=answer.severity)
            case Error():
                raise Failed("failed, as it says itself")

    def _without(self, failed: Failed) -> object:
        reason = f"extension {self.channel.name} {failed} ({self.declared.name})"
        if self.blocks:
            return block(reason)
        LOG.warning("%s: skipped", reason)
        return note(f"{reason}: skipped", severity="medium")


def _line(body: str, number: int, remaining_s: float) -> bytes:
    return f'{{"type":"decide","id":{number},{body},"deadline_s":{remaining_s:.3f}}}\n'.encode()


@frozen(eq=False)
class Observer:
    """Tells one observer of an extension what was executed; it never waits, and nothing comes back."""

    _channel: Hidden[Channel]
    declared: Declared
    identity: tuple[object, ...]
    exact_integers: bool

    def __call__(self, value: object, result: object, scope: Scope) -> None:
        """Tell it; raises `Failed` where that cannot be, which the kernel makes an entry of."""
        shown = write_value((value, result), exact_integers=self.exact_integers)
        head = f'"interceptor":{json_of(self.declared.name)},"seam":"{self.declared.seam}"'
        body = f'"value":{shown.parts[0]},"result":{shown.parts[1]},"scope":{json_of(scope)}'
        if len(body) > LONGEST_LINE - 200:
            raise Failed("was not told: too large")
        self._channel.value.tell(f'{{"type":"observe",{head},{body}}}\n'.encode())


async def consult_async(question: Consultation[Any]) -> Iterable[Entry]:
    """Await what an extension says to a question, and ask whatever else at once; for `seamlaw.decide_async`."""
    remote = question.interceptor.function
    if not isinstance(remote, Remote):
        return consult(question)
    answer = await remote.answer(question.offered, question.scope)
    return consult(question, lambda: answer)
