"""Events come in the order of the calls, each with its result, and memory is bounded by the calls that wait."""

from seamlaw import Scope, ToolCall, ToolResult
from seamlaw_host.sessions import Malformed, Recorded
from seamlaw_host.sessions._join import joined
from seamlaw_host.sessions._steps import Call, Result, answered, key_of, malformed, proposed


def call(at: int, key: object, renews: bool = True) -> Call:
    """Propose a call at a line."""
    return proposed(f"line {at}", name="f", arguments={"at": at}, key=key_of(key), renews=renews)


def result(at: int, key: object) -> Result:
    """Answer at a line."""
    return answered(f"line {at}", key_of(key), output=at)


def pairs(*steps: Call | Result, waiting: int = 100) -> list[tuple[str, str | None]]:
    """Give the places of calls and results; a malformed event has its problem for a result."""
    events = joined(steps, waiting=waiting)
    return [(e.place, e.problem if isinstance(e, Malformed) else e.result_place) for e in events]


def test_results_in_any_order_leave_the_order_of_calls() -> None:
    """A call waits for those before it."""
    steps = (call(1, "a"), call(2, "b"), call(3, "c"), result(4, "c"), result(5, "a"), result(6, "b"))
    assert pairs(*steps) == [("line 1", "line 5"), ("line 2", "line 6"), ("line 3", "line 4")]


def test_a_call_is_given_as_soon_as_its_result_is_known() -> None:
    """Nothing is read past what is needed."""

    def steps() -> object:
        yield call(1, "a")
        yield result(2, "a")
        raise AssertionError("read too far")

    event = next(joined(steps()))  # type: ignore[arg-type]
    assert event == Recorded("line 1", ToolCall("", "f", {"at": 1}), Scope(), ToolResult(2), "line 2")


def test_a_call_without_a_result_is_given_at_the_end() -> None:
    """And so are those behind it."""
    assert pairs(call(1, "a"), call(2, "b"), result(3, "b")) == [("line 1", None), ("line 2", "line 3")]


def test_waiting_is_bounded() -> None:
    """A call that holds back too many events is given without a result, and a late result is told."""
    steps = [call(0, "a"), *(step for at in range(1, 9, 2) for step in (call(at, at), result(at + 1, at)))]
    given = pairs(*steps, result(9, "a"), waiting=3)
    assert given[0] == ("line 0", None)
    assert given[1:] == [*((f"line {at}", f"line {at + 1}") for at in range(1, 9, 2)), ("line 9", LATE)]


LATE = "a result that no call waits for"


def test_a_result_without_a_call_is_told_in_its_place() -> None:
    """It does not vanish."""
    assert pairs(result(1, "a"), call(2, "a"), result(3, "a")) == [("line 1", LATE), ("line 2", "line 3")]
    assert pairs(answered("line 1", None)) == [("line 1", LATE)]


def test_the_oldest_of_equal_calls_has_the_first_result() -> None:
    """Where calls have no ids."""
    steps = (call(1, "a", False), call(2, "a", False), result(3, "a"), result(4, "a"), result(5, "a"))
    assert pairs(*steps) == [("line 1", "line 3"), ("line 2", "line 4"), ("line 5", LATE)]


def test_an_id_used_again_is_a_new_call() -> None:
    """The older call with that id has no result any more; calls of one message share a place and are kept apart."""
    assert pairs(call(1, "a"), call(2, "a"), result(3, "a")) == [("line 1", None), ("line 2", "line 3")]
    twins = (call(1, "a"), call(1, "a"), result(2, "a"), result(3, "a"))
    assert pairs(*twins) == [("line 1", "line 2"), ("line 1", "line 3")]


def test_keys_of_different_types_are_different() -> None:
    """1, "1", 1.0 and true are four ids, and what is no plain value is none."""
    assert len({key_of(1), key_of("1"), key_of(1.0), key_of(True)}) == 4
    assert key_of({}) is None


def test_a_malformed_call_takes_its_result_with_it() -> None:
    """It is told once, with its tool's name."""
    bad = proposed("line 1", name="f", arguments=5, key=key_of("a"))
    (event,) = joined([bad, result(2, "a")])
    assert event == Malformed("line 1", "a call that cannot be read, /arguments: must be an object, not int", "f")


def test_a_malformed_result_ends_the_wait() -> None:
    """The call is given, and after it what is wrong with its result."""
    bad = answered("line 2", key_of("a"), output="\ud800")
    problem = "a result that cannot be read, the value: a lone surrogate is no text"
    assert pairs(call(1, "a"), bad) == [("line 1", None), ("line 2", problem)]
    assert pairs(bad) == [("line 2", problem)]


def test_what_is_malformed_keeps_its_place_among_the_calls() -> None:
    """It waits for the calls before it."""
    steps = (call(1, "a"), malformed("line 2", "bad"), result(3, "a"))
    assert pairs(*steps) == [("line 1", "line 3"), ("line 2", "bad")]
