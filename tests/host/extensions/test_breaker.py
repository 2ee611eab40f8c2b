"""The circuit breaker, beside what is said of it, on any series of events and times."""

from hypothesis import given
from hypothesis import strategies as st

from seamlaw_host.extensions._breaker import FIRST_S, LONGEST_S, Breaker

EVENTS = st.lists(st.tuples(st.sampled_from(["ask", "good", "bad"]), st.floats(0, 100)), max_size=40)


@given(EVENTS, st.integers(1, 5), st.floats(0.1, 100))
def test_it_opens_after_so_many_failures_in_a_row_and_lets_one_through_in_each_pause(
    events: list[tuple[str, float]], allowed: int, pause_s: float
) -> None:
    """A good answer closes it, each failure while it is open doubles the pause, and no pause is endless."""
    breaker, now, row, passed = Breaker(allowed, pause_s), 0.0, 0, list[float]()
    for event, later in events:
        now += later
        if event == "good":
            breaker.succeeded()
            row = 0
        elif event == "bad":
            row += 1
            assert breaker.failed(now) is (row >= allowed)
            passed = [now]
        elif breaker.admits(now):
            assert row < allowed or now - passed[-1] >= pause(row - allowed, pause_s) - 1e-6
            passed.append(now)
        else:
            assert row >= allowed
            assert now - passed[-1] < pause(row - allowed, pause_s) + 1e-6


def pause(times: int, pause_s: float) -> float:
    """How long it is open after so many failures more than are allowed."""
    return min(pause_s * 2.0 ** min(times, 16), max(LONGEST_S, pause_s))


@given(st.integers(2, 40), st.floats(0, 1000))
def test_each_restart_in_a_row_waits_longer(allowed: int, now: float) -> None:
    """The first does not wait, the second a tenth of a second, then twice as long each time, up to a minute."""
    breaker, waits = Breaker(allowed, 1.0), list[float]()
    for _ in range(allowed - 1):
        assert not breaker.failed(now)
        waits.append(max(0.0, breaker.not_before - now))
    assert waits[0] == 0
    expected = [min(FIRST_S * 2**n, LONGEST_S) for n in range(allowed - 2)]
    assert all(abs(one - other) < 1e-6 for one, other in zip(waits[1:], expected, strict=True))
    breaker.succeeded()
    assert breaker.not_before <= now
