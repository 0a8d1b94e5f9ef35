import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { anonymous, onSockets } from '../client.ts';
import type { Call } from '../evidence.ts';
import type { Fault } from '../faults.ts';
import { build, chat } from '../load.ts';
import { rssOf } from '../proc.ts';
import { bothStores } from '../store.ts';
import { holdRaw, sendRaw, startTcpProxy } from '../tcp-proxy.ts';

/** Keys of one go: over a run of 200 rounds some 100,000 and more. */
const keys = 12_000;
const perConnection = 500;

/** Keys that are made up, in the right form and in none. Every one is refused, and none is kept. */
export const keyFlood: Fault = {
  name: 'key-flood',
  stores: bothStores,
  async apply({ world, random, tried, violated }) {
    const server = random.pick(world.servers);
    const life = server.life.id;
    const forms = [
      () =>
        `sw_live_${randomBytes(6).toString('hex')}_${randomBytes(24).toString('hex')}_${randomBytes(3).toString('hex')}`,
      () => randomBytes(16).toString('hex'),
      () => 'x'.repeat(random.int(1, 4_000)),
      () => `${world.account('wide').key.slice(0, -1)}!`,
    ];
    const connections = Array.from({ length: keys / perConnection }, () =>
      Array.from(
        { length: perConnection },
        () =>
          `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${random.pick(forms)()}\r\n\r\n`,
      ).join(''),
    );
    while (connections.length > 0) {
      const some = connections.splice(0, 6);
      const answers = await Promise.all(
        some.map((bytes) => sendRaw(server.port, bytes, { waitMs: 10_000, enough: perConnection })),
      );
      for (const { statuses } of answers) {
        tried(statuses.length);
        const wrong = statuses.find((status) => status !== 401 && status !== 429 && status !== 503);
        if (wrong !== undefined) violated(`a key that was made up was answered ${wrong}`);
      }
      if (!server.alive || server.life.id !== life) return;
    }
  },
};

/** Each costs the server a slow hash, on purpose. */
const passwords = 15;

/** Passwords that are wrong, from many addresses. */
export const passwordFlood: Fault = {
  name: 'password-flood',
  stores: bothStores,
  async apply({ world, clients, random, tried, violated }) {
    const network = random.int(0, 65_535).toString(16);
    for (let n = 0; n < passwords; n += 1) {
      const { status } = await clients.send({
        server: random.pick(world.servers),
        tenant: '',
        key: null,
        kind: 'other',
        path: '/api/admin/session',
        headers: { 'x-forwarded-for': `2001:db8:${network}:${n.toString(16)}::1` },
        body: () => ({ password: `wrong password ${n}` }),
      });
      tried(1);
      if (status !== null && status < 400) violated(`a wrong password was answered ${status}`);
    }
  },
};

/** Builds that one tenant asks for, far more than can wait, and how many at a time. */
const builds = 260;
const buildsAtOnce = 20;

/** One tenant floods the queue of builds; another one's few are still taken. */
export const buildFlood: Fault = {
  name: 'build-flood',
  stores: bothStores,
  async apply({ world, clients, random, tried, violated }) {
    const accepted: { readonly id: string; readonly tenant: string }[] = [];
    let left = builds;
    const ask = async (tenant: string) => {
      const { call } = await clients.send(build(world, random.pick(world.servers), random, tenant));
      tried(1);
      if (call.started !== null) accepted.push({ id: call.started, tenant });
      return call;
    };
    const flood = async () => {
      for (; left > 0; left -= 1) await ask('flood');
    };
    const modest = async () => {
      while (left > 0) {
        const { code } = await ask('modest');
        if (code === 'queue_full') {
          const count = accepted.filter(({ tenant }) => tenant === 'flood').length;
          violated(`beside ${count} builds of one tenant a single one of another was refused`);
        }
        await sleep(600);
      }
    };
    await Promise.all([modest(), ...Array.from({ length: buildsAtOnce }, flood)]);
    // What the flood has left behind would keep the servers busy for the rest of the run.
    await Promise.all(
      accepted.map(({ id, tenant }) =>
        clients.send({
          server: random.pick(world.servers),
          tenant,
          key: world.account(tenant).key,
          kind: 'other',
          method: 'POST',
          path: `/api/v1/factory/jobs/${id}/cancel`,
        }),
      ),
    );
  },
};

/** Size of each large answer in bytes, and how many clients ask for one and do not read it. */
const large = 15_000_000;
const readers = 60;
/** What a server may hold of them beyond what it held before, in MB. */
const maxHeld = 300;

export const slowReaders: Fault = {
  name: 'slow-readers',
  stores: bothStores,
  async apply({ world, clients, random, tried, violated }) {
    const server = random.pick(world.servers);
    const { key } = world.account(anonymous);
    const { id, key: own } = world.account('wide');
    // While it starts it holds little: what a start takes would be told as held for the readers. One that never is ready is told of later.
    if (!(await server.ready())) return;
    const life = server.life.id;
    const before = rssOf(server.pid);
    const content = (name: string) =>
      JSON.stringify({ model: `gpt-4o-large-${name}`, message: `chaos=slow-${name} vendor=big@${large}` });
    const sockets = Array.from({ length: readers }, (_, n) => {
      const body = content(String(n));
      const head = `POST /v1/chat HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${key}\r\n`;
      const socket = holdRaw(
        server.port,
        `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      socket.pause();
      return socket;
    });
    tried(readers);
    let peak = before;
    // Until it has come to rest: how fast answers come is the machine's.
    for (let n = 0, still = 0; n < 100 && still < 20 && peak - before <= maxHeld; n += 1) {
      await sleep(100);
      if (!server.alive || server.life.id !== life) break;
      const rss = rssOf(server.pid);
      still = rss > peak + 2 || n < 30 ? 0 : still + 1;
      peak = Math.max(peak, rss);
    }
    for (const socket of sockets) socket.destroy();
    if (peak - before > maxHeld) {
      violated(`${readers} readers of ${large / 1e6} MB that do not read: ${before} MB grew to ${peak} MB`);
    }
    // Others are still served, or told to wait.
    await clients.send({ ...chat(world, server, id, own, random, 'good'), leaveAfter: null });
  },
};

/** Sockets of each kind. */
const each = 6;
/** How long a client waits for what ends its answer, in milliseconds: longer than a server tries. */
const waitMs = 12_000;
const tooLarge = 40 * 1024 * 1024;

type Outcome = 'closed' | 'refused' | 'silent' | Ending;

interface Ending {
  readonly type: string;
  readonly code: string | null;
  readonly usage: Call['usage'];
}

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

/** Clients of `brokenSockets`, and how often each asks. */
const askers = 10;
const asks = 6;

/** Sockets that are cut in the middle of their answers, and whose server is killed under them. */
export const brokenSockets: Fault = {
  name: 'socket-cut',
  stores: bothStores,
  async apply({ world, random, round, tried }) {
    const server = random.pick(world.servers);
    if (!(await server.ready())) return;
    const { key } = world.account(onSockets);
    const line = await startTcpProxy({ host: '127.0.0.1', port: server.port });
    const asker = async (index: number) => {
      const own = random.fork(`asker ${index}`);
      for (let n = 0; n < asks; n += 1) {
        // No request of `Clients` has a number that begins with 0.
        const id = `${world.name}-r${round}-0${index}${n}`;
        const about = { id, round, tenant: onSockets, kind: 'socket', life: server.life.id } as const;
        const from = performance.now();
        const input = `chaos=${id} vendor=${own.pick(['good', 'slow@20'])} ${world.canaries.prompt}`;
        const headers = { authorization: `Bearer ${key}` };
        const outcome = await said(new WebSocket(`ws://127.0.0.1:${line.port}/v1/responses`, { headers }), [
          JSON.stringify({ type: 'response.create', model: 'claude-sonnet-4-6', store: false, input }),
        ]);
        const ending = typeof outcome === 'string' ? null : outcome;
        const whole = ending?.type === 'response.completed';
        world.calls.push({
          ...about,
          ...{ from, to: performance.now(), status: null, started: null, code: ending?.code ?? null },
          outcome: whole ? 'success' : ending ? 'refused' : 'unsure',
          usage: whole ? ending.usage : null,
        });
        tried(1);
        // Otherwise all would ask while the server is away.
        if (!ending) await Promise.all([server.ready(), sleep(own.int(20, 200))]);
      }
    };
    const breaking = async () => {
      for (const kill of [false, true, false]) {
        await sleep(random.int(100, 500));
        if (kill) {
          await server.kill();
          await sleep(random.int(0, 200));
          if (!server.alive) server.start();
          await server.ready();
        } else {
          line.set('reset');
          line.set('fair');
        }
      }
    };
    await Promise.all([breaking(), ...Array.from({ length: askers }, (_, index) => asker(index))]);
    await line.close();
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
      const { type, error, response } = JSON.parse(String(data)) as {
        readonly type: string;
        readonly error?: { readonly code: string | null };
        readonly response?: {
          readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
        };
      };
      const told = response?.usage;
      const usage = told ? { prompt: told.input_tokens, completion: told.output_tokens } : null;
      if (endings.has(type)) end({ type, code: error?.code ?? null, usage });
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
