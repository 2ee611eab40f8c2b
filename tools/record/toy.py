"""Toy tools over the demo workspace, and the one task that the API recorders play."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from places import DEMO, OUTSIDE
from scripted import Call, Say, Turn

SYSTEM = "You are a careful release assistant. Work in /tmp/demo."
TASK = "Check the project, publish it, and tidy up."

TURNS: list[Turn] = [
    [
        Say("Let me look around."),
        Call("list_files", {"path": f"{DEMO}"}),
        Call("read_file", {"path": f"{DEMO}/README.md"}),
    ],
    [Call("run_command", {"command": "git status --short", "timeout_s": 10})],
    [Call("write_file", {"path": f"{DEMO}/CHANGES.md", "content": "# Changes\n\n- Größe → size ✓\n"})],
    [Call("read_file", {"path": f"{DEMO}/missing.txt"})],
    [Call("read_file", {"path": f"{DEMO}/.env"})],
    [
        Call("run_command", {"command": "git push --force origin main", "timeout_s": 30}),
        Call(
            "send_email",
            {"to": ["team@example.com", "press@example.net"], "subject": "Released", "body": "1.0"},
        ),
    ],
    [Call("run_command", {"command": f"rm -rf {OUTSIDE}"}), Call("git_branch", {})],
    [Say("The push failed, since there is no remote. The rest is done.")],
]
SCHEMAS: dict[str, dict[str, Any]] = {
    "list_files": {"path": {"type": "string"}},
    "read_file": {"path": {"type": "string"}},
    "write_file": {"path": {"type": "string"}, "content": {"type": "string"}},
    "run_command": {"command": {"type": "string"}, "timeout_s": {"type": "integer"}},
    "send_email": {
        "to": {"type": "array", "items": {"type": "string"}},
        "subject": {"type": "string"},
        "body": {"type": "string"},
    },
    "git_branch": {},
}


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    return {"type": "object", "properties": SCHEMAS[name]}


def shell(command: str) -> str:
    done = subprocess.run(command, shell=True, cwd=DEMO, capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout.strip()


def run(name: str, args: dict[str, Any]) -> str:
    """Carry out one call; a failure raises. No mail is sent."""
    match name:
        case "list_files":
            return "\n".join(sorted(path.name for path in Path(args["path"]).iterdir()))
        case "read_file":
            return Path(args["path"]).read_text()
        case "write_file":
            Path(args["path"]).write_text(args["content"])
            return "written"
        case "run_command":
            return shell(args["command"])
        case "git_branch":
            return shell("git branch --show-current")
        case "send_email":
            return f"queued for {len(args['to'])} recipients"
        case _:
            raise KeyError(name)


def tried(name: str, args: dict[str, Any]) -> tuple[str, bool]:
    """The text of a call's result, and whether it failed."""
    try:
        return run(name, args), False
    except (OSError, RuntimeError, KeyError) as error:
        return f"{type(error).__name__}: {error}", True
