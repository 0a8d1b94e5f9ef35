#!/usr/bin/env bash
# progenitor: an operation with a 200 of one schema and a `default` of another stops it with a failed assertion that names no
# operation, as it takes `default` for a success too. The same reply as `4XX` is taken. Its contract has to be OpenAPI 3.0.
#
# Seen with cargo-progenitor 0.15.1 on Rust 1.95, 2026-11-28. Needs Rust; the build takes minutes, unless CARGO_TARGET_DIR has it.
# Expected output: the assertion for `default`, none for `4XX`.
set -euo pipefail
export LC_ALL=C RUST_BACKTRACE=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$folder/target} cargo install -q --locked --debug --root "$folder" cargo-progenitor@0.15.1
fail() { echo "CHANGED: $1" && exit 1; }
reply() { echo "\"$1\": { \"description\": \".\", \"content\": { \"application/json\": { \"schema\": { \"\$ref\": \"#/components/schemas/$2\" } } } }"; }
schema() { echo "\"$1\": { \"type\": \"object\", \"properties\": { \"$2\": { \"type\": \"string\" } } }"; }
for status in default 4XX; do
  cat >openapi.json <<JSON
{ "openapi": "3.0.3", "info": { "title": "T", "version": "1" },
  "paths": { "/hello": { "get": { "operationId": "hello", "responses": { $(reply 200 Hello), $(reply $status Failure) } } } },
  "components": { "schemas": { $(schema Hello text), $(schema Failure code) } } }
JSON
  bin/cargo-progenitor progenitor -i openapi.json -o "$status" -n client -v 1.0.0 >"$status.log" 2>&1 || true
done
grep 'assertion failed: response_types.len() <= 1' default.log || fail 'a default is taken'
[ -s 4XX/src/lib.rs ] || fail '4XX is not taken either'
