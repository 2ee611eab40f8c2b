"""What people would use instead: the same policy and the same call, beside a bare loop over the same checks."""

import asyncio
import logging
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.cases import Case
from benchmarks.conftest import Measure
from benchmarks.peers import LIGHT, MODULES, Peer, arguments, peers_of
from benchmarks.peers.of_bare import loop, loop_async
from seamlaw_host.bench import Work, calling

COUNTS = (1, 4, 10, 16, 64)
LOOP = asyncio.new_event_loop()


def found() -> tuple[list[Any], dict[str, str]]:
    """The peers that are installed, and for each other one why it is not measured."""
    peers: list[Any] = []
    absent: dict[str, str] = {}
    for module, distribution in MODULES.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                marks = [] if module in LIGHT else [pytest.mark.heavy]
                peers.extend(pytest.param(peer, marks=marks, id=peer.name) for peer in peers_of(module))
        except ModuleNotFoundError as missing:
            how = "bench" if module in LIGHT else "bench-peers"
            absent[distribution] = f"{missing.name} is not installed (pip install 'seamlaw[{how}]')"
    return peers, absent


PEERS, ABSENT = found()


def work_of(peer: Peer, decide: Any, given: object) -> Work:
    """Decide so many times, an async peer within one run of the loop; then do what was put off, if anything was."""
    drain: Callable[[], None] | None = getattr(decide, "drain", None)
    call = calling(decide, given)

    async def many(number: int) -> None:
        for _ in range(number):
            await decide(given)

    def work(number: int) -> None:
        if peer.is_async:
            LOOP.run_until_complete(many(number))
        else:
            call(number)
        if drain is not None:
            drain()

    return work


def allows(peer: Peer, decide: Any, forbidden: int | None) -> object:
    """Whether a call is let through."""
    said = decide(peer.given(arguments(forbidden)))
    return LOOP.run_until_complete(said) if peer.is_async else said


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("peer", PEERS)
def test_peer(measure: Measure, about: Callable[[Peer], None], peer: Peer, count: int) -> None:
    """Each lets the call through, and stops one that any of its checks forbids; then it is measured."""
    logging.disable(logging.CRITICAL)
    try:
        decide = peer.build(count)
        assert allows(peer, decide, None) is True
        assert [allows(peer, decide, at) for at in sorted({0, count // 2, count - 1})] == [False] * len(
            {0, count // 2, count - 1}
        )
        bare: Any = loop_async(count) if peer.is_async else loop(count)
        floor = work_of(peer, bare, arguments())
        over = "an async loop" if peer.is_async else "a bare loop"
        case = Case(f"peer/{peer.name}/{count}", work_of(peer, decide, peer.given(arguments())), floor, over, count)
        about(peer)
        measure(case, pairs=31)
    finally:
        logging.disable(logging.NOTSET)


def test_absent(absent: Callable[[str, str], None]) -> None:
    """Those that are not here are told."""
    for name, why in ABSENT.items():
        absent(name, why)
