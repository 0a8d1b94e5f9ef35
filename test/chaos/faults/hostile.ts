import { setTimeout as sleep } from 'node:timers/promises';
import { anonymous } from '../accounts.ts';
import { bothStores, type Fault } from '../fault.ts';
import { holdRaw, sendRaw } from '../raw.ts';
import { type HostileRequest, hostileRequests } from './hostile-requests.ts';

/** Requests that no honest client sends, beside connections that never say anything or say it very slowly. */
export const hostileClients: Fault = {
  name: 'hostile-clients',
  stores: bothStores,
  async apply({ world, random, tried, violated }) {
    const server = random.pick(world.servers);
    const { key } = world.account(anonymous);
    const idle = Array.from({ length: 60 }, (_, n) =>
      holdRaw(server.port, n % 2 === 0 ? '' : 'POST /v1/chat HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n'),
    );
    let slow = true;
    const drip = (async () => {
      const sockets = Array.from({ length: 20 }, () =>
        holdRaw(server.port, 'GET /healthz HTTP/1.1\r\nx-slow: '),
      );
      while (slow) {
        for (const socket of sockets) socket.write('a');
        await sleep(50);
      }
      for (const socket of sockets) socket.destroy();
    })();
    for (const request of hostileRequests(key, `127.0.0.1:${server.port}`)) {
      const life = server.life.id;
      const bytes = Buffer.from(request.bytes, 'latin1');
      let answer = await sendRaw(server.port, bytes);
      if (answer.closed && answer.statuses.length === 0) {
        // Another fault may have started it a moment ago, so that it does not listen yet.
        await server.ready();
        answer = await sendRaw(server.port, bytes);
      }
      tried(1);
      // Another fault of the round may have ended the server meanwhile, or told it to end.
      if (server.life.id !== life || server.life.end !== null) continue;
      const problem = problemOf(request, answer.statuses, answer.closed);
      if (problem !== null) violated(`${request.name}: ${problem}`);
    }
    slow = false;
    await drip;
    for (const socket of idle) socket.destroy();
  },
};

/** What is wrong with the answers to it; null: nothing. */
export function problemOf(
  request: HostileRequest,
  statuses: readonly number[],
  closed: boolean,
): string | null {
  if (statuses[0] === 100 && !request.mayContinue) return 'answered 100 Continue';
  const final = statuses.find((status) => status >= 200);
  if (final === undefined) {
    if (request.expected.length > 0 || !closed)
      return closed ? 'closed without an answer' : 'no answer within 8 s';
    return null;
  }
  // The database may be away at the same time.
  if (final === 503) return null;
  if (final >= 500 && !request.expected.includes(final)) return `answered ${final}`;
  if (request.expected.length > 0 && !request.expected.includes(final)) {
    return `answered ${final}, expected ${request.expected.join(' or ')}`;
  }
  return null;
}
