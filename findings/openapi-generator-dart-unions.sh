#!/usr/bin/env bash
# OpenAPI Generator: of a union of a text and a number, the Dart client has a class with no fields whose `operator ==` ends with `&&`
# and whose `hashCode` has no value, which is no Dart. The client of an interface that has one such union therefore does not compile.
#
# Seen with OpenAPI Generator 7.25.0 on Java 17, 2026-11-28. Needs Java and Maven.
# Expected output: the two getters without their ends.
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
    "Said": { "type": "object", "properties": { "id": { "$ref": "#/components/schemas/Id" } } },
    "Id": { "oneOf": [{ "type": "string" }, { "type": "integer" }] } } } }
EOF
java -jar openapi-generator-cli.jar generate -i openapi.json -g dart -o client >log 2>&1 || { cat log; exit 1; }
fail() { echo "CHANGED: $1" && exit 1; }
grep -A6 'operator ==' client/lib/model/id.dart | tee shown
grep -q '&&$' shown || fail 'operator == has an end now'
grep -A1 'unnecessary_parenthesis' shown | tail -n 1 | grep -q '^$' || fail 'hashCode has a value now'
