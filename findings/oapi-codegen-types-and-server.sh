#!/usr/bin/env bash
# oapi-codegen: the client gives each function of a request the address as an argument `server`, and the parameters of the path
# beside it by their names, so that a path `/mcp/{server}` becomes a function with two arguments of one name, which Go refuses.
#
# Of OpenAPI 3.1 it refuses a value of several types.
#
# Seen with oapi-codegen 2.8.2, 2026-11-28.
# Expected output: the error of Go for `server`, none for `server_id`, and the refusal.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
GOBIN=$folder GOFLAGS=-mod=mod go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 2>log || { cat log; exit 1; }
fail() { echo "CHANGED: $1" && exit 1; }
for name in server server_id; do
  mkdir "$name"
  cat >"$name/openapi.yaml" <<EOF
{ openapi: 3.0.3, info: { title: T, version: '1' }, paths: { '/mcp/{$name}': { get: { operationId: call, responses: { '200': { description: . } },
  parameters: [{ name: $name, in: path, required: true, schema: { type: string } }] } } } }
EOF
  ./oapi-codegen -generate types,client -package api -o "$name/api.go" "$name/openapi.yaml"
  (cd "$name" && { go mod init api && go mod tidy; } 2>/dev/null && go vet . >../"$name.log" 2>&1) || true
done
grep 'server redeclared' server.log || fail 'a parameter may be called server'
[ -e server_id.log ] && [ ! -s server_id.log ] || fail 'server_id has errors, too'
cat >types.yaml <<'EOF'
{ openapi: 3.1.1, info: { title: T, version: '1' }, paths: {}, components: { schemas: { Value: { type: object, properties: { value: { type: [string, number] } } } } } }
EOF
./oapi-codegen -generate types,skip-prune -package api -o types.go types.yaml >types.log 2>&1 && fail 'several types are read'
grep -o 'unhandled Schema type.*' types.log || fail 'another error'
