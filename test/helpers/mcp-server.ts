import { createServer } from 'node:http';
import {
  type CreateMcpHandlerOptions,
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/** A real MCP server on this machine, with tools that behave and tools that do not. */
export async function startMcpServer(options: CreateMcpHandlerOptions = {}) {
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
  }, options);
  const http = await serve((request) => {
    seen.push({ authorization: request.headers.get('authorization') ?? undefined, method: request.method });
    return handler.fetch(request);
  });
  return {
    url: http.url,
    seen,
    async close() {
      await handler.close();
      await http.close();
    },
  };
}

/**
 * One of the revisions up to 2025-11-25, with a session for each client.
 * @param register gives a session its tools
 */
export async function startMcpSessions(register: (server: McpServer) => void) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const servers: McpServer[] = [];
  /** Methods of the calls that came, with the session in the order of their first. */
  const seen: string[] = [];
  /** How it answers to a session that it does not know. */
  let unknown: readonly [status: number, code: number, message: string] = [404, -32001, 'Session not found'];
  let away = false;
  const open = async () => {
    const server = new McpServer({ name: 'sessions', version: '1.0.0' });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    register(server);
    await server.connect(transport);
    servers.push(server);
    return transport;
  };
  const http = await serve(async (request) => {
    if (away) return new Response('away', { status: 503 });
    const id = request.headers.get('mcp-session-id');
    const body: unknown = request.method === 'POST' ? await request.clone().json() : null;
    const { method = request.method } = (body ?? {}) as { method?: string };
    seen.push(method);
    const session = id === null ? null : sessions.get(id);
    if (session) return await session.handleRequest(request);
    if (id === null && method === 'initialize') return await (await open()).handleRequest(request);
    const [status, code, message] = id === null ? [400, -32000, 'Bad Request: no session'] : unknown;
    return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
  });
  return {
    url: http.url,
    seen,
    servers,
    /** Forgets all sessions, as a restart does. */
    restart(answer = unknown) {
      unknown = answer;
      sessions.clear();
    },
    setAway(value: boolean) {
      away = value;
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await http.close();
    },
  };
}

/** On a port of its own, for as long as nobody closes it. */
export async function serve(answer: (request: Request) => Promise<Response>) {
  const http = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { method = 'GET', headers } = req;
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) };
    const url = `http://${headers.host}${req.url}`;
    const response = await answer(
      new Request(url, { method, headers: headers as Record<string, string>, ...body }),
    );
    res.writeHead(response.status, Object.fromEntries(response.headers));
    res.flushHeaders();
    try {
      // Each is on its way before the next, so that one whose body fails breaks off after what it has said.
      for await (const chunk of response.body ?? []) await new Promise((sent) => void res.write(chunk, sent));
      res.end();
    } catch {
      res.destroy();
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', () => resolve()));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
