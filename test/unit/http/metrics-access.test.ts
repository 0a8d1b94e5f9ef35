import { describe, expect, it } from 'vitest';
import { metricsAccess } from '../../../src/http/metrics-access.ts';
import type { RequestHeaders } from '../../../src/http/router.ts';
import { Secret } from '../../../src/lib/secret.ts';

const token = 'a-token-of-metrics';
const bearer = { authorization: `Bearer ${token}` };
const refusal = { code: 'access_denied' };

function read(
  remoteAddress: string | undefined,
  headers: RequestHeaders = {},
  secret: string | null = token,
) {
  const access = metricsAccess(secret === null ? null : new Secret(secret));
  return access(headers, { method: 'GET', client: '127.0.0.1', remoteAddress });
}

describe('the metrics', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('are open to %s', async (address) => {
    expect((await read(address)).scopes.size).toBe(0);
    await expect(read(address, {}, null)).resolves.toBeDefined();
  });

  it.each([
    '10.0.0.1',
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '::2',
    '::127.0.0.1',
    'fe80::1',
    '127.0.0.1.example',
    '1127.0.0.1',
    '',
    undefined,
  ])('are closed to %s without the token, whatever the headers say of it', async (address) => {
    await expect(read(address)).rejects.toMatchObject(refusal);
    const headers = { 'x-forwarded-for': '127.0.0.1', host: 'localhost', 'x-real-ip': '127.0.0.1' };
    await expect(read(address, headers)).rejects.toMatchObject(refusal);
    await expect(read(address, bearer)).resolves.toBeDefined();
  });

  it.each([
    { 'x-forwarded-for': '203.0.113.7' },
    { host: 'evil.example' },
    { host: 'evil.example:8080' },
    { host: '127.0.0.1.evil.example' },
    { forwarded: 'for=203.0.113.7' },
    { via: '1.1 proxy' },
    { origin: 'https://evil.example' },
  ])('are closed to this machine when the request shows %o, without the token', async (headers) => {
    await expect(read('127.0.0.1', headers)).rejects.toMatchObject(refusal);
    await expect(read('127.0.0.1', { ...headers, ...bearer })).resolves.toBeDefined();
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Bearer ${token} x`,
  ])('are closed to Authorization %j', async (authorization) => {
    await expect(read('203.0.113.7', { authorization })).rejects.toMatchObject(refusal);
  });

  it('are closed to every token where none is set', async () => {
    for (const authorization of ['Bearer null', 'Bearer undefined', `Bearer ${token}`]) {
      await expect(read('203.0.113.7', { authorization }, null)).rejects.toMatchObject(refusal);
    }
  });
});
