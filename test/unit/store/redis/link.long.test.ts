import { expect, it, onTestFinished } from 'vitest';
import { startTcpProxy } from '../../../chaos/tcp-proxy.ts';
import { linkTo, onRedis } from '../../../helpers/redis.ts';

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
