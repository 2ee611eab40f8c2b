import threading
from multiprocessing import active_children

import pytest

from seamlaw_spec.layers._layers import run_layer
from seamlaw_spec.layers._workers import Task, run

QUICK = Task("exhausted", ("precedence_is_a_semilattice",), deep=False, seconds=60.0)


def test_every_task_is_answered_by_as_many_processes_as_wanted() -> None:
    """More tasks than processes, and fewer, come to an end."""
    for workers in (1, 3):
        answered = [evidence for _, evidence in run([QUICK] * 2, workers)]
        assert [[one.holds for one in evidence] for evidence in answered] == [[True], [True]]
    assert list(run([], 2)) == []


def test_who_does_not_answer_in_time_is_given_up_and_counts_as_failed() -> None:
    """A law on which a broken kernel hangs does not hang the run, and the next task is done."""
    slow = Task("confirmed", ("gate_order_is_irrelevant",), deep=True, seconds=0.2)
    (given_up,), (done,) = (evidence for _, evidence in run([slow, QUICK], 1))
    assert (given_up.law, given_up.holds) == ("gate_order_is_irrelevant", False)
    assert given_up.problem == "no answer within 0 s"
    assert done.holds


def test_a_process_that_dies_counts_as_failed() -> None:
    """A crash of the interpreter is no silence."""
    slow = Task("confirmed", ("gate_order_is_irrelevant",), deep=True, seconds=60.0)
    before = set(active_children())

    def kill_those_of_this_test() -> None:
        for child in set(active_children()) - before:
            child.kill()

    threading.Timer(1.0, kill_those_of_this_test).start()
    ((one,),) = (evidence for _, evidence in run([slow], 1))
    assert (one.holds, one.problem) == (False, "the process that checked it ended without an answer")


def test_an_unknown_layer_is_refused() -> None:
    """The four layers are named."""
    with pytest.raises(LookupError, match="tested, confirmed, proved, exhausted"):
        run_layer("believed", [])
