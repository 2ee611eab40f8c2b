"""The kernel as a runner of the vectors: what another implementation would write in its own language."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, cast

from attrs import frozen

from seamlaw import (
    ALLOW,
    SEAMS,
    TOOL_CALL,
    AgentScoped,
    Ask,
    Block,
    Condition,
    Consultation,
    Entry,
    Finding,
    Globs,
    Interceptor,
    Interceptors,
    Level,
    MemoryItem,
    Message,
    Mismatch,
    Note,
    Outcome,
    Policy,
    ProviderRequest,
    Replace,
    Scope,
    Seam,
    Severity,
    StandingAsk,
    ToolCall,
    ToolResult,
    Verdict,
    answered,
    canonical,
    consult,
    decide,
    decide_async,
    digest,
    gate,
    merge,
    parse_rules,
    pick,
    plan,
    rewriter,
    settle,
)

from ._files import NAMES, SCHEMA, Document, Vector, read

__all__ = ["DRIVERS", "Driver", "Wrong", "run"]

Run: TypeAlias = Callable[[Any, tuple[Any, ...], Scope], "Outcome[Any] | None"]
Driver: TypeAlias = Callable[[Interceptors, Seam[Any]], Run]


@frozen
class Wrong:
    """A vector that something else came of."""

    file: str
    vector: Vector
    driver: str

    def __str__(self) -> str:
        given = {key: told for key, told in self.vector.items() if key != "expect"}
        told = self.vector["name"] if "seam" in self.vector else given
        return f"test vector of {self.file}, by {self.driver}: {told}"


def _decided(bundle: Interceptors, seam: Seam[Any]) -> Run:
    return lambda value, beside, scope: decide(bundle, seam, value, *beside, scope=scope)


def _planned(bundle: Interceptors, seam: Seam[Any]) -> Run:
    ready = plan(bundle)
    if ready is None:
        return lambda value, beside, scope: None
    at = ready.at(seam)
    return lambda value, beside, scope: at(value, *beside, scope=scope)


def _awaited(bundle: Interceptors, seam: Seam[Any]) -> Run:
    async def ask(question: Consultation[Any]) -> Iterable[Entry]:
        return consult(question)

    def run(value: Any, beside: tuple[Any, ...], scope: Scope) -> Outcome[Any]:
        try:
            decide_async(bundle, seam, value, *beside, ask=ask, scope=scope).send(None)
        except StopIteration as end:
            return cast("Outcome[Any]", end.value)
        raise AssertionError("it waits for something")

    return run


DRIVERS: Mapping[str, Driver] = {"decide": _decided, "decide_async": _awaited, "plan": _planned}

_MADE: Mapping[str, Callable[[Any], object]] = {
    "context": lambda told: tuple(Message(**one) for one in told),
    "provider_request": lambda told: ProviderRequest(**told),
    "tool_call": lambda told: ToolCall(**told),
    "tool_result": lambda told: ToolResult(**told),
    "memory": lambda told: tuple(MemoryItem(**one) for one in told),
}


class _Stage:
    """Interceptors that answer by a script, each as often as it is asked, and that note what they were shown."""

    def __init__(self, vector: Vector) -> None:
        self.seam = SEAMS[vector["seam"]]
        self.seen = list[tuple[str, object]]()
        given = [self._interceptor(told) for told in vector["interceptors"]]
        at: dict[str, Any] = {self.seam.name: given}
        self.bundle = Interceptors(rules=parse_rules(vector["rules"]), **at)

    def _interceptor(self, told: Vector) -> Interceptor:
        name, answers = told["name"], told["answers"]

        def scripted(*shown: object) -> object:
            count = sum(who == name for who, _ in self.seen)
            self.seen.append((name, shown[0]))
            return self._answer(answers[count % len(answers)], shown[0])

        options = {key: told[key] for key in ("tools", "agents", "on_fault") if key in told}
        return (gate if told["mode"] == "gate" else rewriter)(scripted, name=name, **options)

    def _answer(self, said: Vector, shown: object) -> object:
        match said["do"]:
            case "raise":
                raise RuntimeError
            case "none":
                return None
            case "allow":
                return ALLOW
            case "same":
                return Replace(shown)
            case "replace":
                return Replace(_MADE[self.seam.name](said["value"]))
            case "wrong_type":
                return Replace("of the wrong type")
            case "note":
                return Note(said["reason"], Severity(said["severity"]))
            case "block":
                return Block(said["reason"], Severity(said["severity"]))
            case "ask":
                return Ask(said["reason"], said["target"], said["timeout_s"], Severity(said["severity"]))
            case _:
                return said["answer"]


def _is(value: object, told: object, seam: str) -> bool:
    """Whether a value is the one told of: the digest tells `true` from 1, and the values their ids."""
    expected = _MADE[seam](told)
    return value == expected and digest(value) == digest(expected)


def _is_logged(entry: Entry, told: Vector) -> bool:
    words = (
        entry.reason.startswith(told["reason_begins"]) if "reason_begins" in told else entry.reason == told["reason"]
    )
    who = (entry.kind.value, entry.interceptor, entry.level.value, entry.severity.value)
    return words and who == (told["kind"], told["interceptor"], told["level"], told["severity"])


def _is_log(log: tuple[Entry, ...], told: list[Vector]) -> bool:
    return len(log) == len(told) and all(map(_is_logged, log, told))


def _comes_of(outcome: Outcome[Any] | None, given: object, told: Vector, seam: str) -> bool:
    outcome = Outcome(SEAMS[seam], Verdict.PROCEED, given) if outcome is None else outcome
    asks = [
        {key: getattr(ask, key) for key in ("interceptor", "reason", "target", "timeout_s")} for ask in outcome.asks
    ]
    reason = (
        outcome.reason.startswith(told["reason_begins"])
        if "reason_begins" in told
        else outcome.reason == told["reason"]
    )
    return (
        (outcome.verdict.value, outcome.interceptor, asks) == (told["verdict"], told["interceptor"], told["asks"])
        and _is(outcome.value, told["value"], seam)
        and (outcome.value is not given) is told["replaced"]
        and reason
        and ("denial" not in told or outcome.denial == told["denial"])
        and _is_log(outcome.log, told["log"])
    )


def _decides(vector: Vector, driver: Driver) -> bool:
    stage, scope = _Stage(vector), Scope(agent=vector["agent"])
    beside = tuple(ToolCall(**call) for call in vector.get("beside", ()))
    run, seam = driver(stage.bundle, stage.seam), stage.seam.name
    given = [_MADE[seam](told) for told in vector["values"]]
    outcomes = [run(value, beside, scope) for value in given]
    return all(
        _comes_of(outcome, value, told, seam)
        for outcome, value, told in zip(outcomes, given, vector["expect"], strict=True)
    ) and (
        len(stage.seen) == len(vector["seen"])
        and all(
            who == asked and _is(value, told, seam)
            for (who, value), (asked, told) in zip(stage.seen, vector["seen"], strict=True)
        )
    )


def _judges(vector: Vector, driver: Driver) -> bool:
    call, told = ToolCall(**vector["call"]), vector["expect"]
    bundle = Interceptors(rules=parse_rules(vector["rules"]))
    outcome = driver(bundle, TOOL_CALL)(call, (), Scope(agent=vector["agent"]))
    outcome = Outcome(TOOL_CALL, Verdict.PROCEED, call) if outcome is None else outcome
    return (
        (outcome.verdict.value, outcome.interceptor) == (told["verdict"], told["interceptor"])
        and _is(outcome.value, told["value"], "tool_call")
        and _is_log(outcome.log, told["log"])
    )


def _merges(vector: Vector, _: Driver) -> bool:
    bundles = [None if told is None else _bundle(told) for told in vector["bundles"]]
    joined, told = merge(*bundles), vector["expect"]
    if joined is None or "slots" not in told:
        return (
            joined is None if "nothing" in told else joined is not None and joined is bundles[told.get("same_as", -1)]
        )
    slots = {slot: [one.name for one in getattr(joined, slot)] for slot in told["slots"]}
    order = [one.name for one in joined.ordered(TOOL_CALL)]
    return bool(slots == told["slots"] and order == told["order_at_tool_call"])


def _bundle(told: Vector) -> Interceptors:
    given: dict[str, Any] = {
        slot: [(gate if one["mode"] == "gate" else rewriter)(_silent, name=one["name"]) for one in held]
        for slot, held in told.items()
        if slot != "rules"
    }
    return Interceptors(rules=parse_rules(told.get("rules", [])), **given)


def _silent(_: object) -> None:
    return None


def _picks(vector: Vector, _: Driver) -> bool:
    findings = [Finding(Level(f["level"]), "", "", Severity(f["severity"])) for f in vector["findings"]]
    found = pick(findings)
    return bool((None if found is None else [one is found for one in findings].index(True)) == vector["expect"])


def _composes(vector: Vector, _: Driver) -> bool:
    policy, scope = _policy(vector["policy"]), Scope(role=vector["role"])
    call = ToolCall("1", "send")
    offered: dict[str, tuple[Any, ...]] = {"pre": (call,), "post": (ToolResult("sent"), call)}
    for hook, told in vector["expect"].items():
        found = policy.evaluate(hook, *offered[hook], scope=scope)
        reasons = iter([failure.reason for failure in found.failures])
        if found.result.value != told["result"] or not all(reason in reasons for reason in told["failures_include"]):
            return False
    return True


def _policy(told: Vector) -> Any:
    match told:
        case {"not": inner}:
            return ~_policy(inner)
        case {"and": [left, right]}:
            return _policy(left) & _policy(right)
        case {"or": [left, right]}:
            return _policy(left) | _policy(right)
        case {"for_roles": roles, "policy": inner}:
            return AgentScoped(_policy(inner), roles)
        case _:
            made = Policy("p") if told["active"] else Policy("p").active_when(_never)
            for one in told["require"]:
                options = {key: one[key] for key in ("on_fail", "hook", "reason", "severity")}
                made = made.require(_predicate(one["predicate"]), **options)
            return made


def _never(*_: object) -> bool:
    return False


def _predicate(says: bool | str) -> Callable[..., bool]:
    def predicate(*_: object) -> bool:
        if says == "raises":
            raise RuntimeError
        return cast(bool, says)

    return predicate


def _holds(vector: Vector, _: Driver) -> bool:
    told, arguments = vector["condition"], ToolCall("1", "tool", vector["arguments"]).arguments
    denied = {"at": told["at"], "not": {key: operand for key, operand in told.items() if key != "at"}}
    expect = vector["expect"]
    return _said(told, arguments) == expect and _said(denied, arguments) == (
        expect if expect == "fault" else not expect
    )


def _said(condition: Vector, arguments: object) -> bool | str:
    try:
        return Condition.read(condition, "vector").holds(arguments)
    except Mismatch:
        return "fault"


def _admits(vector: Vector, _: Driver) -> bool:
    return Globs(tuple(vector["globs"])).admit(vector["name"]) is vector["expect"]


def _names(vector: Vector, _: Driver) -> bool:
    value = json.loads(vector["json"])
    return (canonical(value), digest(value)) == (vector["canonical"], vector["digest"])


def _settles(vector: Vector, _: Driver) -> bool:
    asks = tuple(map(_standing, vector["asks"]))
    answers = [answered(_standing(told["ask"]), told["granted"]) for told in vector["answers"]]
    settled, unused = settle(Outcome(TOOL_CALL, Verdict.ASK, ToolCall("1", "tool"), asks), answers)
    left = [at for at, answer in enumerate(answers) if any(answer is one for one in unused)]
    return settled.asks == () and (settled.verdict.value, left) == (
        vector["expect"]["verdict"],
        vector["expect"]["unused"],
    )


def _standing(told: Vector) -> StandingAsk:
    fields: dict[str, Any] = {**told, "severity": Severity(told["severity"])}
    return StandingAsk(**fields)


CHECKS: Mapping[str, Callable[[Vector, Driver], bool]] = {
    "seams": _decides,
    "chains": _decides,
    "merge": _merges,
    "precedence": _picks,
    "policies": _composes,
    "conditions": _holds,
    "globs": _admits,
    "rules": _judges,
    "digests": _names,
    "asks": _settles,
}
DRIVEN = ("seams", "chains", "rules")  # what differs by driver; of the others one is enough


def run(documents: Mapping[str, Document] | None = None) -> tuple[int, list[Wrong]]:
    """Run the vectors (those of the package, unless others are given) by every driver: how many, and which are wrong.

    Raises `ValueError` for a document of another version.
    """
    given = {name: read(name) for name in NAMES} if documents is None else documents
    count, wrong = 0, list[Wrong]()
    for name, document in given.items():
        if document["schema"] != SCHEMA:
            raise ValueError(f"{name} is of the version {document['schema']}, not {SCHEMA}")
        count += len(document["vectors"])
        wrong += _wrong(name, document)
    return count, wrong


def _wrong(name: str, document: Document) -> Iterator[Wrong]:
    for driver in DRIVERS if name in DRIVEN else ("decide",):
        for vector in document["vectors"]:
            if not _is_right(name, vector, DRIVERS[driver]):
                yield Wrong(name, vector, driver)


def _is_right(name: str, vector: Vector, driver: Driver) -> bool:
    try:
        return CHECKS[name](vector, driver)
    except Exception:  # what raises is as wrong as what differs
        return False
