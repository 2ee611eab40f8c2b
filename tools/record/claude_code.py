"""Record Claude Code: hook events, transcripts and the stream it prints, from two headless sessions.

    python tools/record/claude_code.py        (standard library only; needs git, node and npm)

The client is the real one, from npm, talking to a scripted model on 127.0.0.1. It runs in /tmp/demo with an
empty home, and its own permission rules decide what is carried out. In the second session, a PreToolUse hook
also denies one call, asks about one and rewrites the arguments of one.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from places import DEMO, HOME, OUTSIDE, fresh, npm_bin, save, workspace
from scripted import Answer, Call, Json, Say, Turn, anthropic_events, anthropic_message, serving, turns_so_far

VERSION = "2.1.332"
OLD_VERSION = "1.0.128"
FILES_VERSION = "2026.8.31"
LONGEST = 120  # characters kept of a text, and
MOST = 3  # items kept of a list, in records that are no message (listings, prompts, tool schemas)
REPEATED = [  # kinds of record that log the requests, of which the first only is kept
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "prompt_snapshot",
    "tools-used",
    "atis-latch",
    "silent_turn_reminder",
    "agent_listing_delta",
]
OLD_EVENTS = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "SubagentStop",
    "Stop",
    "SessionEnd",
]
EVENTS = [*OLD_EVENTS, "PermissionRequest", "PostToolUseFailure", "SubagentStart"]
ALLOWED = "Read,Edit,Write,Agent,Task,Bash(ls:*),Bash(git:*),Bash(rm:*),Bash(python3:*),mcp__files__read_text_file"

SUBTASK = "Count the lines of src/app.py and report the number."

AGENT: Json = {
    "description": "Count lines",
    "prompt": SUBTASK,
    "subagent_type": "general-purpose",
    "run_in_background": False,
}


def bash(command: str, description: str) -> Call:
    return Call("Bash", {"command": command, "description": description})


MAIN: list[Turn] = [
    [
        Say("I'll look at the project first."),
        Call("Read", {"file_path": f"{DEMO}/README.md"}),
        bash("ls -a", "List files in the workspace"),
    ],
    [bash("git status --short", "Show working tree status")],
    [
        Call(
            "Write",
            {
                "file_path": f"{DEMO}/src/util.py",
                "content": "def shout(text: str) -> str:\n    return text.upper()\n",
            },
        )
    ],
    [Call("Read", {"file_path": f"{DEMO}/src/app.py"})],
    [
        Call(
            "Edit",
            {
                "file_path": f"{DEMO}/src/app.py",
                "old_string": 'return "Hello " + name',
                "new_string": 'return f"Hello {name}"',
                "replace_all": False,
            },
        )
    ],
    [Call("Edit", {"file_path": f"{DEMO}/src/app.py", "old_string": "no such text", "new_string": "x"})],
    [bash("rm -rf build", "Remove the build folder")],
    [Call("Agent", AGENT)],
    [Call("mcp__files__read_text_file", {"path": f"{DEMO}/README.md", "head": 1})],
    [Say("Now the settings."), Call("Read", {"file_path": f"{DEMO}/.env"})],
    [bash("git add -A && git commit -q -m 'Add util'", "Commit")],
    [bash("git push --force origin main", "Publish")],
    [Call("Write", {"file_path": f"{OUTSIDE}/notes.txt", "content": "left here\n"})],
    [bash("curl -fsSL http://127.0.0.1:1/install.sh | sh", "Run the installer")],
    [bash(f"rm -rf {OUTSIDE}", "Clean up")],
    [Say("Done: util.py added, greet() tidied, build removed. The push failed: there is no remote.")],
]
GUARDED: list[Turn] = [
    [bash("git status --short", "Show working tree status")],
    [bash("git push --force origin main", "Publish")],
    [bash("rm -rf build", "Remove the build folder")],
    [bash("git log --oneline", "Show history")],
    [Say("Done, apart from the push.")],
]
CHILD: list[Turn] = [
    [bash("python3 -c \"print(sum(1 for _ in open('src/app.py')))\"", "Count lines")],
    [Say("src/app.py has 2 lines.")],
]

HOOK = """
import json, sys
event = json.load(sys.stdin)
with open(sys.argv[1], "a") as log:
    log.write(json.dumps(event, ensure_ascii=False) + "\\n")
rules = json.loads(sys.argv[2]) if event["hook_event_name"] == "PreToolUse" else {}
decision = rules.get(event.get("tool_input", {}).get("command"))
if decision:
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}))
"""
RULES: Json = {
    "git push --force origin main": {
        "permissionDecision": "deny",
        "permissionDecisionReason": "Force pushes are not allowed here.",
    },
    "rm -rf build": {"permissionDecision": "ask", "permissionDecisionReason": "Deleting needs a person."},
    "git log --oneline": {
        "permissionDecision": "allow",
        "permissionDecisionReason": "Bounded.",
        "updatedInput": {"command": "git log --oneline -n 5", "description": "Show history"},
    },
}


def renamed(turns: list[Turn], old: str, new: str) -> list[Turn]:
    """The same script with a tool called by its other name."""
    return [
        [Call(new, part.input) if isinstance(part, Call) and part.name == old else part for part in turn]
        for turn in turns
    ]


def model(turns: list[Turn]) -> Answer:
    """The scripted model: the sub-agent's conversation is told by its first message."""

    def answer(path: str, request: Json) -> Json | list[Json]:
        if not path.endswith("/messages"):
            return {"input_tokens": 900}
        first = json.dumps(request["messages"][0])
        script = CHILD if SUBTASK in first else turns
        number = turns_so_far(request["messages"])
        message = anthropic_message(request["model"], script[min(number, len(script) - 1)], number)
        return anthropic_events(message) if request.get("stream") else message

    return answer


def configure(rules: Json, events: list[str]) -> None:
    """An empty home with the hooks, and an MCP server."""
    fresh(HOME)
    (HOME / "hook.py").write_text(HOOK)
    (HOME / "rules.json").write_text(json.dumps(rules))
    command = f'python3 {HOME}/hook.py {HOME}/hooks.jsonl "$(cat {HOME}/rules.json)"'
    hooks = {event: [{"hooks": [{"type": "command", "command": command}]}] for event in events}
    (HOME / ".claude").mkdir()
    (HOME / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))
    files = npm_bin("@modelcontextprotocol/server-filesystem", FILES_VERSION, "mcp-server-filesystem")
    servers = {"mcpServers": {"files": {"command": files, "args": [str(DEMO)]}}}
    (HOME / "mcp.json").write_text(json.dumps(servers))


def run(version: str, url: str, prompt: str) -> str:
    """One headless session; gives what it printed."""
    claude = npm_bin("@anthropic-ai/claude-code", version, "claude")
    options = ["--output-format", "stream-json", "--verbose", "--mcp-config", f"{HOME}/mcp.json"]
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(HOME),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "sk-test",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "GIT_AUTHOR_NAME": "Demo",
        "GIT_AUTHOR_EMAIL": "demo@example.invalid",
        "GIT_COMMITTER_NAME": "Demo",
        "GIT_COMMITTER_EMAIL": "demo@example.invalid",
    }
    command = [claude, "-p", prompt, *options, "--allowedTools", ALLOWED]
    done = subprocess.run(
        command,
        cwd=DEMO,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout


def shortened(value: Any) -> Any:
    """The same value with long texts and lists cut."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[:LONGEST] + "… (cut by the recorder)"
    if isinstance(value, list):
        return [shortened(item) for item in value[:MOST]]
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    return value


def scrubbed(text: str) -> str:
    """A text without the system's version and the number of the user who ran the client."""
    return text.replace(platform.release(), "6.0.0").replace(f"/tmp/claude-{os.getuid()}/", "/tmp/claude-1000/")


def transcript(path: Path) -> str:
    """A transcript: messages and hooks as they stand, the rest shortened; the first of each REPEATED kind."""
    kept: list[str] = []
    seen: set[str] = set()
    for line in path.read_text().splitlines():
        item = json.loads(line)
        kind = item["type"] if item["type"] != "attachment" else item["attachment"]["type"]
        if kind in ("user", "assistant") or kind.startswith("hook_"):
            kept.append(line)
        elif kind not in seen:
            kept.append(json.dumps(shortened(item), ensure_ascii=False, separators=(",", ":")))
        if kind in REPEATED:
            seen.add(kind)
    return "".join(line + "\n" for line in kept)


def record(name: str, version: str, turns: list[Turn], rules: Json, prompt: str) -> None:
    """Record one session of this version of the client under this name."""
    workspace()
    configure(rules, OLD_EVENTS if version == OLD_VERSION else EVENTS)
    with serving(model(turns)) as url:
        printed = run(version, url, prompt)
    save(f"{name}.hooks.jsonl", scrubbed((HOME / "hooks.jsonl").read_text()))
    save(f"{name}.stream.jsonl", scrubbed(printed))
    for path in sorted((HOME / ".claude" / "projects").rglob("*.jsonl")):
        kind = "subagent" if "subagents" in path.parts else "transcript"
        save(f"{name}.{kind}.jsonl", scrubbed(transcript(path)))


def main() -> None:
    task = "Add a shout() helper, tidy greet(), clean up and publish."
    record("claude_code", VERSION, MAIN, {}, task)
    record("claude_code_guarded", VERSION, GUARDED, RULES, "Clean up and publish.")
    record("claude_code_1", OLD_VERSION, renamed(MAIN, "Agent", "Task"), {}, task)


if __name__ == "__main__":
    main()
