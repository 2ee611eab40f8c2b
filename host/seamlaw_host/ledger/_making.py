"""Make a record of a happening: digests of what was seen, then redaction, and only then anything that is kept."""

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any, NamedTuple

from seamlaw import (
    SEAMS,
    Answered,
    Ask,
    Entry,
    Outcome,
    Scope,
    StandingAsk,
    ToolCall,
    ToolResult,
    Verdict,
)

from ._digests import digest_of, is_plain, keyed
from ._happening import Happening
from ._record import Asked, Finding, Inputs, Kept, Kind, Record
from ._redaction import Redacting, Redactor
from ._values import plain_seam

__all__ = ["RecordMaker", "record_of"]

WORST: tuple[Kind, ...] = ("whole", "opaque", "redacted", "digest", "withheld")
# What an engine numbers calls and attempts with: a name given by chance, and a count. Nothing to redact is in it.
NUMBERED = re.compile(r"([0-9a-f]{12}-)[0-9]{1,9}")
KEPT: dict[tuple[Kind, Kind, Kind], Kept] = {}  # one for each, and there are few


def record_of(
    happening: Happening,
    *,
    redactor: Redactor,
    inputs: Inputs = "redacted",
    key: bytes | None = None,
    id: str = "",
) -> Record:
    """Make the record of a happening; never raises an `Exception`: what cannot be made is withheld.

    `inputs` says how values are kept: `redacted`, `whole`, or as `digests` alone. With a `key` digests are HMACs, so
    that nobody without it can try values out.
    """
    return RecordMaker(redactor, inputs, key).record(happening, id)


class _Value(NamedTuple):
    """A value as it may be kept, what became of it on the way, and the digest of what it was."""

    shown: Any
    kept: Kind
    digest: str | None


class RecordMaker:
    """Makes records, and remembers what comes again: the redaction of names, and of who is calling."""

    def __init__(self, redactor: Redactor, inputs: Inputs = "redacted", key: bytes | None = None) -> None:
        self._redactor = redactor
        self._inputs: Inputs = inputs
        self._key = key
        self._remembered: dict[str, str] = {}
        self._scope: tuple[Scope, dict[str, Any], Kind] | None = None

    def record(self, happening: Happening, id: str) -> Record:
        """Make a record; never raises an `Exception`."""
        try:
            return self._made(happening, id, Redacting(self._redactor, self._remembered))
        except Exception as error:  # of a host's own value, or of one that nests too deeply
            return _bare(happening, id, f"no whole record could be made: {type(error).__name__}")

    def _made(self, happening: Happening, id: str, redacting: Redacting) -> Record:
        text, outcome, proposed = redacting.text, happening.outcome, happening.proposed
        call = proposed if isinstance(proposed, ToolCall) else happening.call
        seen = self._value(proposed, redacting)
        went_on = self._went_on(happening, seen, redacting)
        changed = went_on is not None and went_on is not seen
        duration = happening.duration_s
        decided = {} if outcome is None and not happening.answers else self._decided(happening, redacting)
        state, scope = happening.state, self._of_scope(happening.scope, redacting)
        numbered = NUMBERED.fullmatch(happening.attempt)
        return Record(
            id=id,
            time=_number(happening.at),
            seam=happening.seam.name if happening.seam.name in SEAMS else text(happening.seam.name),
            mode=happening.mode,
            attempt=happening.attempt if numbered else text(happening.attempt),
            call_id=None if call is None else call.id if _also_numbered(call.id, numbered) else text(call.id),
            tool=text(call.name) if call is not None else None,
            proposed=seen.shown,
            effective=went_on.shown if changed and went_on is not None else None,
            proposed_digest=seen.digest,
            effective_digest=went_on.digest if went_on is not None else None,
            changed=changed,
            governed=happening.governed,
            executed=happening.executed,
            duration_s=None if duration is None else _number(duration),
            undo=happening.undo and text(happening.undo),
            error=happening.error and text(happening.error),
            policy_hash=happening.policy_hash and text(happening.policy_hash),
            state=None if state is None else self._value(dict(state), redacting).shown,
            **scope,
            **decided,
            kept=_kept(seen.kept, went_on.kept if went_on is not None else seen.kept, redacting.texts),
        )

    def _went_on(self, happening: Happening, seen: _Value, redacting: Redacting) -> _Value | None:
        """Give the value that went on; `seen` itself where it is the same, `None` where nothing did."""
        outcome, proposed = happening.outcome, happening.proposed
        if outcome is None or outcome.value is proposed:
            return None if outcome is not None and outcome.verdict is Verdict.BLOCK else seen
        if outcome.verdict is Verdict.BLOCK:
            return None
        value = self._value(outcome.value, redacting)
        return seen if value.digest == seen.digest and value.digest is not None else value

    def _value(self, value: object, redacting: Redacting) -> _Value:
        """Take the digest of a value, and only then redact it."""
        carried, exact = _carried(value)
        told = keyed(digest_of(value, plain=exact), self._key)
        if self._inputs == "digests":
            return _Value(None, "digest", told)
        if exact:
            shown, kept = carried, KIND_WHOLE
        else:
            shown, is_json = plain_seam(value)
            kept = KIND_WHOLE if is_json else KIND_OPAQUE
        if self._inputs == "whole":
            return _Value(shown, kept, told)
        redacted, became = redacting.value(shown)
        return _Value(redacted, kept if WORST.index(kept) > WORST.index(became) else became, told)

    def _of_scope(self, scope: Scope, redacting: Redacting) -> dict[str, Any]:
        """Say who was calling; the last one is remembered, for calls of one session come together."""
        known = self._scope
        if known is not None and known[0] is scope:
            redacting.add(known[2])
            return known[1]
        mine = Redacting(self._redactor, self._remembered)
        named: dict[str, Any] = {
            "session": mine.optional(scope.session),
            "agent": mine.optional(scope.agent),
            "role": mine.optional(scope.role),
            "trust": mine.optional(scope.trust),
            "domain": mine.optional(scope.domain),
            "chain": tuple(map(mine.text, scope.chain)),
        }
        self._scope = scope, named, mine.texts
        redacting.add(mine.texts)
        return named

    def _decided(self, happening: Happening, redacting: Redacting) -> dict[str, Any]:
        outcome, text = happening.outcome, redacting.text
        asks = tuple(self._asked(ask, answer, redacting) for ask, answer in _asks(outcome, happening.answers))
        if outcome is None:
            return {"asks": asks}
        return {
            "verdict": outcome.verdict.value,
            "reason": text(outcome.reason),
            "decided_by": redacting.optional(outcome.interceptor),
            "findings": tuple(_finding(entry, redacting) for entry in outcome.log),
            "asks": asks,
        }

    def _asked(self, ask: StandingAsk, answer: Answered | None, redacting: Redacting) -> Asked:
        """One ask, and what came of it."""
        text, optional = redacting.text, redacting.optional
        return Asked(
            interceptor=text(ask.interceptor),
            reason=text(ask.reason),
            target=optional(ask.target),
            timeout_s=ask.timeout_s,
            severity=ask.severity.value,
            digest=keyed(ask.digest or None, self._key),
            granted=None if answer is None else answer.granted is True,
            by=None if answer is None else optional(answer.by),
            answer="" if answer is None else text(answer.reason),
        )


def _also_numbered(id: str, attempt: re.Match[str] | None) -> bool:
    """Whether the engine that numbered an attempt gave this id, too; an id of a model's is whatever the model wrote."""
    return attempt is not None and id.startswith(attempt[1]) and NUMBERED.fullmatch(id) is not None


KIND_WHOLE: Kind = "whole"
KIND_OPAQUE: Kind = "opaque"


def _carried(value: object) -> tuple[Any, bool]:
    """Give what a call or a result carries, where it is plain: it is frozen, so that it can be kept as it is."""
    if isinstance(value, ToolCall) and is_plain(value.arguments):
        return {"id": value.id, "name": value.name, "arguments": value.arguments}, True
    if isinstance(value, ToolResult) and is_plain(value.output) and is_plain(value.metadata):
        return {"output": value.output, "error": value.error, "metadata": value.metadata}, True
    return None, False


def _kept(proposed: Kind, effective: Kind, texts: Kind) -> Kept:
    found = KEPT.get((proposed, effective, texts))
    if found is None:
        found = KEPT[proposed, effective, texts] = Kept(proposed=proposed, effective=effective, texts=texts)
    return found


def _finding(entry: Entry, redacting: Redacting) -> Finding:
    target = entry.answer.target if isinstance(entry.answer, Ask) else None
    return Finding(
        interceptor=redacting.text(entry.interceptor),
        kind=entry.kind.value,
        level=entry.level.value,
        reason=redacting.text(entry.reason),
        severity=entry.severity.value,
        gate=entry.is_gate,
        target=redacting.optional(target),
    )


def _asks(outcome: Outcome[Any] | None, answers: tuple[Answered, ...]) -> Iterator[tuple[StandingAsk, Answered | None]]:
    """Pair each ask with its answer: those of the log, in order; then what was answered or stands beside them."""
    unused = list(answers)
    standing = list(outcome.asks) if outcome is not None else []
    for entry in outcome.log if outcome is not None else ():
        if isinstance(entry.answer, Ask):
            mine = next((answer for answer in unused if _is_of(answer.ask, entry)), None)
            found = mine.ask if mine is not None else next((ask for ask in standing if _is_of(ask, entry)), None)
            if mine is not None:
                unused.remove(mine)
            if found is not None and found in standing:
                standing.remove(found)
            yield found or _unanswered(entry, entry.answer), mine
    for answer in unused:
        if answer.ask in standing:
            standing.remove(answer.ask)
        yield answer.ask, answer
    for ask in standing:
        yield ask, None


def _is_of(ask: StandingAsk, entry: Entry) -> bool:
    said = entry.answer
    asked = (ask.interceptor, ask.reason, ask.target, ask.timeout_s)
    return isinstance(said, Ask) and asked == (entry.interceptor, said.reason, said.target, said.timeout_s)


def _unanswered(entry: Entry, said: Ask) -> StandingAsk:
    return StandingAsk(entry.interceptor, said.reason, said.target, said.timeout_s, said.severity, "", entry.seam)


def _number(number: float) -> float:
    return float(number) if isfinite(number) else 0.0


def _bare(happening: Happening, id: str, problem: str) -> Record:
    """Keep that something was decided, and how: of texts and values nothing."""
    outcome = happening.outcome
    return Record(
        id=id,
        time=_number(happening.at),
        seam=happening.seam.name if happening.seam.name in SEAMS else "",
        mode=happening.mode,
        verdict=outcome.verdict.value if outcome is not None else "proceed",
        governed=happening.governed,
        executed=happening.executed,
        error=problem,
        kept=Kept(proposed="withheld", effective="withheld", texts="withheld"),
    )
