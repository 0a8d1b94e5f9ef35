#!/usr/bin/env bash
# orval: the clients for axios have a type `<Operation>Result` of their own for each operation, and declare it twice where the
# contract has a schema of that name: an operation `classify` beside a schema `ClassifyResult`. The clients for fetch do not.
#
# Seen with orval 8.38.0 and TypeScript 5.9.3, 2026-11-27.
# Expected output: the error of TypeScript for axios, none for fetch.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "commonjs", "private": true }' >package.json
npm install --silent --no-save --no-audit --no-fund --ignore-scripts orval@8.38.0 typescript@5.9.3 axios@1
cat >openapi.json <<'EOF'
{ "openapi": "3.1.1", "info": { "title": "T", "version": "1" }, "paths": { "/classify": { "get": { "operationId": "classify", "responses": { "200": { "description": ".",
  "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ClassifyResult" } } } } } } } },
  "components": { "schemas": { "ClassifyResult": { "type": "object", "properties": { "label": { "type": "string" } } } } } }
EOF
fail() { echo "CHANGED: $1" && exit 1; }
for client in axios fetch; do
  echo "module.exports = { x: { input: 'openapi.json', output: { client: '$client', target: '$client.ts' } } };" >orval.config.cjs
  npx orval --config orval.config.cjs >log 2>&1 || { cat log; exit 1; }
  npx tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --lib es2023,dom "$client.ts" >"$client.log" || true
done
grep "Duplicate identifier 'ClassifyResult'" axios.log || fail 'axios takes the name'
[ ! -s fetch.log ] || fail 'fetch has errors, too'
