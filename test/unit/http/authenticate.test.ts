import { describe, expect, it, vi } from 'vitest';
import { adminBearer, apiKeyAuth, bearerAuth, metricsAccess } from '../../../src/http/authenticate.ts';
import type { RequestHeaders } from '../../../src/http/dispatcher.ts';
import { Secret } from '../../../src/lib/redact.ts';

const principal = { keyId: 'key', scopes: new Set<string>() };
const call = { method: 'GET', query: '', client: '203.0.113.9', remoteAddress: undefined };
const verify = async (key: string) => (key === 'good' ? principal : null);

describe('a key as Bearer', () => {
  const read = (authorization?: string) => bearerAuth(verify)({ authorization }, call);

  it.each(['Bearer good', 'bearer good', 'BEARER   good  '])('is taken from %j', async (header) => {
    expect(await read(header)).toBe(principal);
  });

  it.each([
    undefined,
    '',
    'good',
    'Basic good',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer gööd',
    'Bearergood',
  ])('is missing in %j', async (header) => {
    await expect(read(header)).rejects.toMatchObject({
      code: 'missing_api_key',
      headers: { 'www-authenticate': 'Bearer realm="switchyard"' },
    });
  });

  it('that is not valid is told as such', async () => {
    await expect(read('Bearer bad')).rejects.toMatchObject({
      code: 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer realm="switchyard", error="invalid_token"' },
    });
  });
});

describe('a key as X-API-Key', () => {
  const read = (key?: string) => apiKeyAuth(verify)({ 'x-api-key': key }, call);

  it.each(['good', ' good '])('is taken from %j', async (header) => {
    expect(await read(header)).toBe(principal);
  });

  it.each([undefined, '', ' ', 'a b', 'gööd'])('is missing in %j', async (header) => {
    await expect(read(header)).rejects.toMatchObject({ code: 'missing_api_key' });
  });

  it('that is not valid is told as such, and never by the challenge of Bearer', async () => {
    await expect(read('bad')).rejects.toMatchObject({
      code: 'invalid_api_key',
      headers: { 'www-authenticate': 'ApiKey realm="switchyard"' },
    });
  });
});

it('a key in the header of the other interface is missing, and the answer names both headers', async () => {
  const bearer = bearerAuth(verify)({ 'x-api-key': 'good' }, call);
  const message = expect.stringMatching(/as "Authorization: Bearer <API_KEY>", not as "X-API-Key"\./);
  await expect(bearer).rejects.toMatchObject({ code: 'missing_api_key', message });
  for (const authorization of ['Bearer good', 'Bearer bad']) {
    const own = apiKeyAuth(verify)({ authorization }, call);
    const other = expect.stringMatching(/as "X-API-Key: <API_KEY>", not as "Authorization"\./);
    await expect(own).rejects.toMatchObject({ code: 'missing_api_key', message: other });
  }
});

it('a wrong key and none are told alike where keys come from', async () => {
  const refusals = [
    bearerAuth(verify)({ authorization: 'Bearer bad' }, call),
    bearerAuth(verify)({}, call),
    apiKeyAuth(verify)({ 'x-api-key': 'bad' }, call),
    apiKeyAuth(verify)({}, call),
  ];
  for (const refusal of refusals) {
    const message = expect.stringMatching(/switchyard -- keys create.*\/factory\/signup\.$/);
    await expect(refusal).rejects.toMatchObject({ message });
  }
});

it('a failure to look a key up is not told as a wrong key', async () => {
  const failure = new Error('the database is away');
  const away = () => Promise.reject(failure);
  await expect(bearerAuth(away)({ authorization: 'Bearer good' }, call)).rejects.toBe(failure);
  await expect(apiKeyAuth(away)({ 'x-api-key': 'good' }, call)).rejects.toBe(failure);
});

it.each(['correct horse battery staple', 'Schlüssel für Zürich', '合言葉は長いほうがよい'])(
  'the administrator’s password %s is read as it was sent',
  async (password) => {
    const check = vi.fn(async () => undefined);
    // As Node reads headers: each byte of the UTF-8 is a character.
    const authorization = `Bearer ${Buffer.from(password).toString('latin1')}`;
    await adminBearer(check)(
      { authorization },
      { method: 'GET', query: '', client: 'client', remoteAddress: undefined },
    );
    expect(check).toHaveBeenCalledWith(password, 'client');
  },
);

const token = 'a-token-of-metrics';
const bearer = { authorization: `Bearer ${token}` };
const refusal = { code: 'access_denied' };

const direct = { host: '127.0.0.1:8080' };

function readMetrics(
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
    expect((await readMetrics(address, direct, null)).scopes.size).toBe(0);
  });

  it.each(['localhost', 'LOCALHOST:9090', '127.0.0.1', '127.0.0.1:', '[::1]', '[::1]:8080', '127.1.2.3:80'])(
    'are open to this machine at %s',
    async (host) => {
      await expect(readMetrics('127.0.0.1', { host }, null)).resolves.toBeDefined();
    },
  );

  it.each(elsewhere)('are closed to %s, whatever the headers say of it', async (address) => {
    await expect(readMetrics(address, direct, null)).rejects.toMatchObject(refusal);
    const headers = { 'x-forwarded-for': '127.0.0.1', host: 'localhost', 'x-real-ip': '127.0.0.1' };
    await expect(readMetrics(address, headers, null)).rejects.toMatchObject(refusal);
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
    await expect(readMetrics('127.0.0.1', { host }, null)).rejects.toMatchObject(refusal);
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
    await expect(readMetrics('127.0.0.1', { ...direct, ...headers }, null)).rejects.toMatchObject(refusal);
  });

  it('are closed to every token from elsewhere', async () => {
    for (const authorization of ['Bearer null', 'Bearer undefined', `Bearer ${token}`]) {
      await expect(readMetrics('203.0.113.7', { ...direct, authorization }, null)).rejects.toMatchObject(
        refusal,
      );
    }
  });
});

describe('the metrics with a token', () => {
  it.each([...elsewhere, '127.0.0.1', '::1'])('need it from %s, and nothing else', async (address) => {
    await expect(readMetrics(address)).rejects.toMatchObject(refusal);
    await expect(readMetrics(address, { host: 'localhost' })).rejects.toMatchObject(refusal);
    await expect(readMetrics(address, bearer)).resolves.toBeDefined();
    await expect(readMetrics(address, { ...bearer, via: '1.1 proxy', host: 'x' })).resolves.toBeDefined();
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
    await expect(readMetrics('203.0.113.7', { authorization })).rejects.toMatchObject(refusal);
  });
});
