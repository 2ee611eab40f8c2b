"""Make a record of a happening: digests of what was seen, then redaction, and only then anything that is kept."""

import hashlib
import hmac
from collections.abc import Iterator
from math import isfinite
from typing import Any

from seamlaw import SEAMS, Answered, Ask, Entry, Outcome, Scope, StandingAsk, ToolCall, Verdict, digest

from ._happening import Happening
from ._record import Asked, Finding, Inputs, Kept, Kind, Record
from ._redaction import Redacting, Redactor
from ._values import plain_seam

__all__ = ["record_of"]

OPAQUE = "opaque:"
WORST: tuple[Kind, ...] = ("whole", "opaque", "redacted", "digest", "withheld")


def record_of(
    happening: Happening,
    *,
    redactor: Redactor,
    inputs: Inputs = "redacted",
    key: bytes | None = None,
    id: str = "",
    remembered: dict[str, str] | None = None,
) -> Record:
    """Make the record of a happening; never raises an `Exception`: what cannot be made is withheld.

    `inputs` says how values are kept: `redacted`, `whole`, or as `digests` alone. With a `key` digests are HMACs, so
    that nobody without it can try values out. `remembered` is where the redaction of short texts may be remembered.
    """
    redacting = Redacting(redactor, {} if remembered is None else remembered)
    try:
        return _Made(happening, redacting, inputs, key).record(id)
    except Exception as error:  # of a host's own value, or of one that nests too deeply
        return _bare(happening, id, f"no whole record could be made: {type(error).__name__}")


class _Made:
    """The parts of one record."""

    def __init__(self, happening: Happening, redacting: Redacting, inputs: Inputs, key: bytes | None) -> None:
        self.happening = happening
        self.redacting = redacting
        self.inputs: Inputs = inputs
        self.key = key

    def record(self, id: str) -> Record:
        """Put them together."""
        happening, text, optional = self.happening, self.redacting.text, self.redacting.optional
        outcome, scope = happening.outcome, happening.scope
        call = happening.proposed if isinstance(happening.proposed, ToolCall) else happening.call
        went_on, proposed_digest, effective_digest = self.digests()
        proposed, proposed_kept = self.value(happening.proposed)
        effective, effective_kept = self.value(went_on) if went_on is not None else (None, proposed_kept)
        findings = tuple(map(self.finding, outcome.log)) if outcome is not None else ()
        asks = tuple(self.asked(ask, answer) for ask, answer in _asks(outcome, happening.answers))
        return Record(
            id=id,
            time=_number(happening.at),
            seam=text(happening.seam.name),
            mode=happening.mode,
            **self.scope(scope),
            attempt=text(happening.attempt),
            call_id=optional(call.id) if call is not None else None,
            tool=optional(call.name) if call is not None else None,
            proposed=proposed,
            effective=effective,
            proposed_digest=proposed_digest,
            effective_digest=effective_digest,
            changed=went_on is not None,
            verdict=outcome.verdict.value if outcome is not None else "proceed",
            reason=text(outcome.reason) if outcome is not None else "",
            decided_by=optional(outcome.interceptor) if outcome is not None else None,
            findings=findings,
            asks=asks,
            governed=happening.governed,
            executed=happening.executed,
            duration_s=None if happening.duration_s is None else _number(happening.duration_s),
            undo=text(happening.undo),
            error=text(happening.error),
            policy_hash=text(happening.policy_hash),
            state=self.state(happening.state),
            kept=Kept(proposed=proposed_kept, effective=effective_kept, texts=self.redacting.texts),
        )

    def state(self, state: object) -> Any:
        """Give the state of the world as far as it was seen; it is redacted as values are."""
        return None if state is None else self.value(state)[0]

    def digests(self) -> tuple[object, str | None, str | None]:
        """Give the value that went on instead, if one did, and the digests of what was proposed and what went on."""
        happening, outcome = self.happening, self.happening.outcome
        proposed = _digest(happening.proposed)
        if outcome is not None and outcome.verdict is Verdict.BLOCK:
            return None, self.keyed(proposed), None
        if outcome is None or outcome.value is happening.proposed:
            return None, (told := self.keyed(proposed)), told
        effective = _digest(outcome.value)
        went_on = None if effective == proposed and effective is not None else outcome.value
        return went_on, self.keyed(proposed), self.keyed(effective)

    def keyed(self, plain_digest: str | None) -> str | None:
        """Make a digest into one that needs the key."""
        if self.key is None or plain_digest is None:
            return plain_digest
        opaque = OPAQUE if plain_digest.startswith(OPAQUE) else ""
        return f"{opaque}hmac-sha256:{hmac.new(self.key, plain_digest.encode(), hashlib.sha256).hexdigest()}"

    def value(self, value: object) -> tuple[Any, Kind]:
        """Give a value as it may be kept, and say what became of it."""
        if self.inputs == "digests":
            return None, "digest"
        shown, exact = plain_seam(value)
        kept: Kind = "whole" if exact else "opaque"
        if self.inputs == "whole":
            return shown, kept
        redacted, became = self.redacting.value(shown)
        return redacted, kept if WORST.index(kept) > WORST.index(became) else became

    def scope(self, scope: Scope) -> dict[str, Any]:
        """Who was calling."""
        optional = self.redacting.optional
        return {
            "session": optional(scope.session),
            "agent": optional(scope.agent),
            "role": optional(scope.role),
            "trust": optional(scope.trust),
            "domain": optional(scope.domain),
            "chain": tuple(map(self.redacting.text, scope.chain)),
        }

    def finding(self, entry: Entry) -> Finding:
        """One entry of the log."""
        target = entry.answer.target if isinstance(entry.answer, Ask) else None
        return Finding(
            interceptor=self.redacting.text(entry.interceptor),
            kind=entry.kind.value,
            level=entry.level.value,
            reason=self.redacting.text(entry.reason),
            severity=entry.severity.value,
            gate=entry.is_gate,
            target=self.redacting.optional(target),
        )

    def asked(self, ask: StandingAsk, answer: Answered | None) -> Asked:
        """One ask, and what came of it."""
        text, optional = self.redacting.text, self.redacting.optional
        return Asked(
            interceptor=text(ask.interceptor),
            reason=text(ask.reason),
            target=optional(ask.target),
            timeout_s=ask.timeout_s,
            severity=ask.severity.value,
            digest=self.keyed(ask.digest or None),
            granted=None if answer is None else answer.granted is True,
            by=None if answer is None else optional(answer.by),
            answer="" if answer is None else text(answer.reason),
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


def _digest(value: object) -> str | None:
    try:
        return digest(value)
    except Exception:  # a value that is no JSON, of a host's own seam
        return None


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
