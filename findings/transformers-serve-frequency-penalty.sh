#!/usr/bin/env bash
# transformers, `transformers serve`: what a request to Chat Completions has as `frequency_penalty`, with 1 added, becomes
# `repetition_penalty`, which is another thing and has to be above 0. So -1, which OpenAI takes (-2 to 2), is a 500 without JSON when the
# answer comes as a whole. As a stream it is a 200 whose error is a text in place of an object, so a client that looks for
# `error.message` finds nothing. And streams end without `data: [DONE]`, these and those that succeed.
#
# Seen with transformers 5.24.0 and torch 2.15.0 on a CPU, 2026-11-28. The packages take 5.6 GB. The model has random weights.
# Expected output: the status and body of a whole answer with 0 and with -1, the last events of a stream with -1 and with 0.
set -euo pipefail
folder=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install -q transformers==5.24.0 torch==2.15.0 tokenizers==0.23.3 accelerate==1.15.0 fastapi==0.165.0 uvicorn==0.54.0 \
  openai==3.57.0 python-multipart==0.0.34 requests==2.34.2
cat >model.py <<'EOF'
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

tokens = ["<s>", "</s>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
letters = Tokenizer(models.BPE(vocab={token: index for index, token in enumerate(tokens)}, merges=[]))
letters.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
letters.decoder = decoders.ByteLevel()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=letters, bos_token="<s>", eos_token="</s>", pad_token="</s>")
tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"
tokenizer.save_pretrained("tiny")
torch.manual_seed(1)
sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2}
LlamaForCausalLM(LlamaConfig(vocab_size=len(tokens), bos_token_id=0, eos_token_id=1, pad_token_id=1, **sizes)).save_pretrained("tiny")
EOF
export HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1
python/bin/python model.py 2>model.log || { cat model.log && exit 2; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python/bin/transformers serve tiny --host 127.0.0.1 --port "$port" >serve.log 2>&1 &
server=$!
for _ in $(seq 180); do
  curl -sf "http://127.0.0.1:$port/health" >/dev/null && break
  sleep 1
done
ask() {
  curl -s -w '\nstatus %{http_code}\n' "http://127.0.0.1:$port/v1/chat/completions" -H 'content-type: application/json' \
    -d "{\"model\":\"tiny\",\"max_tokens\":2,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"stream\":$1,\"frequency_penalty\":$2}"
}
whole0=$(ask false 0 | tail -1) whole1=$(ask false -1) stream1=$(ask true -1) stream0=$(ask true 0)
printf 'whole, 0: %s\nwhole, -1: %s\nstream, -1: %s\nstream, 0: %s\n' "$whole0" "$whole1" \
  "$(grep '^data\|^status' <<<"$stream1" | tail -2)" "$(grep '^data\|^status' <<<"$stream0" | tail -2 | cut -c1-240)"
changed() { echo "CHANGED: $1" && exit 1; }
[ "$whole0" = 'status 200' ] || changed 'without a penalty it does not answer'
[ "$whole1" = $'Internal Server Error\nstatus 500' ] || changed 'the whole answer'
grep -q '^data: {"error": "' <<<"$stream1" && grep -q '^status 200' <<<"$stream1" || changed 'the error in the stream'
! grep -q '\[DONE\]' <<<"$stream0" || changed 'streams end with [DONE]'
