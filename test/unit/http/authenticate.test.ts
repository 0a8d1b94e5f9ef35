import { describe, expect, it, vi } from 'vitest';
import { apiKeyAuth, bearerAuth } from '../../../src/http/authenticate.ts';
import { adminBearer } from '../../../src/http/authenticate-admin.ts';

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
