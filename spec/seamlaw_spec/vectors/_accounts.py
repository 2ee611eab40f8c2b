"""Naive accounts of what must come of rules, asks, merging, findings and digests, for which the model has no words."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from seamlaw_spec.rule_domains import Doubt, applies, filled, named
from seamlaw_spec.value_domains import SAFE, is_array, is_object, number_text, text_of, units

from ._files import Vector

__all__ = ["canonical", "digest", "judged", "merged", "picked", "settled"]

LEVELS = ("allow", "note", "ask", "block")
SEVERITIES = ("low", "medium", "high")
VERBS = {"refuse": ("block", "block", "high"), "ask": ("ask", "ask", "medium"), "note": ("note", "note", "low")}
VERDICTS = {"allow": "proceed", "note": "proceed", "ask": "ask", "block": "block"}
SLOTS = ("context", "provider_request", "tool_call", "tool_result", "memory", "rules")


def picked(findings: Sequence[Mapping[str, Any]]) -> int | None:
    """Which finding decides: the first of the gravest of the strictest."""
    ranks = [(LEVELS.index(one["level"]), SEVERITIES.index(one["severity"])) for one in findings]
    return ranks.index(max(ranks)) if ranks else None


def judged(rules: Sequence[Mapping[str, Any]], call: Mapping[str, Any], agent: str | None) -> Vector:
    """What must come of a call where only these rules stand: those that fill, in order, then all that judge."""
    log, arguments = list[Vector](), call["arguments"]
    for rule in rules:
        if "default" in rule and _is_for(rule, rule["default"]["tool"], call, agent):
            try:
                made = (
                    filled(rule["default"]["at"], rule["default"]["value"], arguments)
                    if applies(rule, arguments)
                    else None
                )
            except Doubt:  # tool_call is a closed seam, so the chain stops here
                log.append(_entry("fault", rule["name"], "block", "high"))
                return _outcome(log, {**call, "arguments": arguments})
            if made is not None:
                arguments = made
                log.append(_entry("replace", rule["name"], "allow", "low"))
    for rule in rules:
        if "default" not in rule and _is_for(rule, rule.get("tools", ()), call, agent):
            log += _said(rule, arguments)
    return _outcome(log, {**call, "arguments": arguments})


def _is_for(rule: Mapping[str, Any], tools: Any, call: Mapping[str, Any], agent: str | None) -> bool:
    return named(tools, call["name"]) and named(rule.get("agents", ()), agent)


def _said(rule: Mapping[str, Any], arguments: Any) -> list[Vector]:
    ((verb, (kind, level, severity)),) = [(verb, told) for verb, told in VERBS.items() if verb in rule]
    try:
        if not applies(rule, arguments):
            return []
    except Doubt:
        return [_entry("fault", rule["name"], "block", "high")]
    return [_entry(kind, rule["name"], level, rule.get("severity", severity), rule[verb])]


def _entry(kind: str, who: str, level: str, severity: str, reason: str = "") -> Vector:
    words = {"reason_begins": f"interceptor error: {who} "} if kind == "fault" else {"reason": reason}
    return {"kind": kind, "interceptor": who, **words, "level": level, "severity": severity}


def _outcome(log: list[Vector], call: Mapping[str, Any]) -> Vector:
    at = picked(log)
    worst = log[at] if at is not None else {"level": "allow"}
    verdict = VERDICTS[worst["level"]]
    who = None if verdict == "proceed" else worst["interceptor"]
    return {"verdict": verdict, "value": call, "interceptor": who, "log": log}


def settled(asks: Sequence[Any], answers: Sequence[Mapping[str, Any]]) -> Vector:
    """What must come of asks: all granted, each by an answer of its own; and which answers were not used."""
    left, granted = list(range(len(answers))), True
    for ask in asks:
        mine = [at for at in left if answers[at]["ask"] == ask]
        against = [at for at in mine if answers[at]["granted"] is not True]
        granted = granted and bool(mine) and not against
        if mine:
            left.remove((against or mine)[0])
    return {"verdict": "proceed" if granted else "block", "unused": left}


def merged(bundles: Sequence[Mapping[str, Any] | None]) -> Vector:
    """What must come of merging: nothing, the very one there is, or all of them slot by slot; and who is then asked."""
    there = [(at, bundle) for at, bundle in enumerate(bundles) if bundle and any(bundle.values())]
    if not there:
        return {"nothing": True}
    if len(there) == 1:
        return {"same_as": there[0][0]}
    slots: dict[str, list[Any]] = {}
    for slot in SLOTS:
        slots[slot] = [item for _, bundle in there for item in bundle.get(slot, ())]
    chain, gates = ([one["name"] for one in slots["tool_call"] if one["mode"] == mode] for mode in ("chain", "gate"))
    fills = [rule["name"] for rule in slots["rules"] if "default" in rule]
    judges = [rule["name"] for rule in slots["rules"] if "default" not in rule]
    names = {slot: [item["name"] for item in held] for slot, held in slots.items()}
    return {"slots": names, "order_at_tool_call": fills + chain + judges + gates}


def canonical(value: Any) -> str:
    """The canonical text, with the digits of integers past 2^53."""
    if isinstance(value, int) and abs(value) > SAFE:
        return _integer(value)
    if is_array(value):
        return "[" + ",".join(map(canonical, value)) + "]"
    if is_object(value):
        return "{" + ",".join(f"{text_of(key)}:{canonical(value[key])}" for key in sorted(value, key=units)) + "}"
    return text_of(value)


def _integer(value: int) -> str:
    """An integer's digits; with `.0` where these are how another number, a double, is written."""
    text = str(value)
    near = float(value)
    return text + ".0" if int(near) != value and number_text(near) == text else text


def digest(text: str) -> str:
    """The name of a value, given its canonical text."""
    return sha256(text.encode("utf-8")).hexdigest()
