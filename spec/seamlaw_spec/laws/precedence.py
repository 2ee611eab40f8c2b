"""Which of several findings decides."""

from seamlaw import TOOL_CALL, Finding, Interceptors, Level, Severity, State, decide, join, pick
from seamlaw_spec._law import law
from seamlaw_spec.domains import Heard, Said, chain, fold, gates, verdict
from seamlaw_spec.policy_domains import CALL, CALLER, Token, answers, evaluated, level, policy, read
from seamlaw_spec.policy_meaning import failures

__all__ = [
    "a_note_never_enforces",
    "every_failure_is_reported",
    "precedence_is_a_semilattice",
    "severity_then_arrival",
]

LEVELS, SEVERITIES = tuple(Level), tuple(Severity)  # from the mildest


@law(by="CPE")
def precedence_is_a_semilattice(a: Level, b: Level, c: Level) -> bool:
    """Joining levels is associative, commutative and idempotent; Allow joins to the other, and Block to Block."""
    return (
        join(join(a, b), c) is join(a, join(b, c))
        and join(a, b) is join(b, a)
        and join(a, a) is a
        and join(Level.ALLOW, a) is a
        and join(Level.BLOCK, a) is Level.BLOCK
        and join(a, b) in (a, b)
    )


@law(by="HCPE")
def severity_then_arrival(findings: list[tuple[Level, Severity]]) -> bool:
    """The strictest level decides, within it the gravest severity, and where both tie the first to arrive.

    So the order of arrival changes the reason at most: what is picked from the reverse is as strict and as grave.
    """
    made = [Finding(level, str(at), "a policy", severity) for at, (level, severity) in enumerate(findings)]
    picked, picked_from_reverse = pick(made), pick(made[::-1])
    if picked is None or picked_from_reverse is None:
        return not findings and picked is picked_from_reverse
    beaten = [LEVELS.index(one.level) * 10 + SEVERITIES.index(one.severity) for one in made]
    return (
        int(picked.reason) == beaten.index(max(beaten))
        and picked_from_reverse.level is picked.level
        and picked_from_reverse.severity is picked.severity
    )


@law(by="HCPE")
def a_note_never_enforces(heard: list[Heard], judged: list[Heard], at: int, grave: bool, rule: list[Token]) -> bool:
    """A note put anywhere changes neither verdict nor value, however grave and beside whatever else is said.

    The same holds for a requirement that only notes, beside any policy: it changes neither result nor verdict.
    """
    noted = Heard(Said.GRAVE_NOTE if grave else Said.NOTE)
    place, after = at % (len(heard) + 1), at % (len(judged) + 1)
    plain = fold(State(0), [*chain(heard), *gates(judged)])
    in_chain = fold(State(0), [*chain([*heard[:place], noted, *heard[place:]]), *gates(judged)])
    in_gates = fold(State(0), [*chain(heard), *gates([*judged[:after], noted, *judged[after:]])])
    alone = evaluated(read(rule), "pre")
    beside = evaluated(policy(read([Token.NOTE])) & policy(read(rule)), "pre")
    return (
        verdict(plain) is verdict(in_chain) is verdict(in_gates)
        and plain.value == in_chain.value == in_gates.value
        and alone.result is beside.result
        and join(level(alone.decisions()), Level.NOTE) is level(beside.decisions())
    )


@law(by="HE")
def every_failure_is_reported(first: list[Token], second: list[Token], third: list[Token]) -> bool:
    """The log carries every failure of every policy that failed, not only the one that decides.

    Each stands there once, in order, under the name of the gate that its policy is.
    """
    trees = [read(tokens) for tokens in (first, second, third)]
    required = policy(read([Token.QUIET]))  # a gate requires something: here what passes, whatever stands beside it
    judges = [(policy(tree) & required).as_gate() for tree in trees]
    log = decide(Interceptors(tool_call=tuple(judges)), TOOL_CALL, CALL, scope=CALLER).log
    due = [(judge.name, reason) for judge, tree in zip(judges, trees, strict=True) for reason in failures(tree, "pre")]
    told = iter([(entry.interceptor, entry.reason) for entry in log if entry.level is not Level.NOTE])
    said = [(judge.name, one) for judge, tree in zip(judges, trees, strict=True) for one in answers(tree, "pre")]
    return all(one in told for one in due) and said == [(entry.interceptor, entry.answer) for entry in log]
