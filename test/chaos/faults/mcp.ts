import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { anonymous } from '../client.ts';
import type { Fault } from '../faults.ts';
import { bothStores } from '../store.ts';

/** How a tool answers: only the first three have an answer to its call, once or in the end. */
const acts = ['good', 'twice', 'stray', 'late', 'other', 'cut'] as const;
const answering: ReadonlySet<string> = new Set(acts.slice(0, 3));

const callers = 12;
const callsOfEach = 8;
/** How long a client waits for its answer, in milliseconds: longer than a server tries. */
const waitMs = 12_000;
/** Longer than `timeout_ms` of the world's configuration. */
const lateMs = 1_500;

interface Rpc {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly act: string; readonly say: string } };
}

/** An MCP server that dies under its calls and comes back without its sessions, and answers late, twice, or to another call. */
export const mcpServer: Fault = {
  name: 'mcp-server',
  stores: bothStores,
  async apply({ world, random, tried, violated }) {
    const server = random.pick(world.servers);
    if (!(await server.ready())) return;
    const life = server.life.id;
    const { key } = world.account(anonymous);
    let lab = await startLab(world.ground.mcpPort);
    const problems: string[] = [];
    const caller = async (index: number) => {
      const own = random.fork(`caller ${index}`);
      for (let n = 0; n < callsOfEach; n += 1) {
        const act = own.pick(acts);
        const call = { id: 1 + index * callsOfEach + n, act, say: `${index}.${n}` };
        const problem = problemOf(call, await ask(server.origin, key, call));
        if (problem !== null) problems.push(`a call of an MCP tool (${act}) ${problem}`);
        tried(1);
      }
    };
    const breaking = async () => {
      // The last time it stays away for a moment, after which it is left alone for a while.
      for (const awayMs of [0, 0, random.int(50, 500)]) {
        await sleep(random.int(200, 600));
        await lab.close();
        await sleep(awayMs);
        lab = await startLab(world.ground.mcpPort);
      }
    };
    await Promise.all([breaking(), ...Array.from({ length: callers }, (_, index) => caller(index))]);
    await lab.close();
    // Another fault of the round may have ended the server meanwhile, or told it to end.
    if (server.life.id !== life || server.life.end !== null) return;
    for (const problem of problems) violated(problem);
  },
};

interface ToolCall {
  readonly id: number;
  readonly act: string;
  readonly say: string;
}

/** Null: no whole answer came. */
async function ask(origin: string, key: string | null, { id, act, say }: ToolCall) {
  try {
    const reply = await request(`${origin}/mcp/lab`, {
      method: 'POST',
      // No connection is held beyond its answer.
      reset: true,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'act', arguments: { act, say } },
      }),
      signal: AbortSignal.timeout(waitMs),
    });
    return { status: reply.statusCode, text: await reply.body.text() };
  } catch {
    return null;
  }
}

function problemOf({ id, act, say }: ToolCall, reply: Awaited<ReturnType<typeof ask>>): string | null {
  if (reply === null) return 'got no answer';
  const { status, text } = reply;
  // Nobody is let in while the database is away, and those who come are too many now and then.
  if (status === 429 || status === 503) return null;
  if (status !== 200 || text.includes('internal_error'))
    return `was answered ${status} ${text.slice(0, 300)}`;
  const answer = JSON.parse(text) as {
    readonly id?: unknown;
    readonly result?: {
      readonly isError?: boolean;
      readonly content?: readonly { readonly text?: string }[];
    };
  };
  if (answer.id !== id) return `was answered as ${answer.id}, not ${id}`;
  if (!answer.result || answer.result.isError) return null;
  const [told] = answer.result.content ?? [];
  if (!answering.has(act)) return `has a result that nobody gave: ${text.slice(0, 300)}`;
  return told?.text === say ? null : `has the result of another: ${text.slice(0, 300)}`;
}

/** On a port that is free; its sessions end with it. */
async function startLab(port: number) {
  const session = crypto.randomUUID();
  const http = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    req.on('end', () => {
      if (req.method !== 'POST') return res.writeHead(405).end();
      const rpc = JSON.parse(text) as Rpc;
      const asked = req.headers['mcp-session-id'];
      if (rpc.method !== 'initialize' && asked !== session) return res.writeHead(asked ? 404 : 400).end();
      return answer(rpc, res.setHeader('mcp-session-id', session));
    });
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', resolve);
  });
  return {
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
}

function answer({ id, method, params }: Rpc, res: ServerResponse): void {
  if (id === undefined) return void res.writeHead(202).end();
  const message = (result: object, to = id) => JSON.stringify({ jsonrpc: '2.0', id: to, result });
  const said = (text: string, to?: number) => message({ content: [{ type: 'text', text }] }, to);
  const json = (body: string) => res.writeHead(200, { 'content-type': 'application/json' }).end(body);
  const events = (...bodies: readonly string[]) =>
    res
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(bodies.map((body) => `data: ${body}\n\n`).join(''));
  const capabilities = { tools: {} };
  const serverInfo = { name: 'lab', version: '1' };
  if (method === 'initialize') json(message({ protocolVersion: '2025-11-25', capabilities, serverInfo }));
  else if (method === 'tools/list')
    json(message({ tools: [{ name: 'act', inputSchema: { type: 'object' } }] }));
  else if (method !== 'tools/call')
    json(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
  else {
    const { act, say } = params?.arguments ?? { act: 'good', say: '' };
    if (act === 'good') json(said(say));
    else if (act === 'twice') events(said(say), said("another's"));
    else if (act === 'stray') events(said("another's", id - 1), said(say));
    else if (act === 'late') setTimeout(() => json(said(say)), lateMs).unref();
    else if (act === 'other') json(said("another's", id - 1));
    else
      res
        .writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
        .write('{"jsonrpc"', () => res.destroy());
  }
}
