"""`seamlaw extension check` finds what does not keep to the protocol, and nothing where all does."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.host.extensions.made import SCRIPTED, declared, manifest, scripted, written
from tests.host.extensions.test_examples import COMMANDS, LANGUAGES

from seamlaw_host.cli._main import seamlaw
from seamlaw_host.extensions import Extension, check_extension


def problems(extension: Extension) -> dict[str, str]:
    """What is wrong, by what was tried."""
    return {one.claim: one.problem for one in check_extension(extension) if one.problem}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_keep_to_the_protocol(language: str) -> None:
    """Each line says what was tried; the exit code is 0."""
    result = CliRunner().invoke(seamlaw, ["extension", "check", "--deadline", "60", "--", *COMMANDS[language]])
    lines = result.output.splitlines()
    assert result.exit_code == 0, result.output
    assert {line[:8] for line in lines} == {"ok      "}
    for claim in ("says its manifest", "tokens answers to a megabyte", "ends when its standard input does"):
        assert f"ok      {claim}" in lines
    assert ("ok      force-push answers to an integer past 2^53" in lines) is (language == "python")


def test_one_at_every_seam_is_shown_what_the_seam_carries(tmp_path: Path) -> None:
    """Nothing is wrong with one that allows everything."""
    path = tmp_path / "allows.py"
    seams = ("context", "provider_request", "tool_call", "tool_result", "memory")
    said = manifest(*[declared(seam, seam, "rewriter") for seam in seams])
    path.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    hello = asked['type'] == 'hello'\n"
        f"    print(json.dumps({said!r} if hello else {{'id': asked['id'], 'decision': 'allow'}}), flush=True)\n",
        "utf-8",
    )
    found = list(check_extension(Extension([sys.executable, str(path)], start_s=60)))
    assert [one for one in found if one.problem] == []
    assert len(found) == 3 + 5 * 8


BROKEN: dict[str, tuple[dict[str, Any], str, str]] = {
    "says no manifest": ({"before": [["exit", 1]]}, "says its manifest", "ended"),
    "prints noise": ({"after": [["raw", "loaded\n"]]}, "", "said what is not JSON"),
    "does not end": (
        {"after": [["outlive"]]},
        "ends when its standard input does",
        "was still there 1 s later",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_does_not_keep_to_it_is_found(tmp_path: Path, kind: str) -> None:
    """And told with what was tried; the exit code is 1."""
    options, claim, problem = BROKEN[kind]
    script = written(tmp_path, **options)
    result = CliRunner().invoke(seamlaw, ["extension", "check", "--", sys.executable, SCRIPTED, str(script)])
    assert result.exit_code == 1
    failed = [line for line in result.output.splitlines() if line.startswith("failed")]
    assert any(claim in line for line in failed)
    assert any(problem in line for line in failed) or kind == "prints noise"


def test_another_manifest_at_the_second_start_is_found(tmp_path: Path) -> None:
    """As it would be refused."""
    path = tmp_path / "script.json"
    other = json.dumps({"manifest": manifest(version="2")})
    script = written(tmp_path, after=[["become", str(path), other]])
    found = problems(scripted(script))
    claim = "says the same manifest when it is started again"
    assert found == {claim: "has another manifest than when it was loaded"}


def test_one_that_answers_to_nobody_is_found(tmp_path: Path) -> None:
    """By each value that it was shown."""
    path = tmp_path / "silent.py"
    path.write_text(
        "import sys\nfor line in sys.stdin:\n"
        f"    '\"hello\"' in line and print('{json.dumps(manifest())}', flush=True)\n",
        "utf-8",
    )
    extension = Extension([sys.executable, str(path)], deadlines_s={"tool_call": 0.05}, start_s=60, failures=100)
    found = problems(extension)
    assert found["judge answers to nothing"] == "gave no answer within 0.05 s"
    assert found["judge answers 16 at once, each by its id"] == "gave no answer within 0.05 s"
    assert "ends when its standard input does" not in found
