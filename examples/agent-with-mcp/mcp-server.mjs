import { createServer } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

const inputSchema = fromJsonSchema({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
});
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  server.registerTool(
    'forecast',
    { description: 'The weather of a city.', inputSchema },
    async ({ city }) => ({
      content: [{ type: 'text', text: `Rain in ${city}` }],
    }),
  );
  return server;
});

createServer(async (request, response) => {
  const { method, headers, url } = request;
  const body = method === 'POST' ? await new Response(request).bytes() : undefined;
  const answer = await handler.fetch(new Request(`http://127.0.0.1:8971${url}`, { method, headers, body }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.bytes());
}).listen(8971, '127.0.0.1', () => console.log('The MCP server listens on port 8971'));
