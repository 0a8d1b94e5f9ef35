#!/usr/bin/env bash
# progenitor: it counts a `default` reply among the successes as well as among the errors, and knows one type for each, so that it
# panics at an operation with a 200 of one schema and a `default` of another, as errors usually have. It ends at a body that is a
# form, and does not read OpenAPI 3.1.
#
# Seen with cargo-progenitor 0.15.1 on Rust 1.95, 2026-11-28. Compiles for about three minutes.
# Expected output: the assertion, the content type, and the error for 3.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export RUST_BACKTRACE=0
cargo install --quiet --locked --debug --root . --target-dir target cargo-progenitor@0.15.1 2>log || { cat log; exit 1; }
fail() { echo "CHANGED: $1" && exit 1; }
reply() { echo "{ description: ., content: { application/json: { schema: { \$ref: '#/components/schemas/$1' } } } }"; }
generate() { # its name, the version of OpenAPI, the operation, and the type of a property
  cat >"$1.yaml" <<EOF
{ openapi: $2, info: { title: T, version: '1' }, paths: { /: { post: { operationId: call, $3 } } }, components: { schemas: {
  Answer: { type: object, properties: { a: { type: ${4:-string} } } }, Failure: { type: object, properties: { b: { type: string } } } } } }
EOF
  bin/cargo-progenitor progenitor -i "$1.yaml" -o "$1" -n made -v 0.1.0 >"$1.log" 2>&1
}
generate plain 3.0.3 "responses: { '200': $(reply Answer), '400': $(reply Failure) }" || fail 'a 400 fails, too'
generate default 3.0.3 "responses: { '200': $(reply Answer), default: $(reply Failure) }" && fail 'a default reply is well now'
grep -o 'assertion failed: response_types.*' default.log || fail "another error: $(cat default.log)"
form='{ content: { multipart/form-data: { schema: { type: object } } } }'
generate form 3.0.3 "requestBody: $form, responses: { '200': $(reply Answer) }" && fail 'a form is well now'
grep -o 'unexpected content type: [a-z/-]*' form.log || fail "another error: $(cat form.log)"
generate newer 3.1.1 "responses: { '200': $(reply Answer) }" "[string, 'null']" && fail 'it reads 3.1'
grep -o 'invalid type: sequence.*' newer.log || fail "another error: $(cat newer.log)"
