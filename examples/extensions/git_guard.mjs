// An extension in JavaScript, without any package: it asks before a force push, and takes tokens out of results.
//
//     node examples/extensions/git_guard.mjs
//
// It reads a request a line and writes an answer a line; what it has to say to people goes to standard error.

import process from "node:process";

const manifest = {
  type: "manifest",
  protocol: 1,
  name: "git-guard",
  version: "1.0.0",
  description: "Asks before a force push, and takes tokens out of what tools give back.",
  interceptors: [
    { name: "force-push", seam: "tool_call", mode: "gate", tools: ["bash"] },
    { name: "tokens", seam: "tool_result", mode: "rewriter" },
    { name: "pushes", seam: "tool_call", mode: "observer", tools: ["bash"] },
  ],
  rules: [{ refuse: "history is not deleted", tools: ["delete_branch"], name: "branches" }],
};

const answers = {
  "force-push": (call) => {
    const command = call.arguments.command;
    if (typeof command !== "string") return { decision: "block", reason: "a command is text" };
    if (/\bgit\b.*\bpush\b.*(--force|-f\b)/.test(command)) {
      return { decision: "ask", reason: "a force push rewrites history", target: "lead" };
    }
    return { decision: "allow" };
  },
  tokens: (result) => {
    const text = JSON.stringify(result.output);
    const clean = text.replace(/ghp_[A-Za-z0-9]+/g, "[a token]");
    if (clean === text) return { decision: "allow" };
    return { decision: "replace", value: { ...result, output: JSON.parse(clean) } };
  },
};

function answer(request) {
  try {
    return { id: request.id, ...answers[request.interceptor](request.value) };
  } catch (error) {
    console.error(`${request.interceptor} failed: ${error.name}`);
    return { id: request.id, decision: "error" };
  }
}

function take(message) {
  if (message.type === "hello") say(manifest);
  else if (message.type === "decide") say(answer(message));
  else console.error(`${message.interceptor}: ${message.value.name} ran`);
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// Not readline: it takes some characters inside of a text for the end of a line.
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (piece) => {
  const lines = (rest + piece).split("\n");
  rest = lines.pop();
  for (const line of lines) take(JSON.parse(line));
});
