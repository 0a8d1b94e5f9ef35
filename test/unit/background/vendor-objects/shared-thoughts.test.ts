/** What models thought before their calls of tools, between processes: each has a memory of its own and one place that they share. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  RedisThoughts,
  type SharedThoughts,
  StoredThoughts,
} from '../../../../src/background/vendor-objects/shared-thoughts.ts';
import { ThinkingMemory } from '../../../../src/gateway/lanes/thinking-memory.ts';
import type { ModelMessage, SealedThinking } from '../../../../src/model/parts.ts';
import { said } from '../../../../src/model/parts.ts';
import { linkTo, onRedis } from '../../../helpers/redis.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const asked = { tenant: 'acme', provider: 'v', model: 'm' };
const call = (id: string) => ({ type: 'tool_call', id, name: 'ls', arguments: '{}' }) as const;
const sealed: SealedThinking = { wire: 'openai-chat', provider: 'v', model: 'm', value: { secret: 'look' } };
const answer = (id: string) => [{ type: 'thinking', text: '', sealed } as const, call(id)];
const turn = (id: string): ModelMessage[] => [
  said('user', 'ls'),
  { role: 'assistant', content: [call(id)] },
  { role: 'tool', content: [{ type: 'tool_result', callId: id, content: [] }] },
];

const key = createSecretKey(randomBytes(32));
const errors: unknown[] = [];
const memoryOn = (thoughts: SharedThoughts, secret = key) =>
  new ThinkingMemory({ sharing: { thoughts, key: secret, onError: (error) => void errors.push(error) } });
/** What a process sends to the vendor of a turn, after it has looked at what others know. */
async function recalled(memory: ThinkingMemory, id: string, who = asked): Promise<unknown[]> {
  await memory.fetch(memory.missing(turn(id), who.tenant));
  return memory.recall(turn(id), who)[1]?.content.map(({ type }) => type) ?? [];
}

async function holdsThoughts(thoughts: SharedThoughts, raw: () => Promise<string>): Promise<void> {
  const [first, second] = [memoryOn(thoughts), memoryOn(thoughts)];
  first.remember(asked, answer('a'));
  first.remember(asked, answer('b'));
  await expect.poll(raw).not.toBe('');
  expect(await recalled(second, 'a')).toEqual(['thinking', 'tool_call']);
  expect(await recalled(second, 'b')).toEqual(['thinking', 'tool_call']);
  expect(await recalled(memoryOn(thoughts), 'a', { ...asked, tenant: 'other' })).toEqual(['tool_call']);
  expect(await recalled(memoryOn(thoughts), 'a', { ...asked, model: 'other' })).toEqual(['tool_call']);
  expect(await recalled(memoryOn(thoughts, createSecretKey(randomBytes(32))), 'a')).toEqual(['tool_call']);
  expect(await raw()).not.toMatch(/look|acme/);
  expect(errors).toEqual([]);

  const entry = { name: 'x', sealed: Buffer.from([0, 255]), leftMs: 60_000 };
  await thoughts.put([entry]);
  await thoughts.put([{ ...entry, sealed: Buffer.from('again') }]);
  const [found, ...others] = await thoughts.find(['x', 'unknown']);
  expect([String(found?.sealed), others]).toEqual(['again', []]);
  expect(found?.leftMs).toBeLessThanOrEqual(60_000);
  await thoughts.drop(['x', 'unknown']);
  expect(await thoughts.find(['x'])).toEqual([]);
}

onEveryStore('thoughts', (on) => {
  it('of one process are known to another, to the same tenant and model, for their time', async () => {
    const clock = new TestClock();
    const store = await on.open(await on.database(), clock);
    const thoughts = new StoredThoughts(store);
    const rows = () => store.db.selectFrom('thoughts').selectAll().execute();
    const raw = async () => (await rows()).map(({ name, sealed }) => name + Buffer.from(sealed)).join();
    await holdsThoughts(thoughts, raw);
    clock.time += 3_600_001;
    expect(await recalled(memoryOn(thoughts), 'a')).toEqual(['tool_call']);
    await thoughts.forgetOld();
    expect(await rows()).toEqual([]);
  });
});

onRedis('thoughts', (server) => {
  it('of one process are known to another, to the same tenant and model', async () => {
    const { link } = linkTo(server().url);
    await expect.poll(() => link.up).toBe(true);
    const keys = () => link.run((client) => client.keys('*thought*'));
    const raw = async () => {
      const values = await Promise.all((await keys()).map((name) => link.run((client) => client.get(name))));
      return values.map((value) => Buffer.from(value ?? '', 'base64')).join();
    };
    await holdsThoughts(new RedisThoughts(link), raw);
    for (const name of await keys()) {
      const left = await link.run((client) => client.pTTL(name));
      expect(left > 0 && left <= 3_600_000).toBe(true);
    }
  });
});

it('a process asks others once for a call, never for what it knows, and goes on when they cannot be asked', async () => {
  const calls: string[] = [];
  const kept = new Set<string>();
  const shared: SharedThoughts = {
    async put(thoughts) {
      calls.push(`put ${thoughts.length}`);
      for (const { name } of thoughts) kept.add(name);
    },
    async find(names) {
      calls.push(`find ${names.length}`);
      return [];
    },
    async drop(names) {
      for (const name of names) kept.delete(name);
    },
  };
  const memory = memoryOn(shared);
  memory.remember(asked, answer('a'));
  memory.remember(asked, answer('b'));
  await expect.poll(() => calls).toEqual(['put 2']);
  for (const id of ['a', 'other', 'other']) await recalled(memory, id);
  expect(calls).toEqual(['put 2', 'find 1']);
  // Without the result of a tool there is nothing that a vendor wants back.
  expect(memory.missing(turn('new').slice(0, 2), 'acme')).toEqual([]);

  // What is forgotten here leaves the shared place, too.
  const long = { ...sealed, value: { secret: 'x'.repeat(200_000) } };
  for (let n = 0; n < 100; n += 1) {
    memory.remember(asked, [{ type: 'thinking', text: '', sealed: long }, call(`c${n}`)]);
    await expect.poll(() => calls.length).toBe(n + 3);
  }
  await expect.poll(() => kept.size).toBeLessThan(90);

  const away: SharedThoughts = { put: fail, find: fail, drop: fail };
  const alone = memoryOn(away);
  alone.remember(asked, answer('a'));
  expect(await recalled(alone, 'a')).toEqual(['thinking', 'tool_call']);
  expect(await recalled(alone, 'b')).toEqual(['tool_call']);
  await expect.poll(() => errors.splice(0).length).toBe(1);
});

const fail = () => Promise.reject(new Error('away'));
