import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RedisLink } from '../../../../src/store/redis/link.ts';
import { lookAtRedis } from '../../../../src/store/redis/look.ts';
import { root } from '../../../helpers/contract.ts';
import { freePort, linkTo, onRedis, startRedis } from '../../../helpers/redis.ts';

onRedis('the link', (server) => {
  it('refuses at once what cannot be sent, tells why once, and connects again by itself', async () => {
    const redis = server();
    const { link, told } = linkTo(redis.url);
    await expect.poll(() => link.up).toBe(true);
    expect(await link.run((client) => client.ping())).toBe('PONG');
    expect(await link.check()).toMatch(/^Redis answered in \d+ ms\.$/);
    expect(told).toEqual([]);
    await redis.crash();
    await expect.poll(() => link.up).toBe(false);
    await expect(link.run((client) => client.ping())).rejects.toMatchObject({
      name: 'StoreError',
      failure: 'unreachable',
      mayBeDone: false,
    });
    await expect(link.check()).rejects.toThrow('Redis cannot be reached');
    await redis.start();
    await expect.poll(() => link.up).toBe(true);
    expect(told).toEqual([expect.stringContaining('Redis cannot be reached'), 'back']);
  });

  it('is open while Redis is silent, and closes when it answers again', async () => {
    const redis = server();
    const { link, told } = linkTo(redis.url);
    await expect.poll(() => link.up).toBe(true);
    redis.freeze();
    try {
      await expect(link.run((client) => client.ping())).rejects.toMatchObject({ failure: 'slow' });
      expect(link.up).toBe(false);
      await expect(link.run((client) => client.ping())).rejects.toMatchObject({
        failure: 'slow',
        mayBeDone: false,
      });
    } finally {
      redis.thaw();
    }
    await expect.poll(() => link.up).toBe(true);
    expect(told).toEqual([expect.stringContaining('does not answer in time'), 'back']);
  });

  it('connects again when Redis has become a replica, as another may have taken its place', async () => {
    const redis = server();
    const { link } = linkTo(redis.url);
    await expect.poll(() => link.up).toBe(true);
    const before = await link.run((client) => client.clientId());
    await redis.command('REPLICAOF 127.0.0.1 1');
    try {
      await expect(link.run((client) => client.set('a', 'b'))).rejects.toMatchObject({
        failure: 'read_only',
      });
      const id = () => link.run((client) => client.clientId()).catch(() => before);
      await expect.poll(id).not.toBe(before);
      await expect(link.check()).rejects.toThrow('Redis is a replica');
    } finally {
      await redis.command('REPLICAOF NO ONE');
    }
  });

  it('tells of a policy under which Redis forgets', async () => {
    const redis = server();
    await redis.command('CONFIG SET maxmemory-policy allkeys-lru');
    try {
      const { link, told } = linkTo(redis.url);
      await expect.poll(() => link.up).toBe(true);
      const problem = expect.stringContaining('allkeys-lru; expected noeviction');
      expect(told).toEqual([problem]);
      await expect(link.check()).rejects.toMatchObject({ message: problem });
    } finally {
      await redis.command('CONFIG SET maxmemory-policy noeviction');
    }
  });

  it('signs in with user, password and database, and says so without showing them where it cannot', async () => {
    const redis = await startRedis([
      ...['--user', 'default', 'off'],
      ...['--user', 'gate', 'on', '>s3cret-word', '~*', '&*', '+@all'],
    ]);
    onTestFinished(() => redis.stop());
    const at = (user: string) => redis.url.replace('//', `//${user}@`);
    const { link } = linkTo(`${at('gate:s3cret-word')}/3`);
    await expect.poll(() => link.up).toBe(true);
    expect(await link.run((client) => client.clientInfo())).toMatchObject({ user: 'gate', db: 3 });
    const wrong = linkTo(at('gate:wr0ng-word'));
    await expect.poll(() => wrong.told).toEqual([expect.stringContaining('Redis refuses the user')]);
    expect(JSON.stringify(wrong.told)).not.toMatch(/wr0ng-word|127\.0\.0\.1/);
    expect(wrong.link.up).toBe(false);
  });

  it.each(['localhost', '127.0.0.1'])(
    'trusts no certificate of %s that nobody vouches for, and says so',
    async (host) => {
      const tls = path.join(root, 'test/fixtures/tls');
      const port = await freePort();
      const redis = await startRedis([
        ...['--tls-port', `${port}`, '--tls-auth-clients', 'no'],
        ...['--tls-cert-file', `${tls}/self-signed.crt`, '--tls-key-file', `${tls}/self-signed.key`],
        ...['--tls-ca-cert-file', `${tls}/self-signed.crt`],
      ]);
      onTestFinished(() => redis.stop());
      const { link, told } = linkTo(`rediss://${host}:${port}`);
      await expect.poll(() => told).toEqual([expect.stringContaining('certificate that is not trusted')]);
      expect(link.up).toBe(false);
      await expect(lookAtRedis(`rediss://${host}:${port}`)).rejects.toThrow(
        'certificate that is not trusted',
      );
    },
  );

  it('takes no address that is none, and shows nothing of it', () => {
    const wrong = [
      'http://a:pass-word@b',
      'redis:///0',
      'redis://u:pass-word@h/x',
      'redis://u:pass-word@h:1,,g:2/0',
    ];
    const messages = wrong.map((url) => {
      try {
        new RedisLink({ url, onProblem: () => undefined, onBack: () => undefined });
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    });
    for (const message of messages) expect(message).toContain('REDIS_URL is not of the form');
    expect(messages.join()).not.toContain('pass-word');
  });
});
