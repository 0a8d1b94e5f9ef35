import { expect, it, onTestFinished } from 'vitest';
import { startTcpProxy } from '../../../scripts/chaos/tcp-proxy.ts';
import { linkTo, onRedis } from '../../helpers/redis.ts';

onRedis('the link', (server) => {
  it('gives up a connection whose other end is gone without a word', { timeout: 30_000 }, async () => {
    const redis = server();
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port });
    onTestFinished(() => proxy.close());
    const { link } = linkTo(redis.url.replace(`:${redis.port}`, `:${proxy.port}`));
    await expect.poll(() => link.up, { timeout: 10_000 }).toBe(true);
    proxy.abandon();
    await expect(link.run((client) => client.ping())).rejects.toMatchObject({ failure: 'slow' });
    await expect.poll(() => link.up, { timeout: 20_000 }).toBe(true);
    expect(await link.run((client) => client.ping())).toBe('PONG');
  });
});
