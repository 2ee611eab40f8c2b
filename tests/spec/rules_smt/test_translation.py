"""What z3 is told about rules is what the kernel does: tried on random rules and calls, in both directions."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from seamlaw import TOOL_CALL, Globs, Interceptors, Outcome, Scope, ToolCall, decide, parse_rules, thaw
from seamlaw_spec.rule_domains import Rulebook
from seamlaw_spec.rules_smt import Answer, Witness, find
from seamlaw_spec.rules_smt import _json as json
from seamlaw_spec.rules_smt import _truths as truths
from seamlaw_spec.rules_smt._alphabet import alphabet
from seamlaw_spec.rules_smt._demands import demand_of, texts_of
from seamlaw_spec.rules_smt._json import constant
from seamlaw_spec.rules_smt._policies import Asked, Judged, judge
from seamlaw_spec.rules_smt._texts import characters_of_globs
from seamlaw_spec.rules_smt._z3 import is_true, negation, z3
from seamlaw_spec.strategies import of
from seamlaw_spec.strategies.filters import FILTERS, NAMES

CHECKS: Any = HealthCheck
OPTIONS: dict[str, Any] = {"suppress_health_check": [*CHECKS], "database": None, "deadline": None}


def decided(rules: Any, call: ToolCall, scope: Scope) -> Outcome[ToolCall]:
    """What the kernel says."""
    return decide(Interceptors(rules=rules), TOOL_CALL, call, scope=scope)


def differs(book: Rulebook) -> bool:
    """Whether the formulas say of a call that is known what the kernel does not."""
    rules = parse_rules(list(book.rules))
    demand, texts = demand_of(rules), texts_of(rules)
    arguments = constant(thaw(book.call.arguments), demand, texts)
    asked = Asked(texts.literal(book.tool), arguments, texts.literal(book.agent or ""), book.agent is not None)
    judged, verdict = judge(rules, asked, texts, demand), decided(rules, book.call, book.scope).verdict.value
    told = ((judged.blocks, verdict == "block"), (judged.asks, verdict == "ask"))
    if texts.roots:  # of a path that climbs not all is said; nothing that is said is wrong
        solver = z3.Solver()
        solver.add([claim for claim in texts.axioms() if claim is not True])
        return any(str(solver.check(claim if held else negation(claim))) == "unsat" for claim, held in told)
    return any(is_true(claim) not in (None, held) for claim, held in told)


@settings(max_examples=300, **OPTIONS)
@given(of(Rulebook))
def test_a_formula_says_of_a_known_call_what_the_kernel_decides(book: Rulebook) -> None:
    """For random rules, with all operators, filters and defaults, and calls close to what they are about."""
    assert not differs(book)


def asks_for(verdict: str, judged: Judged) -> Any:
    """The formula for a verdict."""
    return {"block": judged.blocks, "ask": judged.asks, "proceed": negation(judged.strict)}[verdict]


@settings(max_examples=30, phases=[Phase.generate], **OPTIONS)
@given(of(Rulebook))
def test_what_z3_finds_the_kernel_decides_so_and_what_it_excludes_is_never_seen(book: Rulebook) -> None:
    """A call that is found for a verdict gets it; where there is said to be none, the call at hand does not get it."""
    rules = parse_rules(list(book.rules))
    seen = decided(rules, book.call, book.scope).verdict.value
    for verdict in ("block", "ask", "proceed"):
        claimed: list[Witness] = []

        def confirms(witness: Witness, verdict: str = verdict, claimed: list[Witness] = claimed) -> bool:
            claimed.append(witness)
            return decided(rules, witness.call, witness.scope).verdict.value == verdict

        def question(judged: list[Judged], _: Asked, verdict: str = verdict) -> Any:
            return asks_for(verdict, judged[0])

        found = find([rules], question, confirms, timeout_ms=3_000)
        assert not (found.answer is Answer.NO and seen == verdict)
        assert found.answer is not Answer.YES or claimed


@settings(max_examples=200, **OPTIONS)
@given(FILTERS, NAMES)
def test_a_glob_is_the_language_that_it_admits(patterns: tuple[str, ...], name: str) -> None:
    """Sets, ranges, `?` and `*`, over an alphabet that is no larger than the patterns need."""
    try:
        globs = Globs(patterns)
    except ValueError:
        return
    rules = parse_rules([{"refuse": "no", **({"tools": list(patterns)} if patterns else {})}])
    texts = texts_of(rules)
    assert is_true(texts.admits(globs, texts.literal(name))) is globs.admit(name)


def test_the_alphabet_tells_apart_what_sets_do_and_knows_every_character() -> None:
    """Two literals, one set without regard to case: few representatives, and each character of Unicode has one."""
    _, sets = characters_of_globs(Globs(("[a-f]*",)))
    known = alphabet("ax", sets)
    assert len(known.codes) == 4
    assert known.code("b") == known.code("f") != known.code("g")
    assert known.code("g") == known.code("\U0010ffff") == known.code("é")


@pytest.mark.parametrize("operator", sorted(truths.TRUTHS))
def test_each_operator_is_translated(operator: str) -> None:
    """The table here has the rows of the kernel's table."""
    from seamlaw.policy._conditions import OPERATORS

    assert set(truths.TRUTHS) == set(OPERATORS) - {"not"}


GREATER, ENDS_WITH = truths.TRUTHS["greater"], truths.TRUTHS["ends_with"]


def always(value: Any, operand: Any, texts: Any) -> truths.Truth:
    """Holds of everything."""
    return truths.YES


def never(value: Any, operand: Any, texts: Any) -> truths.Truth:
    """Holds of nothing."""
    return truths.NO


def of_every_kind(value: Any, operand: Any, texts: Any) -> truths.Truth:
    """Tells of every kind, where it should not know."""
    return truths.Truth(json.equal(value, operand, texts))


PLANTED: list[tuple[str, Any, dict[str, Any], dict[str, Any]]] = [
    ("less", GREATER, {"less": 1}, {"a": 0}),
    ("exists", never, {"exists": True}, {"a": 0}),
    ("any", always, {"any": {"equals": 1}}, {"a": []}),
    ("equals", of_every_kind, {"equals": 1}, {"a": "text"}),
    ("starts_with", ENDS_WITH, {"starts_with": "x"}, {"a": "xy"}),
]


@pytest.mark.parametrize(("operator", "wrong", "test", "arguments"), PLANTED, ids=[row[0] for row in PLANTED])
def test_a_wrong_translation_is_noticed(
    monkeypatch: pytest.MonkeyPatch, operator: str, wrong: Any, test: dict[str, Any], arguments: dict[str, Any]
) -> None:
    """Each planted mistake makes a formula differ from the kernel."""
    book = Rulebook(({"refuse": "no", "name": "r", "when": [{"at": "/a", **test}]},), "tool", arguments)
    assert not differs(book)
    monkeypatch.setitem(truths.TRUTHS, operator, wrong)
    assert differs(book)


def rules_of(*tests: dict[str, Any]) -> Any:
    """A refusal for each test of `/a`."""
    return parse_rules([{"refuse": "no", "when": [{"at": "/a", **test}]} for test in tests])


def found(rules: Any, verdict: str) -> Answer:
    """Whether z3 finds a call for a verdict."""

    def confirms(witness: Witness) -> bool:
        return decided(rules, witness.call, witness.scope).verdict.value == verdict

    return find([rules], lambda judged, _: asks_for(verdict, judged[0]), confirms).answer


def test_every_call_means_every_call() -> None:
    """`proceed` is excluded only where each kind of value, and absence, is refused."""
    kinds = ["null", "boolean", "number", "string", "array", "object"]
    tests: list[dict[str, Any]] = [{"type_is": kind} for kind in kinds]
    assert found(rules_of(*tests, {"exists": False}), "proceed") is Answer.NO
    assert found(rules_of(*tests), "proceed") is Answer.YES
    for left in range(len(kinds)):
        fewer = [test for at, test in enumerate(tests) if at != left]
        assert found(rules_of(*fewer, {"exists": False}), "proceed") is Answer.YES


@pytest.mark.parametrize(
    ("tests", "answer"),
    [
        ([{"length": {"less": 2}}, {"length": {"greater": 1}}], Answer.NO),
        ([{"any": {"equals": 1}}, {"not": {"any": {"equals": 1}}}], Answer.NO),
        ([{"contains": 1}, {"length": {"less": 2}}], Answer.YES),
        ([{"matches": "^a*$"}, {"matches": "[^a]"}], Answer.NO),
        ([{"not": {"matches": "(?i)^k$"}}, {"one_of": ["k", "K"]}], Answer.YES),
        ([{"under": "/srv"}, {"not": {"under": "/srv"}}], Answer.NO),
        ([{"under": "/srv/a"}, {"not": {"under": "/srv"}}], Answer.YES),
    ],
)
def test_what_is_refused_of_one_kind_of_value(tests: list[dict[str, Any]], answer: Answer) -> None:
    """Where a test and its opposite are refused no value passes; absence is refused here too.

    That `k` without regard to case is a third character, the sign for kelvin, is known.
    """
    assert found(rules_of(*tests, {"exists": False}), "proceed") is answer
