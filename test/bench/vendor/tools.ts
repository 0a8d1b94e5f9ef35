/** An MCP server of 2025-11-25 with one tool, which answers in JSON and costs as little as Node.js can. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ANSWER } from '../answer.ts';

const initialized = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'bench', version: '1' },
};
const results: Readonly<Record<string, string>> = {
  initialize: JSON.stringify(initialized),
  'tools/list': JSON.stringify({ tools: [{ name: 'answer', inputSchema: { type: 'object' } }] }),
  'tools/call': JSON.stringify({ content: [{ type: 'text', text: ANSWER }] }),
};

export async function startTools(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, reply) => {
    if (request.method !== 'POST') return reply.writeHead(405).end();
    const { id, method } = JSON.parse(await text(request)) as { id?: unknown; method: string };
    if (id === undefined) return reply.writeHead(202).end();
    const result = results[method];
    const outcome = result ? `"result":${result}` : '"error":{"code":-32601,"message":"Method not found"}';
    const headers = { 'content-type': 'application/json', 'mcp-session-id': 'bench' };
    return reply.writeHead(200, headers).end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
