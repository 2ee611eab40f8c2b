"""Processes: restarts, forks, exits; nothing is left behind, and nothing waits for what will not come."""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.host.extensions.made import LONG, SCRIPTED, SHORT, call, declared, eventually, manifest, scripted, written

from seamlaw import TOOL_CALL, Interceptors, decide
from seamlaw_host.extensions import ExtensionFailed

ROOT = Path(__file__).resolve().parents[3]


def pid_of(bundle: Interceptors) -> int:
    """The process that answers."""
    return int(decide(bundle, TOOL_CALL, call(("pid",))).log[0].reason)


def is_there(pid: int) -> bool:
    """Whether there is such a process; one that is dead and was not waited for is there as well."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def is_gone(pid: int) -> bool:
    """Whether nothing is left of it."""
    return not is_there(pid)


def test_it_is_one_process_until_it_ends_and_then_another(tmp_path: Path) -> None:
    """Killed by anybody, also between two calls."""
    with scripted(written(tmp_path)) as extension:
        bundle = extension.interceptors()
        first = pid_of(bundle)
        assert pid_of(bundle) == first
        os.kill(first, signal.SIGKILL)
        eventually(lambda: not is_there(first), "it is waited for")
        assert pid_of(bundle) != first


def test_what_is_in_flight_fails_at_once_when_it_is_killed(tmp_path: Path) -> None:
    """A minute before its deadline; what was waiting for a place is answered by the next process."""
    with scripted(written(tmp_path)) as extension:
        bundle, outcomes = extension.interceptors(), list[str]()
        pid = pid_of(bundle)

        def asks(*steps: Any) -> None:
            outcomes.append(decide(bundle, TOOL_CALL, call(*steps)).reason)

        threads = [threading.Thread(target=asks, args=(("keep",),)) for _ in range(16)]
        for thread in threads:
            thread.start()
        eventually(lambda: len(extension._channel._in_flight) == 16, "all are sent")
        waiting = threading.Thread(target=asks, args=(("block", "the next"),))
        waiting.start()
        eventually(lambda: len(extension._channel._queue) == 1, "one waits")
        os.kill(pid, signal.SIGKILL)
        for thread in (*threads, waiting):
            thread.join()
        assert sorted(outcomes) == sorted(["extension scripted ended (judge)"] * 16 + ["the next"])


def test_another_manifest_after_a_restart_is_refused(tmp_path: Path) -> None:
    """Whatever has changed in it; with the one from before it goes on."""
    script = written(tmp_path)
    before = script.read_text("utf-8")
    with scripted(script, failures=1, pause_s=SHORT) as extension:
        bundle = extension.interceptors()
        first = pid_of(bundle)
        problem = "extension scripted has another manifest than when it was loaded (judge)"
        for changed in (
            {"version": "2"},
            {"exact_integers": False},
            {"interceptors": [declared("judge", tools=["x"])]},
        ):
            script.write_text(json.dumps({"manifest": {**manifest(), **changed}}), "utf-8")
            os.kill(first, signal.SIGKILL)
            eventually(partial(is_gone, first), "it is waited for")
            eventually(lambda: decide(bundle, TOOL_CALL, call()).reason == problem, "it is noticed")
            assert not decide(bundle, TOOL_CALL, call()).proceeds
            script.write_text(before, "utf-8")
            eventually(lambda: decide(bundle, TOOL_CALL, call()).proceeds, "it comes back")
            first = pid_of(bundle)


def test_after_so_many_failures_it_is_not_even_asked(tmp_path: Path) -> None:
    """The circuit is open; one call is let through when its pause is over, and closes it if it is answered."""
    log = tmp_path / "asked"
    with scripted(written(tmp_path), failures=2, pause_s=LONG) as extension:
        bundle = extension.interceptors()
        for _ in range(2):
            assert decide(bundle, TOOL_CALL, call(("kill",))).reason == "extension scripted ended (judge)"
        outcome = decide(bundle, TOOL_CALL, call(("shown", str(log)), ("allow",)))
        assert outcome.reason == "extension scripted failed 2 times in a row and is not asked for now (judge)"
        assert not log.exists()
        extension._channel._breaker.until = 0.0  # its pause is over
        assert decide(bundle, TOOL_CALL, call(("shown", str(log)), ("allow",))).proceeds
        assert decide(bundle, TOOL_CALL, call()).proceeds


def test_what_it_has_started_ends_with_it(tmp_path: Path) -> None:
    """A child that holds its pipes and ignores every signal that can be ignored."""
    path = tmp_path / "child"
    with scripted(written(tmp_path)) as extension:
        bundle = extension.interceptors()
        assert decide(bundle, TOOL_CALL, call(("child", str(path)), ("allow",))).proceeds
        child = int(path.read_text("utf-8"))
    eventually(lambda: not is_there(child) or _is_dead(child), "it is killed")


def _is_dead(pid: int) -> bool:
    """Whether it is dead, and only its new parent has not waited for it yet."""
    status = Path(f"/proc/{pid}/status")
    return not status.exists() or "State:\tZ" in status.read_text("utf-8")


@pytest.mark.parametrize("waiting", [0, 2**21])
def test_closing_ends_it_also_where_it_does_not_end_by_itself(tmp_path: Path, waiting: int) -> None:
    """And waits for it: no process is left, dead or alive, also where more was to be written than it reads."""
    with scripted(written(tmp_path), deadlines_s={"tool_call": SHORT}) as extension:
        bundle = extension.interceptors()
        pid = extension._channel._kept[0].pid
        assert not decide(bundle, TOOL_CALL, call(("stall",))).proceeds
        assert not decide(bundle, TOOL_CALL, call(padding="x" * waiting)).proceeds
        assert is_there(pid)
    assert not is_there(pid)


def test_it_ends_when_nobody_refers_to_it_any_more(tmp_path: Path) -> None:
    """A bundle refers to it, so that it lives as long as somebody may ask."""
    extension = scripted(written(tmp_path))
    bundle = extension.interceptors()
    pid = pid_of(bundle)
    del extension
    gc.collect()
    assert pid_of(bundle) == pid
    del bundle
    gc.collect()
    eventually(lambda: not is_there(pid), "it ends")


PROGRAM = """
import os, sys
from seamlaw import TOOL_CALL, ToolCall, decide
from seamlaw_host.extensions import Extension
extension = Extension([sys.executable, {scripted!r}, {script!r}], start_s=60, deadlines_s={{"tool_call": 60}})
bundle = extension.interceptors()
print(decide(bundle, TOOL_CALL, ToolCall("1", "x", {{"do": [["pid"]]}})).log[0].reason, flush=True)
{then}
"""
ENDS = {
    "by itself": "",
    "by an exception": "raise SystemExit(0)",
    "with an extension that hangs": "import threading; threading.Thread("
    'target=lambda: decide(bundle, TOOL_CALL, ToolCall("1", "x", {"do": [["stall"]]})), daemon=True).start(); '
    "import time; time.sleep(0.3)",
    "by kill -9": "os.kill(os.getpid(), 9)",
    "without any cleaning up": "os._exit(0)",
}


@pytest.mark.parametrize("end", ENDS)
def test_nothing_is_left_when_the_host_exits(tmp_path: Path, end: str) -> None:
    """However it does; one that is killed ends the extension by the end of its standard input."""
    program = PROGRAM.format(scripted=SCRIPTED, script=str(written(tmp_path)), then=ENDS[end])
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert ran.stderr == ""
    eventually(lambda: not is_there(int(ran.stdout)) or _is_dead(int(ran.stdout)), "it ends")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_a_process_of_its_own(tmp_path: Path) -> None:
    """Both go on asking, neither hears the other's answers, and the child's end is not the parent's."""
    with scripted(written(tmp_path)) as extension:
        bundle = extension.interceptors()
        mine = pid_of(bundle)
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                own = pid_of(bundle)
                extension.close()
                os.write(into, f"{own} {is_there(own)}".encode())
            finally:
                os._exit(0)
        os.close(into)
        os.waitpid(child, 0)
        theirs, is_left = os.read(out, 100).decode().split()
        os.close(out)
        assert int(theirs) != mine
        assert is_left == "False"
        assert pid_of(bundle) == mine


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_does_not_keep_the_extension_alive(tmp_path: Path) -> None:
    """It has closed the pipes that it inherited: closed by the parent, the process ends while the child still lives."""
    script = written(tmp_path)
    with scripted(script) as extension:
        bundle = extension.interceptors()
        pid = pid_of(bundle)
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(into)
            os.read(out, 1)  # until the parent lets it go
            os._exit(0)
        process = extension._channel._kept[0]
        process.stop()
        eventually(lambda: not is_there(pid), "it ends by itself")
        assert process._popen.returncode == 0, "by the end of its input, and not by a signal"
        os.close(into)
        os.close(out)
        os.waitpid(child, 0)


def test_it_finds_only_what_it_is_given_in_its_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No token of the host's."""
    monkeypatch.setenv("API_TOKEN", "hunter2")
    monkeypatch.setenv("PASSED", "on")
    path = tmp_path / "shown.json"
    script, extra = written(tmp_path), {"SET": "here"}
    with scripted(script, env=extra, pass_env=["PASSED", "NOT_SET"], cwd=str(tmp_path)) as extension:
        assert decide(extension.interceptors(), TOOL_CALL, call(("shown", str(path)), ("allow",))).proceeds
    found = json.loads(path.read_text("utf-8"))
    assert (found["env"]["SET"], found["env"]["PASSED"], found["cwd"]) == ("here", "on", str(tmp_path))
    known = {"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT"}
    assert set(found["env"]) - known == {"SET", "PASSED"}


def test_what_it_says_on_standard_error_is_logged_within_bounds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A megabyte does not hold it up; a line is cut, a secret is taken out, control characters are escaped."""
    caplog.set_level("INFO", "seamlaw.extensions")
    noise = [("stderr", "\x1b[31mpassword=hunter2\n"), ("stderr", "x" * 1000 + "\n", 1000)]
    noise.insert(0, ("stderr", f"{'y' * 490} sk_live_{'4eC39HqLyjWDarjtT1zdp7dc'}\n"))
    with scripted(written(tmp_path)) as extension:
        assert decide(extension.interceptors(), TOOL_CALL, call(*noise, ("allow",))).proceeds
    eventually(lambda: "more lines were not logged" in caplog.text, "it is told that some are not")
    assert "\\x1b[31mpassword=[redacted:password]" in caplog.text
    assert "hunter2" not in caplog.text
    assert "sk_live" not in caplog.text, "cut in two, it would not be known for what it is"
    lines = [message for message in caplog.messages if "xxx" in message]
    assert len(lines) == 98
    assert {message.count("x") for message in lines} == {501}  # one is in "extension"


def test_a_start_that_fails_can_be_tried_again(tmp_path: Path) -> None:
    """The error says what was wrong; nothing is left of the first."""
    script = written(tmp_path, name="other")
    with scripted(script, name="scripted") as extension:
        assert (extension.name, extension.version) == ("scripted", "0")
        with pytest.raises(ExtensionFailed, match="calls itself other, and was to be scripted"):
            extension.interceptors()
        written(tmp_path)
        assert decide(extension.interceptors(), TOOL_CALL, call()).proceeds
        assert (extension.name, extension.version) == ("scripted", "1")
