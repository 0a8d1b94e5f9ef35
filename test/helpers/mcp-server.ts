import { createServer } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

/** A real MCP server on this machine, with tools that behave and tools that do not. */
export async function startMcpServer() {
  const seen: { authorization: string | undefined; method: string }[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'test', version: '1.0.0' });
    const inputSchema = fromJsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    });
    server.registerTool('weather.of', { description: 'The weather.', inputSchema }, async ({ city }) => ({
      content: [{ type: 'text', text: `Rain in ${city}` }],
    }));
    server.registerTool('fails', { description: 'Fails.', inputSchema }, async () => ({
      content: [{ type: 'text', text: 'no such city' }],
      isError: true,
    }));
    server.registerTool('hangs', { description: 'Hangs.', inputSchema }, () => new Promise(() => undefined));
    server.registerTool('huge', { description: 'Too much.', inputSchema }, async () => ({
      content: [{ type: 'text', text: 'x'.repeat(5 * 1024 * 1024) }],
    }));
    return server;
  });
  const http = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { method = 'GET', headers } = req;
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) };
    seen.push({ authorization: headers.authorization, method });
    const url = `http://127.0.0.1${req.url}`;
    const response = await handler.fetch(
      new Request(url, { method, headers: headers as Record<string, string>, ...body }),
    );
    res.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) for await (const chunk of response.body) res.write(chunk);
    res.end();
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => http.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    seen,
    async close() {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
