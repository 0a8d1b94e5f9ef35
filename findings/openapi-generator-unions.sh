#!/usr/bin/env bash
# OpenAPI Generator: of a union of a text and a number, the Dart client has a class with no fields whose `operator ==` ends with `&&`
# and whose `hashCode` has no value, which is no Dart. The client of an interface that has one such union therefore does not compile.
# Of a union of two objects, Kotlin makes one class, which requires the fields of both.
#
# Seen with OpenAPI Generator 7.25.0 on Java 17, 2026-11-28. Needs Java and Maven.
# Expected output: the two getters without their ends, and the fields of the class.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=. -Dmdep.stripVersion=true
cat >openapi.json <<'EOF'
{ "openapi": "3.0.3", "info": { "title": "T", "version": "1" },
  "paths": { "/say": { "post": { "operationId": "say", "responses": { "204": { "description": "." } },
    "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Said" } } } } } } },
  "components": { "schemas": {
    "Said": { "type": "object", "properties": { "id": { "$ref": "#/components/schemas/Id" }, "either": { "$ref": "#/components/schemas/Either" } } },
    "Id": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
    "Either": { "oneOf": [{ "$ref": "#/components/schemas/A" }, { "$ref": "#/components/schemas/B" }] },
    "A": { "type": "object", "required": ["one"], "properties": { "one": { "type": "string" } } },
    "B": { "type": "object", "required": ["many"], "properties": { "many": { "type": "string" } } } } } }
EOF
for generator in dart kotlin; do
  java -jar openapi-generator-cli.jar generate -i openapi.json -g "$generator" -o "$generator" >log 2>&1 || { cat log; exit 1; }
done
fail() { echo "CHANGED: $1" && exit 1; }
grep -A6 'operator ==' dart/lib/model/id.dart | tee shown
grep -q '&&$' shown || fail 'operator == has an end now'
grep -A1 'unnecessary_parenthesis' shown | tail -n 1 | grep -q '^$' || fail 'hashCode has a value now'
either=kotlin/src/main/kotlin/org/openapitools/client/models/Either.kt
grep 'val \(one\|many\): kotlin.String,\?$' "$either" | tee fields
[ "$(wc -l <fields)" = 2 ] || fail 'Kotlin requires one of the two now'
