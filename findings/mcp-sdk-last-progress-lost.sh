#!/usr/bin/env bash
# MCP's SDK for TypeScript: over standard input and output, a client is not told of progress that its server writes together with the
# answer. The client hands a notification on in a microtask, and forgets at the answer, which it reads at once, who wants to hear of
# progress. A transport that gives it one message for each turn of the microtask queue loses nothing.
#
# Seen with @modelcontextprotocol/client 2.4.0 and @modelcontextprotocol/sdk 1.32.2, Node.js 26.12.1, 2026-11-28.
# Expected output: for each client what it heard of progress 1 and 2, of which the server writes 2 in one piece with the answer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --no-audit --no-fund --prefix . @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/sdk@1.32.2
cat >server.mjs <<'EOS'
import { createInterface } from 'node:readline';
const write = (...all) => process.stdout.write(all.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
const capabilities = { tools: {} };
const serverInfo = { name: 'server', version: '1' };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') write({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo } });
  if (method !== 'tools/call') return;
  const { progressToken } = params._meta;
  const told = (progress) => ({ method: 'notifications/progress', params: { progressToken, progress } });
  write(told(1));
  setTimeout(() => write(told(2), { id, result: { content: [] } }), 300);
});
EOS
cat >ask.mjs <<'EOS'
const [, , name] = process.argv;
const { Client } = await import(name === 'client' ? '@modelcontextprotocol/client' : '@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await import(
  name === 'client' ? '@modelcontextprotocol/client/stdio' : '@modelcontextprotocol/sdk/client/stdio.js'
);
const client = new Client({ name: 'client', version: '1' });
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.mjs'] }));
const heard = [];
const options = { onprogress: ({ progress }) => heard.push(progress) };
const call = { name: 'any', arguments: {} };
await (name === 'client' ? client.callTool(call, options) : client.callTool(call, undefined, options));
await client.close();
console.log(heard.join(' '));
EOS
for name in client sdk; do
  said=$(node ask.mjs "$name")
  echo "@modelcontextprotocol/$name: $said"
  [ "$said" = 1 ] || { echo 'CHANGED: expected 1' && exit 1; }
done
