from itertools import product

import pytest

from seamlaw import Policy, Result
from seamlaw_spec.laws import policies as laws
from seamlaw_spec.policy_algebra import LAWS_THAT_HOLD, NON_LAWS, Equation, NonLaw, counterexamples
from seamlaw_spec.policy_domains import CALL, GRAVITY, HOOKS, LEAVES, Token, answers, evaluated, level, read
from seamlaw_spec.policy_meaning import means, ways

OPERATORS = [token for token in Token if token not in LEAVES]


@pytest.mark.parametrize("equation", LAWS_THAT_HOLD, ids=lambda equation: equation.name)
def test_the_equation_holds_for_all_results(equation: Equation) -> None:
    """Each equation holds in every case of the four results."""
    assert list(counterexamples(equation)) == []


@pytest.mark.parametrize("non_law", NON_LAWS, ids=lambda non_law: non_law.equation.name)
def test_the_witness_is_the_smallest(non_law: NonLaw) -> None:
    """Each equation that does not hold still fails, first of all in the case that is written down."""
    assert non_law.replay()
    assert next(counterexamples(non_law.equation))[: len(non_law.witness)] == non_law.witness


@pytest.mark.parametrize("law", [laws.not_turns_pass_and_fail, laws.a_fault_is_an_unknown, laws.double_negation])
def test_a_law_of_one_policy_is_exhausted(law: laws.OfOne) -> None:
    """The laws of one policy hold for every expression of up to two tokens."""
    assert all(law(list(tokens)) for size in range(3) for tokens in product(Token, repeat=size))


def test_what_a_fault_means_is_exhausted_further() -> None:
    """What a fault means holds for every expression of three tokens, the last of them an operator."""
    every = product(LEAVES, Token, OPERATORS)
    assert all(laws.a_fault_is_an_unknown(list(tokens)) for tokens in every)


@pytest.mark.parametrize("law", [laws.and_gathers, laws.or_needs_one_clean_pass, laws.de_morgan])
def test_a_law_of_two_policies_is_exhausted(law: laws.OfTwo) -> None:
    """The laws of two policies hold for every pair of a leaf and a leaf under an operator."""
    sides = [[leaf] for leaf in LEAVES] + [[leaf, operator] for leaf in LEAVES for operator in OPERATORS]
    assert all(law(left, right) for left in sides for right in sides)


def test_the_naive_account_agrees_with_itself() -> None:
    """What a way says of holding is the plain truth of the expression, whichever side of `~` it is read from."""
    for tokens in product(Token, repeat=3):
        for hook in HOOKS:
            tree = read(tokens)
            holds = {way.holds for way in ways(tree, hook)}
            expected = {
                Result.NOT_APPLICABLE: {None},
                Result.PASSED: {True},
                Result.FAILED: {False},
                Result.FAULTED: {True, False},
            }
            assert holds == expected[means(tree, hook)], tokens


def test_a_side_that_passed_does_not_count() -> None:
    """Where nothing faults, the verdict is that of the failures that make the whole fail, and of no others."""
    for size in range(6):
        for tokens in product((Token.FAIL, Token.PASS, Token.ASK, Token.AND, Token.OR), repeat=size):
            (way,) = ways(read(tokens), "pre")
            assert GRAVITY[way.level] == GRAVITY[level(answers(read(tokens), "pre"))], tokens


def test_a_fault_that_cannot_matter_does_not_count() -> None:
    """A verdict is decided where every way to fill in the faults gives it: `(crash | pass) & ask` asks."""
    tokens = [Token.CRASH, Token.PASS, Token.OR, Token.ASK, Token.AND]
    assert {way.level for way in ways(read(tokens), "pre")} == {level(answers(read(tokens), "pre"))}


def test_one_requirement_and_its_negation_tell_each_other_apart() -> None:
    """`p` and `~p` never both pass, and never both fail, whatever the predicate answers."""
    for says in (True, False):
        made = Policy("p").require(lambda call, says=says: says)
        assert {made.evaluate("pre", CALL).result, (~made).evaluate("pre", CALL).result} == {
            Result.PASSED,
            Result.FAILED,
        }


def test_a_requirement_that_only_notes_is_an_unknown_when_it_faults() -> None:
    """A predicate that should have noted and raised blocks: nothing says what it would have found."""
    assert evaluated(read([Token.NOTE_CRASH]), "pre").result is Result.FAULTED
