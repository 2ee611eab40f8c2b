"""Whether a program keeps to the protocol: what its host relies on, tried one thing after another."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from attrs import frozen

from seamlaw import SEAMS, MemoryItem, Message, ProviderRequest, Scope, Seam, ToolCall, ToolResult
from seamlaw_packs._hidden import Hidden

from ._channel import Channel
from ._extension import Extension, channel_of
from ._manifest import Introduced
from ._process import GRACE_S
from ._protocol import IN_FLIGHT, Declared
from ._remote import Observer, Remote
from .errors import Failed

__all__ = ["Checked", "check_extension"]

WHO = Scope(session="check", agent="main", chain=["main"])
LONG, ODD = "x" * 2**20, '"\\ \u2028\u0085\r\n\t\x7f\u00e9\U0001f600'


@frozen
class Checked:
    """One thing that was tried, and what was wrong with it, if anything was."""

    claim: str
    problem: str = ""


def check_extension(extension: Extension) -> Iterator[Checked]:
    """Start a program, try it, and tell what came of each thing; nothing of what it is shown is anybody's."""
    channel = channel_of(extension)
    try:
        try:
            known = channel.meet()
        except Failed as failed:
            yield Checked("says its manifest", str(failed))
            return
        yield Checked("says its manifest")
        yield from _interceptors(channel, known)
        yield _ends(channel)
        yield _tried("says the same manifest when it is started again", partial(_again, channel, known))
    finally:
        channel.close()


def _interceptors(channel: Channel, known: Introduced) -> Iterator[Checked]:
    exact = known.manifest.exact_integers
    for declared in known.manifest.interceptors:
        if declared.mode == "observer":
            yield _tried(f"{declared.name} is told, and says nothing", partial(_told, channel, declared, exact=exact))
            continue
        remote = Remote(Hidden(channel), declared, channel.identity, exact)
        for what, offered in _values(SEAMS[declared.seam], exact=exact):
            yield _tried(f"{declared.name} answers to {what}", partial(_answers, remote, offered))
        yield _tried(f"{declared.name} answers {IN_FLIGHT} at once, each by its id", partial(_at_once, remote))


def _tried(claim: str, work: Callable[[], None]) -> Checked:
    try:
        work()
    except Failed as failed:
        return Checked(claim, str(failed))
    return Checked(claim)


def _answers(remote: Remote, offered: tuple[Any, ...]) -> None:
    remote.decision(remote.ask(offered, WHO))


def _at_once(remote: Remote) -> None:
    (_, offered), *_ = _values(remote.seam, exact=False)
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        for found in [pool.submit(_answers, remote, offered) for _ in range(IN_FLIGHT)]:
            found.result()


def _told(channel: Channel, declared: Declared, *, exact: bool) -> None:
    call, result = ToolCall("call-1", "bash", {"command": "ls"}), ToolResult("done")
    value = call if declared.seam == "tool_call" else result
    Observer(Hidden(channel), declared, channel.identity, exact)(value, result, WHO)


def _again(channel: Channel, known: Introduced) -> None:
    one = next((one for one in known.manifest.interceptors if one.mode != "observer"), None)
    if one is None:
        return
    (_, offered), *_ = _values(SEAMS[one.seam], exact=False)
    _answers(Remote(Hidden(channel), one, channel.identity, known.manifest.exact_integers), offered)


def _ends(channel: Channel) -> Checked:
    process = channel.rest()
    claim = "ends when its standard input does"
    if process is None:
        return Checked(claim, "had ended before")
    process.done.wait(4 * GRACE_S)
    code = process.exit_code
    return Checked(claim, "" if code is not None and code >= 0 else f"was still there {GRACE_S:g} s later")


def _values(seam: Seam[Any], *, exact: bool) -> Iterator[tuple[str, tuple[Any, ...]]]:
    deep: Any = "deep"
    for _ in range(90):
        deep = [deep]
    shown: dict[str, dict[str, Any]] = {
        "an ordinary value": {"command": "ls", "path": "/srv/a.txt"},
        "nothing": {},
        "odd characters": {"command": ODD, ODD: [None, True, -1.5e300]},
        "a megabyte": {"command": LONG},
        "90 levels": {"command": deep},
        "other types": {"command": 7, "path": {"a": []}, "url": None},
    }
    if exact:
        shown["an integer past 2^53"] = {"id": 2**53 + 1}
    for what, data in shown.items():
        yield what, _carried(seam, data)


def _carried(seam: Seam[Any], data: dict[str, Any]) -> tuple[Any, ...]:
    call = ToolCall("call-1", "bash", data)
    messages = (Message("user", "hello"), Message("assistant", [{"type": "text", **data}], tool_calls=[call]))
    carried: dict[str, tuple[Any, ...]] = {
        "context": (messages,),
        "provider_request": (ProviderRequest("a-model", messages, kwargs=data, headers={"x": "y"}),),
        "tool_call": (call,),
        "tool_result": (ToolResult(data), call),
        "memory": ((MemoryItem(data, id="m-1", score=0.5),),),
    }
    return carried[seam.name]
