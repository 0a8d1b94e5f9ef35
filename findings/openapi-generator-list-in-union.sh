#!/usr/bin/env bash
# OpenAPI Generator: of a union of a text and a list, the Java client for the library `native` has `List<Item>.class`, which is no
# Java, and typescript-fetch imports a function `instanceOfItem` that does not exist where the items are a union themselves. Java's
# default library (okhttp-gson) and the templates for Go, Python and Rust take both.
#
# Seen with OpenAPI Generator 7.25.0 on Java 17, 2026-11-27. Needs Java and Maven.
# Expected output: both lines of code, each with its file.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=. -Dmdep.stripVersion=true
cat >openapi.json <<'EOF'
{ "openapi": "3.1.1", "info": { "title": "T", "version": "1" }, "paths": { "/say": { "post": { "operationId": "say", "responses": { "204": { "description": "." } },
  "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Said" } } } } } } },
  "components": { "schemas": {
    "Said": { "type": "object", "properties": { "content": { "oneOf": [{ "type": "string" }, { "$ref": "#/components/schemas/Items" }] } } },
    "Items": { "type": "array", "items": { "$ref": "#/components/schemas/Item" } },
    "Item": { "oneOf": [{ "$ref": "#/components/schemas/A" }, { "$ref": "#/components/schemas/B" }],
      "discriminator": { "propertyName": "type", "mapping": { "a": "#/components/schemas/A", "b": "#/components/schemas/B" } } },
    "A": { "type": "object", "required": ["type"], "properties": { "type": { "type": "string", "const": "a" } } },
    "B": { "type": "object", "required": ["type"], "properties": { "type": { "type": "string", "const": "b" } } } } } }
EOF
generate() { java -jar openapi-generator-cli.jar generate -i openapi.json "$@" >log 2>&1 || { cat log; exit 1; }; }
fail() { echo "CHANGED: $1" && exit 1; }
generate -g java --library native -o java
generate -g typescript-fetch -o fetch
grep -rho 'List<Item>\.class' java/src/main | sort -u | grep . || fail 'Java compares with no class of a list any more'
grep -rho 'instanceOfItem,' fetch/models/SaidContent.ts | sort -u | grep . || fail 'typescript-fetch imports no instanceOfItem any more'
! grep -q 'export function instanceOfItem' fetch/models/Item.ts || fail 'instanceOfItem is there now'
