#!/usr/bin/env bash
# swagger-typescript-api: an operation whose reply of 2xx is a reference to `components/responses` gets neither the type of its body nor
# the option to parse it, so the client's `data` is null at run time. The same reply written out is parsed and typed.
#
# Seen with swagger-typescript-api 13.13.0 and Node.js 26.12.1, 2026-11-28.
# Expected output: the data of both operations, which get the same body.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module", "private": true }' >package.json
npm install --silent --no-save --no-audit --no-fund --ignore-scripts swagger-typescript-api@13.13.0 esbuild@0.27.2
cat >openapi.json <<'EOF'
{ "openapi": "3.1.1", "info": { "title": "T", "version": "1" },
  "paths": {
    "/written": { "get": { "operationId": "written", "responses": { "200": { "description": ".",
      "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Cup" } } } } } } },
    "/shared": { "get": { "operationId": "shared", "responses": { "200": { "$ref": "#/components/responses/Cup" } } } } },
  "components": {
    "responses": { "Cup": { "description": ".", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Cup" } } } } },
    "schemas": { "Cup": { "type": "object", "required": ["size"], "properties": { "size": { "type": "integer" } } } } } }
EOF
npx swagger-typescript-api generate --path openapi.json --output . --name client.ts --silent
cat >main.ts <<'EOF'
import { createServer } from 'node:http';
import { Api } from './client.ts';
const server = createServer((_, reply) => reply.setHeader('content-type', 'application/json').end('{"size":3}'));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
const api = new Api({ baseUrl: `http://127.0.0.1:${port}` }) as any;
for (const name of ['written', 'shared'])
  console.log(name, JSON.stringify((await api[name][name]()).data));
server.close();
EOF
npx esbuild main.ts --bundle --platform=node --format=esm --log-level=error --outfile=main.js
node main.js | tee output
diff output - <<'EOF' || { echo 'CHANGED: what the client makes of the replies'; exit 1; }
written {"size":3}
shared null
EOF
