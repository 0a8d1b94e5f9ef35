import { expect, it, onTestFinished } from 'vitest';
import { steady } from '../../../../src/lib/clock.ts';
import type { Reply } from '../../../../src/limits/authority.ts';
import { keyPrefix } from '../../../../src/store/redis/address.ts';
import { RedisAuthority } from '../../../../src/store/redis/authority.ts';
import { RedisLink } from '../../../../src/store/redis/link.ts';
import { RedisSignals } from '../../../../src/store/redis/signals.ts';
import { startTcpProxy } from '../../../chaos/tcp-proxy.ts';
import { heard } from '../../../helpers/queues.ts';
import { linkTo, onRedis, startRedis, type TestRedis } from '../../../helpers/redis.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const clock = steady(new TestClock(Date.parse('2026-03-30T23:58:30Z')));
const quietMs = 200;

/** Three primaries that share the slots, and a replica of each. Ours is in the first one's. */
interface TestCluster {
  readonly primaries: readonly TestRedis[];
  readonly replicas: readonly TestRedis[];
}

/** A cluster that is deleted after the test. */
async function startCluster(): Promise<TestCluster> {
  const options = [
    '--cluster-enabled',
    'yes',
    '--cluster-node-timeout',
    '500',
    '--repl-diskless-sync-delay',
    '0',
  ];
  const nodes = await Promise.all(Array.from({ length: 6 }, () => startRedis(options)));
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  });
  const [first, ...others] = nodes as [TestRedis, ...TestRedis[]];
  const slot = Number((await first.command(`CLUSTER KEYSLOT ${keyPrefix}`)).slice(1));
  const ranges = [`${slot} ${slot}`, `0 ${slot - 1}`, `${slot + 1} 16383`];
  const primaries = nodes.slice(0, 3);
  const replicas = nodes.slice(3);
  for (const [index, node] of primaries.entries())
    expect(await node.command(`CLUSTER ADDSLOTSRANGE ${ranges[index]}`)).toBe('+OK');
  for (const node of others) await node.command(`CLUSTER MEET 127.0.0.1 ${first.port}`);
  for (const [index, node] of replicas.entries()) {
    const id = (await (primaries[index] as TestRedis).command('CLUSTER MYID')).split('\r\n')[1];
    await expect.poll(() => node.command(`CLUSTER REPLICATE ${id}`)).toBe('+OK');
    await expect.poll(() => node.command('INFO replication')).toContain('master_link_status:up');
  }
  for (const node of nodes)
    await expect.poll(() => node.command('CLUSTER INFO')).toContain('cluster_state:ok');
  return { primaries, replicas };
}

/** The Redis of a process that begins at these nodes, closed after the test. */
async function processAt(...nodes: readonly (Pick<TestRedis, 'port'> | undefined)[]) {
  const told: string[] = [];
  const url = `redis://${nodes.map((node) => `127.0.0.1:${node?.port}`).join(',')}`;
  const link = new RedisLink({
    url,
    onProblem: (message) => told.push(message),
    onBack: () => told.push('back'),
  });
  const signals = new RedisSignals(link);
  const authority = new RedisAuthority({ link, clock, synchroniseClock: async () => undefined, quietMs });
  onTestFinished(async () => {
    await authority.close();
    await signals.close();
    await link.close();
  });
  await expect.poll(() => link.up).toBe(true);
  return { link, told, signals, authority };
}

const empty = { asks: [], returns: [], seeds: [] };
const decides = ({ authority }: { readonly authority: RedisAuthority }) =>
  expect
    .poll(() => authority.take({ ...empty, holder: 'anybody' }).then(() => 'decides', String), {
      timeout: 20_000,
    })
    .toBe('decides');
const grantsIn = (replies: readonly Reply[]) => replies.filter(({ granted }) => granted).length;

onRedis('a cluster', () => {
  it('is led to our keys by each of its nodes, and goes on with the replica that takes over', async () => {
    const { primaries, replicas } = await startCluster();
    const [owner, second, third] = primaries;
    const processes = await Promise.all([
      processAt(owner),
      processAt(second),
      processAt(third, owner),
      processAt(replicas[0], second),
      processAt({ port: 1 }, replicas[1]),
    ]);
    for (const each of processes) await decides(each);
    const admitted = async (name: string) => {
      const bucket = { id: `acme/${name}`, window: 'minute', limit: 10 } as const;
      const seeds = [{ bucketId: bucket.id, window: 'minute', entries: [], used: 0 }] as const;
      const asks = Array.from({ length: 10 }, () => [{ bucket, need: 1, want: 1 }]);
      const replies = await Promise.all(
        processes.map(async ({ authority }, index) => {
          const call = { ...empty, holder: `p${index}`, seeds, asks };
          const first = await authority.take(call);
          // After a Redis that has forgotten, only what was read since then is believed.
          return first.some((reply) => 'unknown' in reply) ? authority.take(call) : first;
        }),
      );
      return grantsIn(replies.flat());
    };
    expect(await admitted('before')).toBe(10);
    for (const { signals } of processes.slice(1))
      await heard(signals, (processes[0] as { signals: RedisSignals }).signals);

    const others = processes.slice(1);
    await owner?.crash();
    for (const each of others) await decides(each);
    processes.shift();
    expect(await admitted('after')).toBe(10);
    for (const { signals } of others.slice(1))
      await heard(signals, (others[0] as { signals: RedisSignals }).signals);
    for (const { told } of others.slice(0, 2))
      expect(told).toEqual([expect.stringContaining('Redis cannot be reached'), 'back']);
  });
});

onRedis('several places', (server) => {
  it('are tried one after the other, and the next one when one is lost or can only be read', async () => {
    const other = await startRedis();
    onTestFinished(() => other.stop());
    const { link } = await processAt({ port: 1 }, server(), other);
    const portOf = async () =>
      Number(/tcp_port:(\d+)/.exec(await link.run((client) => client.info('server')).catch(() => ''))?.[1]);
    expect(await portOf()).toBe(server().port);
    await server().command(`REPLICAOF 127.0.0.1 ${other.port}`);
    await link.run((client) => client.set('a', 'b')).catch(() => undefined);
    await expect.poll(portOf).toBe(other.port);
    await server().command('REPLICAOF NO ONE');
    await other.crash();
    await expect.poll(portOf).toBe(server().port);
  });
});

onRedis('the link', (server) => {
  it('gives up a connection whose other end is gone without a word', async () => {
    const redis = server();
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port });
    onTestFinished(() => proxy.close());
    const { link } = linkTo(redis.url.replace(`:${redis.port}`, `:${proxy.port}`));
    await expect.poll(() => link.up).toBe(true);
    proxy.abandon();
    await expect(link.run((client) => client.ping())).rejects.toMatchObject({ failure: 'slow' });
    await expect.poll(() => link.up).toBe(true);
    expect(await link.run((client) => client.ping())).toBe('PONG');
  });
});
