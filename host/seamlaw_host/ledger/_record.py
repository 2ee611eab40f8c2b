"""What is kept of a happening: the schema `seamlaw.record/1`, which docs/ledger.md describes.

A field may be added under the same number; one that is taken away, or means something else, makes the next. msgspec
encodes and decodes a `Record` as it is.
"""

from typing import Any, Literal, TypeAlias

from attrs import frozen

from ._happening import Mode

__all__ = ["SCHEMA", "Asked", "Finding", "Inputs", "Kept", "Kind", "Record", "Verdict"]

SCHEMA = "seamlaw.record/1"
Inputs: TypeAlias = Literal["redacted", "whole", "digests"]
Verdict: TypeAlias = Literal["proceed", "ask", "block"]
Kind: TypeAlias = Literal["whole", "redacted", "opaque", "digest", "withheld"]
Severity: TypeAlias = Literal["low", "medium", "high"]


@frozen(kw_only=True, slots=False)
class Finding:
    """One answer that was not allow: who said what, and how far it went."""

    interceptor: str
    kind: Literal["allow", "note", "replace", "ask", "block", "fault"]
    level: Literal["allow", "note", "ask", "block"]
    reason: str = ""
    severity: Severity = "low"
    gate: bool = False
    target: str | None = None  # of an ask


@frozen(kw_only=True, slots=False)
class Asked:
    """One ask and what came of it; `granted` is `None` where nobody answered, or nobody was contacted."""

    interceptor: str
    reason: str = ""
    target: str | None = None
    timeout_s: float | None = None
    severity: Severity = "medium"
    digest: str | None = None  # of the value that the answer is for
    granted: bool | None = None
    by: str | None = None
    answer: str = ""  # the approver's own words


@frozen(kw_only=True, slots=False)
class Kept:
    """How much of each is in the record, for whoever decides again by what is recorded.

    `whole`: exactly what was seen. `redacted`: something in it was replaced. `opaque`: it held Python objects, of which
    the type alone is kept. `digest`: nothing but the digest. `withheld`: the redactor failed, so nothing.
    """

    proposed: Kind = "whole"
    effective: Kind = "whole"
    texts: Kind = "whole"  # names, reasons, errors


@frozen(kw_only=True, slots=False)
class Record:
    """One decision at one seam, redacted; a call leaves two, of which `executed` and `duration_s` tell apart the last.

    `effective` is what went on instead of `proposed`, `None` where that is the same or nothing went on.
    """

    id: str
    time: float  # seconds since 1970
    seam: str
    schema: str = SCHEMA
    mode: Mode = "enforce"
    session: str | None = None
    agent: str | None = None
    role: str | None = None
    trust: str | None = None
    domain: str | None = None
    chain: tuple[str, ...] = ()  # the agents that delegated, from the first to the acting one
    attempt: str = ""  # what the records of one call share
    call_id: str | None = None
    tool: str | None = None  # as it was proposed; at `tool_result`, as it ran
    proposed: Any = None  # JSON
    effective: Any = None  # JSON
    proposed_digest: str | None = None
    effective_digest: str | None = None
    changed: bool = False  # whether another value went on
    verdict: Verdict = "proceed"
    reason: str = ""
    decided_by: str | None = None
    findings: tuple[Finding, ...] = ()
    asks: tuple[Asked, ...] = ()
    governed: bool = True  # whether anybody was asked
    executed: bool = False  # whether the tool was started
    duration_s: float | None = None
    undo: str = ""
    error: str = ""
    policy_hash: str = ""
    state: Any = None  # JSON: `step`, `checksum`, `state_matches`, `consent` and more, where predicates could see them
    kept: Kept = Kept()
