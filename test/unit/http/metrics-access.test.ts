import { describe, expect, it } from 'vitest';
import type { RequestHeaders } from '../../../src/http/dispatcher.ts';
import { metricsAccess } from '../../../src/http/metrics-access.ts';
import { Secret } from '../../../src/lib/redact.ts';

const token = 'a-token-of-metrics';
const bearer = { authorization: `Bearer ${token}` };
const refusal = { code: 'access_denied' };

const direct = { host: '127.0.0.1:8080' };

function read(
  remoteAddress: string | undefined,
  headers: RequestHeaders = direct,
  secret: string | null = token,
) {
  const access = metricsAccess(secret === null ? null : new Secret(secret));
  return access(headers, { method: 'GET', query: '', client: '127.0.0.1', remoteAddress });
}

const elsewhere = [
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
];

describe('the metrics without a token', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('are open to %s', async (address) => {
    expect((await read(address, direct, null)).scopes.size).toBe(0);
  });

  it.each(['localhost', 'LOCALHOST:9090', '127.0.0.1', '127.0.0.1:', '[::1]', '[::1]:8080', '127.1.2.3:80'])(
    'are open to this machine at %s',
    async (host) => {
      await expect(read('127.0.0.1', { host }, null)).resolves.toBeDefined();
    },
  );

  it.each(elsewhere)('are closed to %s, whatever the headers say of it', async (address) => {
    await expect(read(address, direct, null)).rejects.toMatchObject(refusal);
    const headers = { 'x-forwarded-for': '127.0.0.1', host: 'localhost', 'x-real-ip': '127.0.0.1' };
    await expect(read(address, headers, null)).rejects.toMatchObject(refusal);
  });

  it.each([
    undefined,
    '',
    ':8080',
    '*',
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    '0.0.0.0',
    '[::2]',
    '127.0.0.1, localhost',
  ])('are closed to this machine with the Host %j', async (host) => {
    await expect(read('127.0.0.1', { host }, null)).rejects.toMatchObject(refusal);
  });

  it.each([
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-host': 'gateway.example' },
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded': 'for=203.0.113.7' },
    { 'x-real-ip': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
    { via: '1.1 proxy' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('are closed to this machine when the request shows %o', async (headers) => {
    await expect(read('127.0.0.1', { ...direct, ...headers }, null)).rejects.toMatchObject(refusal);
  });

  it('are closed to every token from elsewhere', async () => {
    for (const authorization of ['Bearer null', 'Bearer undefined', `Bearer ${token}`]) {
      await expect(read('203.0.113.7', { ...direct, authorization }, null)).rejects.toMatchObject(refusal);
    }
  });
});

describe('the metrics with a token', () => {
  it.each([...elsewhere, '127.0.0.1', '::1'])('need it from %s, and nothing else', async (address) => {
    await expect(read(address)).rejects.toMatchObject(refusal);
    await expect(read(address, { host: 'localhost' })).rejects.toMatchObject(refusal);
    await expect(read(address, bearer)).resolves.toBeDefined();
    await expect(read(address, { ...bearer, via: '1.1 proxy', host: 'x' })).resolves.toBeDefined();
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
});
