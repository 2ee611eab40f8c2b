"""An extension in Python, of the standard library alone: it asks before a force push, and takes tokens out of results.

    python examples/extensions/git_guard.py

It reads a request a line and writes an answer a line; what it has to say to people goes to standard error.
"""

import json
import re
import sys

MANIFEST = {
    "type": "manifest",
    "protocol": 1,
    "name": "git-guard",
    "version": "1.0.0",
    "description": "Asks before a force push, and takes tokens out of what tools give back.",
    "interceptors": [
        {"name": "force-push", "seam": "tool_call", "mode": "gate", "tools": ["bash"]},
        {"name": "tokens", "seam": "tool_result", "mode": "rewriter"},
        {"name": "pushes", "seam": "tool_call", "mode": "observer", "tools": ["bash"]},
    ],
    "rules": [{"refuse": "history is not deleted", "tools": ["delete_branch"], "name": "branches"}],
    "exact_integers": True,
}


def force_push(call):
    command = call["arguments"].get("command")
    if not isinstance(command, str):
        return {"decision": "block", "reason": "a command is text"}
    if re.search(r"\bgit\b.*\bpush\b.*(--force|-f\b)", command):
        return {"decision": "ask", "reason": "a force push rewrites history", "target": "lead"}
    return {"decision": "allow"}


def tokens(result):
    text = json.dumps(result["output"])
    clean = re.sub(r"ghp_[A-Za-z0-9]+", "[a token]", text)
    if clean == text:
        return {"decision": "allow"}
    return {"decision": "replace", "value": {**result, "output": json.loads(clean)}}


ANSWERS = {"force-push": force_push, "tokens": tokens}


def answer(request):
    try:
        said = ANSWERS[request["interceptor"]](request["value"])
    except Exception as error:
        print(f"{request['interceptor']} failed: {type(error).__name__}", file=sys.stderr)
        said = {"decision": "error"}
    return {"id": request["id"], **said}


def main():
    out, sys.stdout = sys.stdout, sys.stderr  # what else prints must not be taken for an answer
    for line in sys.stdin:  # it ends when standard input does
        message = json.loads(line)
        if message["type"] == "hello":
            said = MANIFEST
        elif message["type"] == "decide":
            said = answer(message)
        else:
            print(f"{message['interceptor']}: {message['value']['name']} ran", file=sys.stderr)
            continue
        out.write(json.dumps(said) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
