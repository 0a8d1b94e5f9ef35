#!/usr/bin/env bash
# OpenAPI Generator: for a key in a cookie the Ruby client has `in: ,` in `Configuration#auth_settings`, which every call with any
# credential evaluates. `ruby -c` takes it, as Ruby 3.1 reads `in:` as `in: in`, so that the first call ends with a NameError. The
# scheme need not be one of the operation that is called.
#
# Seen with OpenAPI Generator 7.25.0 on Java 17 and Ruby 3.1.2, 2026-11-28. Needs Java, Maven and Ruby from 3.1.
# Expected output: `Syntax OK`, and the error.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=. -Dmdep.stripVersion=true
cat >openapi.json <<'EOF'
{ "openapi": "3.0.3", "info": { "title": "T", "version": "1" },
  "paths": { "/hello": { "get": { "operationId": "hello", "security": [{ "bearer": [] }], "responses": { "204": { "description": "." } } } } },
  "components": { "securitySchemes": {
    "bearer": { "type": "http", "scheme": "bearer" },
    "session": { "type": "apiKey", "in": "cookie", "name": "session" } } } }
EOF
java -jar openapi-generator-cli.jar generate -i openapi.json -g ruby -o client >log 2>&1 || { cat log; exit 1; }
fail() { echo "CHANGED: $1" && exit 1; }
cd client/lib/openapi_client
ruby -c configuration.rb || fail 'it is no Ruby any more'
said=$(ruby -rlogger -e 'require "./configuration"; OpenapiClient::Configuration.new.auth_settings' 2>&1) && fail 'auth_settings is well now'
grep -m1 -o 'undefined local variable or method `in.*NameError)' <<<"$(sed 's/ for #<.*(NameError)/ (NameError)/' <<<"$said")" || fail "another error: $said"
