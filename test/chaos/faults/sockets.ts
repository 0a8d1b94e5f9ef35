import { WebSocket } from 'undici';
import { anonymous } from '../accounts.ts';
import { bothStores, type Fault } from '../fault.ts';

/** Sockets of each kind. */
const each = 6;
/** How long a client waits for what ends its answer, in milliseconds: longer than a server tries. */
const waitMs = 12_000;
const tooLarge = 40 * 1024 * 1024;

type Outcome = 'closed' | 'refused' | 'silent' | { readonly type: string; readonly code: string | null };

/** Sockets for responses: of clients that ask, that send garbage or too much, and that leave in the middle. */
export const socketClients: Fault = {
  name: 'socket-clients',
  stores: bothStores,
  async apply({ world, random, tried, violated }) {
    const server = random.pick(world.servers);
    if (!(await server.ready())) return;
    const life = server.life.id;
    const { key } = world.account(anonymous);
    const open = () =>
      new WebSocket(`ws://127.0.0.1:${server.port}/v1/responses`, {
        headers: { authorization: `Bearer ${key}` },
      });
    const create = (input: string) =>
      JSON.stringify({ type: 'response.create', model: 'gpt-4o', store: false, input });
    const honest = async () => {
      const outcome = await said(open(), [create('chaos=socket')]);
      return outcome === 'silent' ? 'an honest client got no end of its answer' : null;
    };
    const garbage = async () => {
      const outcome = await said(open(), ['garbage']);
      const right = typeof outcome === 'string' ? outcome !== 'silent' : outcome.code === 'malformed_json';
      return right ? null : `garbage was answered ${JSON.stringify(outcome)}`;
    };
    const large = async () => {
      const outcome = await said(open(), ['a'.repeat(tooLarge)]);
      return outcome === 'closed' || outcome === 'refused'
        ? null
        : `40 MiB were answered ${JSON.stringify(outcome)}`;
    };
    const leaving = async () => {
      const socket = open();
      socket.addEventListener('error', () => undefined);
      if (!(await opened(socket))) return null;
      socket.send(create('chaos=socket vendor=slow'));
      await new Promise((resolve) => {
        socket.addEventListener('message', resolve);
        socket.addEventListener('close', resolve);
        setTimeout(resolve, waitMs).unref();
      });
      socket.close();
      return null;
    };
    const all = [honest, garbage, leaving].flatMap((client) => Array.from({ length: each }, client));
    const problems = await Promise.all([...all, large()]);
    tried(problems.length);
    // Another fault of the round may have ended the server meanwhile, or told it to end.
    if (server.life.id !== life || server.life.end !== null) return;
    for (const problem of problems) if (problem !== null) violated(problem);
  },
};

const endings = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);

/** What a socket says in the end to these messages. */
function said(socket: WebSocket, messages: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    let wasOpen = false;
    const end = (outcome: Outcome) => {
      clearTimeout(patience);
      resolve(outcome);
      socket.close();
    };
    const patience = setTimeout(end, waitMs, 'silent');
    socket.addEventListener('open', () => {
      wasOpen = true;
      for (const message of messages) socket.send(message);
    });
    socket.addEventListener('message', ({ data }) => {
      const { type, error } = JSON.parse(String(data)) as {
        readonly type: string;
        readonly error?: { readonly code: string | null };
      };
      if (endings.has(type)) end({ type, code: error?.code ?? null });
    });
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', () => end(wasOpen ? 'closed' : 'refused'));
  });
}

function opened(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(true));
    socket.addEventListener('close', () => resolve(false));
  });
}
