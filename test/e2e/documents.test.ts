/** What the server publishes about itself: small enough to be read, and true of this very server. */
import { describe, expect, it } from 'vitest';
import { operationsOf } from '../../src/contract/served/document.ts';
import { appForThisTest } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { ask } from '../helpers/http.ts';

/** Bytes of each document for one operation, uncompressed. They grow with the operations and with nothing else. */
const bytesPerOperation = {
  '/openapi.json': 2_880,
  '/api/factory/openapi': 2_880,
  '/api/factory/manifest': 370,
  '/api/factory/postman': 6_500,
};
const bounds = Object.entries(bytesPerOperation).map(
  ([path, bytes]) => [path, bytes * operationsOf(contract).length] as const,
);

interface Collection {
  variable: { key: string; value: string }[];
  item: {
    item: {
      name: string;
      request: {
        method: string;
        url: { path: string[]; variable?: { key: string; value: string }[] };
        body?: { raw: string };
      };
    }[];
  }[];
}

async function collectionOf(url: string) {
  const { variable, item } = (await ask(`${url}/api/factory/postman`, { key: null })).json as Collection;
  const requests = item.flatMap((folder) => folder.item.map(({ request }) => request));
  const paths = requests.map(({ method, url }) => `${method} /${url.path.join('/')}`);
  const at = (path: string) => requests.find(({ url }) => `/${url.path.join('/')}` === path);
  return { variable: Object.fromEntries(variable.map(({ key, value }) => [key, value])), at, paths };
}

describe('what the server publishes', () => {
  it.each(bounds)('%s has at most %i bytes', async (path, bound) => {
    const { url } = await appForThisTest();
    const { status, text } = await ask(url + path, { key: null });
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bound);
    expect(Buffer.byteLength(text)).toBeGreaterThan(5_000);
  });

  it('says in the manifest what streams, and which operations are of a foreign interface', async () => {
    const { url } = await appForThisTest();
    const manifest = (await ask(`${url}/api/factory/manifest`, { key: null })).json;
    const rows = manifest.operations.map((operation: Record<string, unknown>) => [
      operation['operation_id'],
      [operation['wire'], operation['streams']],
    ]);
    expect(Object.fromEntries(rows)).toMatchObject({
      createChat: [null, false],
      streamChat: [null, true],
      getModel: ['openai', false],
      createChatCompletion: ['openai', true],
      createMessage: ['anthropic', true],
      countMessageTokens: ['anthropic', false],
      streamGenerateContent: ['gemini', true],
    });
  });

  it('names in the manifest the place of each event in the contract, and how to begin', async () => {
    const { url } = await appForThisTest();
    const manifest = (await ask(`${url}/api/factory/manifest`, { key: null })).json;
    const contract = (await ask(`${url}/openapi.json`, { key: null })).json;
    const references = Object.values(manifest.events as Record<string, { $ref: string }>);
    expect(references.length).toBeGreaterThan(5);
    for (const { $ref } of references) {
      const [document, name = ''] = $ref.split('#/components/schemas/');
      expect(document).toBe(`${url}/openapi.json`);
      expect(contract.components.schemas).toHaveProperty(name);
    }
    const { url: first, body } = manifest.start.first_call;
    const answer = await ask(first, { body });
    expect([answer.status, typeof answer.json.content]).toEqual([200, 'string']);
  });

  it('expects of planned operations in the collection what this server does', async () => {
    const closed = await appForThisTest({ signupOpen: false });
    const open = await appForThisTest({ signupOpen: true });
    expect((await collectionOf(closed.url)).variable['planned']).toBe('signUp');
    expect((await collectionOf(open.url)).variable['planned']).toBe('');
  });

  it('hands ids on in the collection, and leaves the password to its environment', async () => {
    const { url } = await appForThisTest();
    const { variable, at, paths } = await collectionOf(url);
    const ofSessions = paths.filter((path) => /\/admin\/sessions?(\/|$)/.test(path));
    expect(ofSessions).toEqual([
      'POST /api/admin/session',
      'GET /api/admin/sessions',
      'DELETE /api/admin/sessions/:session_id',
      'DELETE /api/admin/session',
    ]);
    const handedOn = [
      '/api/admin/keys/:key_id/rotate',
      '/api/admin/keys/:key_id/revoke',
      '/api/admin/signups/:signup_id/approve',
      '/api/admin/signups/:signup_id/reject',
    ].map((path) => at(path)?.url.variable?.[0]?.value);
    expect(handedOn).toEqual([
      '{{rotateKey_key_id}}',
      '{{revokeKey_key_id}}',
      '{{approveSignup_signup_id}}',
      '{{rejectSignup_signup_id}}',
    ]);
    expect(handedOn.filter((name = '') => !(name.slice(2, -2) in variable))).toEqual([]);
    expect(JSON.parse(at('/api/admin/session')?.body?.raw ?? '')).toEqual({ password: '{{adminPassword}}' });
    expect(at('/api/admin/sessions/:session_id')?.url.variable?.[0]?.value).toBe('{{endSession_session_id}}');
  });
});
