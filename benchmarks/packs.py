"""What each pack decides when it is measured: a call that is typical of it, and that it lets through.

To add a pack, write a function that gives its bundle, named as its module: `@measured` takes it into the tables.
"""

from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from attrs import frozen

from benchmarks.cases import CALL, Case
from seamlaw import (
    PROVIDER_REQUEST,
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    Message,
    ProviderRequest,
    Scope,
    Seam,
    ToolCall,
    ToolResult,
    gate,
    plan,
)
from seamlaw_host.bench import calling

__all__ = ["PACKS", "case"]

HERE = str(Path(__file__).parent)  # a folder in which there is something
READ = ToolCall("call-1", "read_file", {"path": "peers/of_bare.py"})
QUERY = ToolCall(
    "call-1",
    "query",
    {"sql": "SELECT region, sum(amount) FROM sales JOIN regions USING (id) WHERE day >= '2026-01-01' GROUP BY region"},
)
SCOPE = Scope(session="s-1", agent="coder", role="writer", trust="high", chain=["lead", "coder"])
LINES = "2026-01-31 12:00:00 INFO worker-7 GET /api/v1/items/42?page=3 200 12 ms user=ann session=5f2d\n" * 10
REQUEST = ProviderRequest(
    "a-model",
    [
        Message("system", "You work in /srv/workspace."),
        *[Message("user", "Why does the build fail?"), Message("assistant", "", [CALL]), Message("tool", LINES)] * 5,
    ],
    kwargs={"max_tokens": 4_096},
    headers={"Accept": "application/json"},
)
PLENTY = 9_000_000  # of billionths no more can be counted


@frozen
class Decided:
    """A bundle, and what it decides, at which seam."""

    bundle: Interceptors | None
    given: tuple[Any, ...] = (CALL,)
    seam: Seam[Any] = TOOL_CALL


PACKS: dict[str, Callable[[], Decided]] = {}


def measured(made: Callable[[], Decided]) -> Callable[[], Decided]:
    """Take a pack into the tables, by the name of the function."""
    PACKS[made.__name__] = made
    return made


def case(name: str) -> Case:
    """A decision with a pack, beside one with a gate that has nothing to say, at the same seam."""
    decided = PACKS[name]()
    run, bare = (_run(bundle, decided.seam) for bundle in (decided.bundle, _bare(decided.seam)))
    outcome = run(*decided.given)
    if outcome is not None and not outcome.proceeds:
        raise AssertionError(f"{name} stops what it should let through: {outcome.reason}")
    over = f"a gate at {decided.seam.name} that says nothing"
    return Case(f"pack/{name}", calling(run, *decided.given), calling(bare, *decided.given), over)


def _run(bundle: Interceptors | None, seam: Seam[Any]) -> Callable[..., Any]:
    return partial(getattr(plan(bundle), seam.name), scope=SCOPE)


def _bare(seam: Seam[Any]) -> Interceptors:
    nothing: dict[str, Any] = {seam.name: [gate(lambda value: None)]}
    return Interceptors(**nothing)


# The packs


@measured
def path_sandbox() -> Decided:
    from seamlaw_packs.path_sandbox import PathSandbox

    return Decided(PathSandbox([HERE], base=HERE).interceptors(), (READ,))


@measured
def file_security() -> Decided:
    from seamlaw_packs.file_security import FileSecurity

    return Decided(FileSecurity(base=HERE).interceptors(), (READ,))


@measured
def network() -> Decided:
    from seamlaw_packs.network import Network

    pack = Network(["example.com", "*.example.org", "http://localhost:3000"])
    call = ToolCall("call-1", "fetch", {"url": "https://api.example.org/v1/items?page=3"})
    return Decided(pack.interceptors(), (call,))


@measured
def shell() -> Decided:
    from seamlaw_packs.shell import Shell

    return Decided(Shell().interceptors())


@measured
def sql() -> Decided:
    from seamlaw_packs.sql import Sql

    return Decided(Sql("postgres").interceptors(), (QUERY,))


@measured
def secrets_in_args() -> Decided:
    from seamlaw_packs.secrets_in_args import SecretsInArgs

    return Decided(SecretsInArgs().interceptors())


@measured
def redactor() -> Decided:
    from seamlaw_packs.redactor import RedactorPack

    return Decided(RedactorPack().interceptors(), (ToolResult(LINES), CALL), TOOL_RESULT)


@measured
def redactor_of_requests() -> Decided:
    from seamlaw_packs.redactor import RedactorPack

    return Decided(RedactorPack().interceptors(), (REQUEST,), PROVIDER_REQUEST)


@measured
def input_limit() -> Decided:
    from seamlaw_packs.input_limit import InputLimit

    return Decided(InputLimit().interceptors())


@measured
def confirm() -> Decided:
    from seamlaw_packs.confirm import Confirm

    patterns = {"removes files": r"rm\s+-r", "rewrites history": "push .*--force"}
    return Decided(Confirm(patterns, fields=["command"]).interceptors())


@measured
def tool_aliases() -> Decided:
    from seamlaw_packs.tool_aliases import ToolAliases

    return Decided(ToolAliases({"bash": ["shell", "sh", "run_command", "mcp__*__bash"]}).interceptors())


@measured
def plan_gate() -> Decided:
    from seamlaw_packs.plan_gate import PlanGate

    bundle = PlanGate(planning=["todo"]).interceptors()
    _run(bundle, TOOL_CALL)(ToolCall("call-0", "todo", {}))
    return Decided(bundle)


@measured
def delegate_spawner() -> Decided:
    from seamlaw_packs.delegate_spawner import DelegateSpawner

    bundle = DelegateSpawner(["spawn_*"], delegate="delegate").interceptors()
    return Decided(bundle, (ToolCall("call-1", "spawn_reviewer", {"task": "review a.py"}),))


@measured
def audit_log() -> Decided:
    from seamlaw_packs.audit_log import AuditLog

    def nowhere(line: str) -> None:
        """Take a line."""

    return Decided(AuditLog(write=nowhere).interceptors())


@measured
def metrics() -> Decided:
    from seamlaw_packs.metrics import Metrics

    return Decided(Metrics().interceptors())


@measured
def delegation_depth() -> Decided:
    from seamlaw_packs.delegation_depth import DelegationDepth

    return Decided(DelegationDepth(2, delegates=["delegate", "spawn_*"]).interceptors())


@measured
def trust() -> Decided:
    from seamlaw_packs.trust import Trust

    return Decided(Trust({"write_*": "medium", "bash": "high"}).interceptors())


@measured
def roles() -> Decided:
    from seamlaw_packs.roles import Roles

    return Decided(Roles({"reader": ["read_*"], "writer": ["read_*", "write_*", "bash"]}).interceptors())


@measured
def rate_limit() -> Decided:
    from seamlaw_host.state import MemoryState, RateLimit

    seconds = count()  # a call each second, so that as many leave the window as come
    state = MemoryState(clock=lambda: float(next(seconds)))
    return Decided(RateLimit(100, 60, state=state).interceptors())


@measured
def budget() -> Decided:
    from seamlaw_host.state import Budget

    return Decided(Budget(PLENTY, 1e-9).interceptors())


@measured
def token_budget() -> Decided:
    from seamlaw_host.state import TokenBudget

    return Decided(TokenBudget(2**53 - 1, at_most=1).interceptors(), (REQUEST,), PROVIDER_REQUEST)


@measured
def token_limit() -> Decided:
    from seamlaw_host.state import TokenLimit

    return Decided(TokenLimit(5_000).interceptors(), (REQUEST,), PROVIDER_REQUEST)
