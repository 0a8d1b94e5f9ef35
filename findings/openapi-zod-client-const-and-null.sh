#!/usr/bin/env bash
# openapi-zod-client: of a text with a `const` (OpenAPI 3.1) it makes any text, but of a union with a discriminator a discriminated one.
# What it makes compiles, and throws as soon as it is loaded. With an `enum` of the one value, as in OpenAPI 3.0, it works. Of an `enum`
# with null, which `nullable` needs there, it makes `z.enum` with null, which does not compile.
#
# Seen with openapi-zod-client 1.18.3 and zod 3.25.76, 2026-11-28.
# Expected output: the error of zod for `const`, none for `enum`, and the line with null.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "commonjs", "private": true }' >package.json
npm install --silent --no-save --no-audit --no-fund --ignore-scripts openapi-zod-client@1.18.3 zod@3.25.76 @zodios/core@10.9.6 axios@1.7.9 esbuild@0.28.2
fail() { echo "CHANGED: $1" && exit 1; }
for keyword in const enum; do
  value() { [ "$keyword" = const ] && echo "\"const\": \"$1\"" || echo "\"enum\": [\"$1\"]"; }
  part() { echo "\"$1\": { \"type\": \"object\", \"required\": [\"type\"], \"properties\": { \"type\": { \"type\": \"string\", $(value "$1") } } }"; }
  cat >openapi.json <<EOF
{ "openapi": "3.1.1", "info": { "title": "T", "version": "1" }, "paths": { "/part": { "get": { "operationId": "part", "responses": { "200": { "description": ".",
  "content": { "application/json": { "schema": { "\$ref": "#/components/schemas/Part" } } } } } } } },
  "components": { "schemas": { $(part Text), $(part Image), "Part": { "discriminator": { "propertyName": "type" },
  "oneOf": [{ "\$ref": "#/components/schemas/Text" }, { "\$ref": "#/components/schemas/Image" }] } } } }
EOF
  npx openapi-zod-client openapi.json -o "$keyword.ts" >log 2>&1 || { cat log; exit 1; }
  npx esbuild "$keyword.ts" --bundle --platform=node --outfile="$keyword.js" --log-level=error
  node "$keyword.js" >"$keyword.log" 2>&1 || true
done
grep 'discriminator value for key `type` could not be extracted' const.log || fail 'a const is read'
[ ! -s enum.log ] || fail 'an enum is not read either'
cat >openapi.json <<'EOF'
{ "openapi": "3.0.3", "info": { "title": "T", "version": "1" }, "paths": { "/stage": { "get": { "operationId": "stage", "responses": { "200": { "description": ".",
  "content": { "application/json": { "schema": { "type": "string", "nullable": true, "enum": ["planning", "packaging", null] } } } } } } } } }
EOF
npx openapi-zod-client openapi.json -o null.ts >log 2>&1 || { cat log; exit 1; }
tr -d '\n ' <null.ts | grep -o 'z.enum(\["planning","packaging",null' || fail 'null is no member of z.enum any more'
