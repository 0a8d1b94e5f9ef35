import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, type Clients, ofRound } from './client.ts';
import type { Random } from './random.ts';
import type { Server } from './server.ts';
import type { World } from './world.ts';

/** How many clients of each sort send at a time. */
const clients = { mixed: 14, tight: 5, narrow: 6 } as const;

/** Models by wire. Under other names come those of the faults, so that what they break leaves these alone. */
const models = ['gpt-4o', 'claude-sonnet-4-6', 'gemini-3.5-flash'] as const;

/** What goes wrong at the vendor in ordinary load. */
const mishaps = [
  'cut@100',
  'reset@300',
  'garbage@200',
  'status@500',
  'status@429',
  'status@400',
  'slow@40',
] as const;

/** Sends a bounded mixture of everything that clients do, until the signal; resolves when the last request is over. */
export async function runLoad(
  world: World,
  clientsOf: Clients,
  { round, random, until }: { round: number; random: Random; until: AbortSignal },
): Promise<void> {
  const send = (ask: Ask) => clientsOf.send(ask);
  const client = async (label: string, pauseMs: number, ask: (own: Random) => Ask) => {
    const own = random.fork(label);
    while (!until.aborted) {
      await send(ask(own));
      await sleep(own.int(0, pauseMs));
    }
  };
  const any = (own: Random) => own.pick(world.servers);
  const tight = ofRound('tight', round);
  const narrow = ofRound('narrow', round);
  const key = (tenant: string) => world.account(tenant).key;
  await Promise.all([
    ...times(clients.mixed, (n) => client(`mixed ${n}`, 60, (own) => mixed(world, any(own), own))),
    ...times(clients.tight, (n) =>
      client(`tight ${n}`, 120, (own) => chat(world, any(own), tight, key(tight), own, 'good')),
    ),
    ...times(clients.narrow, (n) =>
      client(`narrow ${n}`, 60, (own) =>
        chat(world, any(own), narrow, key(narrow), own, own.pick(['good', 'slow@20'])),
      ),
    ),
    client('builds', 500, (own) =>
      own.chance(0.7) ? build(world, any(own), own) : demo(world, any(own), own),
    ),
    client('minute', 60, (own) => chat(world, any(own), 'minute', key('minute'), own, 'good')),
  ]);
}

export function chat(
  { canaries }: World,
  server: Server,
  tenant: string,
  key: string,
  random: Random,
  act: string,
  model: string = random.pick(models),
): Ask {
  const stream = random.chance(0.4);
  return {
    server,
    tenant,
    key,
    kind: stream ? 'stream' : 'chat',
    path: '/v1/chat',
    body: (id) => ({
      model,
      ...(stream && { stream }),
      messages: [{ role: 'user', content: `chaos=${id} vendor=${act} ${canaries.prompt}` }],
    }),
    // Some clients leave while they are being answered.
    leaveAfter: random.chance(0.06) ? random.int(1, 80) : null,
  };
}

function mixed(world: World, server: Server, random: Random): Ask {
  const key = world.account('wide').key;
  const dice = random.next();
  if (dice < 0.6) {
    const act = random.chance(0.12) ? random.pick(mishaps) : 'good';
    return chat(world, server, 'wide', key, random, act);
  }
  if (dice < 0.75) return agent(world, server, key, random);
  if (dice < 0.85) return feature(world, server, key, random);
  return random.pick([reads, administration])(world, server, key, random);
}

function agent({ canaries }: World, server: Server, key: string, random: Random): Ask {
  const way = random.pick([{}, { stream: true }, { background: true }]);
  return {
    server,
    tenant: 'wide',
    key,
    kind: 'agent',
    path: '/v1/agents/assistant/run',
    body: (id) => ({
      input: `chaos=${id} vendor=${random.chance(0.3) ? 'slow@20' : 'good'} ${canaries.prompt}`,
      ...way,
    }),
    leaveAfter: random.chance(0.05) ? random.int(5, 100) : null,
  };
}

function feature({ canaries }: World, server: Server, key: string, random: Random): Ask {
  const name = random.pick(['sentiment', 'keywords', 'detect-language']);
  const input = { text: `A good day for ${canaries.prompt}, and a long sentence for the engine to look at.` };
  const body = () => ({ input, engine: 'local' });
  return { server, tenant: 'wide', key, kind: 'feature', path: `/v1/ai/${name}`, body };
}

export function build({ canaries, account }: World, server: Server, random: Random, tenant = 'wide'): Ask {
  const what = random.pick([
    'an expense tracker',
    'a list of books',
    'a workshop of bicycles',
    'a tip calculator',
  ]);
  const body = () => ({ prompt: `${what} ${canaries.prompt} ${random.int(1, 1e6)}` });
  return { server, tenant, key: account(tenant).key, kind: 'build', path: '/api/v1/factory/jobs', body };
}

function demo({ canaries }: World, server: Server, random: Random): Ask {
  const address = `10.${random.int(0, 255)}.${random.int(0, 255)}.${random.int(1, 254)}`;
  return {
    server,
    tenant: '',
    key: null,
    kind: 'demo',
    path: '/api/factory/public-demo',
    headers: { 'x-forwarded-for': address },
    body: () => ({ prompt: `a to-do list ${canaries.prompt}` }),
    leaveAfter: random.chance(0.3) ? random.int(50, 600) : null,
  };
}

function reads(_: World, server: Server, key: string, random: Random): Ask {
  const path = random.pick([
    '/v1/models',
    '/v1/usage',
    '/v1/requests?limit=20',
    '/v1/agents/assistant/runs?limit=5',
    '/api/v1/factory/jobs?limit=5',
    '/api/factory/status',
    '/',
  ]);
  return { server, tenant: 'wide', key, kind: 'other', path };
}

function administration(
  { adminPassword, metricsToken }: World,
  server: Server,
  _: string,
  random: Random,
): Ask {
  const path = random.pick([
    '/api/admin/tenants',
    '/api/admin/keys?limit=10',
    '/api/admin/usage',
    '/metrics',
  ]);
  const key = path === '/metrics' ? metricsToken : adminPassword;
  return { server, tenant: '', key, kind: 'other', path };
}

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
