import { createHash, createSecretKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { jwtVerify } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { keptInStore } from '../../../src/services/agents/open-agents.ts';
import type { McpOAuthSettings, McpServerSettings } from '../../../src/services/agents/settings.ts';
import { mcpSource } from '../../../src/services/agents/tools/mcp.ts';
import { McpAuthorization } from '../../../src/services/agents/tools/mcp-oauth.ts';
import { toolContext } from '../../helpers/agents.ts';
import { appForThisTest, type TestApp, testAdminPassword, testKey } from '../../helpers/app.ts';
import { serve, startMcpServer } from '../../helpers/mcp-server.ts';
import { onEveryStore } from '../../helpers/store.ts';

/** MCP servers that want tokens: how they are had, kept, renewed and told of. */

const admin = '/admin/factory/settings/api-keys';

async function guarded(more: Parameters<typeof startGuardedMcp>[0] = {}) {
  const server = await startGuardedMcp(more);
  onTestFinished(() => server.close());
  return server;
}

function settingsOf(url: string, oauth: Partial<McpOAuthSettings>): McpServerSettings {
  const grant = oauth.clientSecret || oauth.clientKey ? 'client_credentials' : 'authorization_code';
  const none = { clientId: null, clientSecret: null, issuer: null, scope: null, privateNetworks: [] };
  return { id: 'docs', url, headers: {}, tools: null, timeoutMs: 5000, oauth: { grant, ...none, ...oauth } };
}

function sourceOf(url: string, oauth: Partial<McpOAuthSettings>) {
  const settings = settingsOf(url, oauth);
  const source = mcpSource(settings, () => undefined, { authorization: new McpAuthorization(settings) });
  onTestFinished(() => source.close());
  const call = () => source.list()[0]?.run({ city: 'Bern' }, toolContext());
  return { source, call };
}

const robot = { clientId: 'robot', clientSecret: 's3cret', scope: 'read' };

it('a server gives its tools to a client with a secret, and another token is got when one is refused', async () => {
  const server = await guarded();
  const { source, call } = sourceOf(server.url, { ...robot, issuer: server.issuer });
  await source.refresh();
  expect(await call()).toMatchObject({ text: 'Rain in Bern' });
  server.revoke();
  expect(await call()).toMatchObject({ text: 'Rain in Bern' });
  const grant = { grant: 'client_credentials', client: 'robot:s3cret', resource: server.url, scope: 'read' };
  expect(server.grants).toEqual([grant, grant]);
  // Calls that come together wait for the same.
  server.revoke();
  await Promise.all([call(), call(), call()]);
  expect(server.grants.length).toBe(3);
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
it.each([
  ['PEM in one line', pem.replaceAll('\n', '\\n'), rsa.publicKey, 'RS256', { keyId: 'k1', algorithm: null }],
  ['PEM, with another algorithm', pem, rsa.publicKey, 'PS256', { keyId: 'k1', algorithm: 'PS256' }],
  [
    'a JWK',
    JSON.stringify({ ...curve.privateKey.export({ format: 'jwk' }), kid: 'k1' }),
    curve.publicKey,
    'ES256',
    { keyId: null, algorithm: null },
  ],
])('a server gives its tools to a client with a key in %s', async (_, key, publicKey, algorithm, more) => {
  const server = await guarded({ publicKey });
  const { source, call } = sourceOf(server.url, {
    clientId: 'robot',
    clientKey: { key, ...more },
    issuer: server.issuer,
  });
  await source.refresh();
  server.revoke();
  expect(await call()).toMatchObject({ text: 'Rain in Bern' });
  const client = `robot by ${algorithm} of k1`;
  expect(server.grants).toMatchObject([{ client }, { client }]);
  // What a client has signed is good for one request.
  expect(server.signed.size).toBe(2);
});

it('a server that takes no token is told of as 401', async () => {
  const server = await guarded();
  const { source } = sourceOf(server.url, { ...robot, clientSecret: 'wrong', issuer: server.issuer });
  await source.refresh();
  expect(source.failure).toMatch(/^wants a token that cannot be had \(HTTP status 401\)/);
  expect(source.failure).not.toContain('wrong');
  expect(source.list()).toMatchObject([{ available: false, description: expect.stringContaining('401') }]);
});

it('a secret goes to its own authorization server alone, and no server leads to addresses that are not public', async () => {
  const server = await guarded();
  const other = sourceOf(server.url, { ...robot, issuer: 'http://127.0.0.1:9' });
  await other.source.refresh();
  expect(other.source.failure).toContain('401');
  // The operator named no issuer, so the one that the server names may be anybody's.
  const { source } = sourceOf(server.url, {});
  await expect(source.authorization?.begin('http://localhost/back', 's', 0)).rejects.toThrow(
    /not reached over HTTPS|not public/,
  );
  const permitted = sourceOf(server.url, { privateNetworks: ['127.0.0.1'] });
  const url = await permitted.source.authorization?.begin('http://localhost/back', 's', 0);
  expect(url?.origin).toBe(server.issuer);
  expect(server.grants).toEqual([]);
});

async function signedIn(app: TestApp) {
  const form = (fields: Record<string, string>, cookie = '') =>
    fetch(app.url + admin, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: app.url },
      body: new URLSearchParams(fields),
    });
  const reply = await form({ action: 'sign-in', password: testAdminPassword });
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = async () => (await fetch(`${app.url + admin}?view=mcp`, { headers: { cookie } })).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page())?.[1] ?? '';
  const act = (action: string) => form({ action, csrf, server: 'docs' }, cookie);
  return { cookie, page, act };
}

const goesTo = (reply: Response) => (reply.headers.get('refresh') ?? '').replace(/^0; url=/, '');

it('a person allows the access in the admin area, once; the tokens are kept sealed and are refreshed', async () => {
  const server = await guarded();
  const settings = settingsOf(server.url, { issuer: server.issuer });
  const app = await appForThisTest({ errorsExpected: true, agents: { mcpServers: [settings] } });
  const { cookie, page, act } = await signedIn(app);
  expect(await page()).toContain('has to be connected in the admin area (HTTP status 401)');
  const begun = goesTo(await act('connect-mcp'));
  expect(begun).toMatch(
    new RegExp(`^${server.issuer}/authorize\\?.*code_challenge_method=S256.*&scope=weather`),
  );
  const back = (await fetch(begun, { redirect: 'manual' })).headers.get('location') ?? '';
  // It comes without the cookie, as any way that began elsewhere, and goes on by itself.
  const own = `${app.url}${goesTo(await fetch(back))}`;
  expect((await fetch(own)).status).toBe(400);
  const done = await fetch(own, { headers: { cookie } });
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('The server is connected')]);
  expect(await page()).toContain('Disconnect');
  expect((await fetch(own, { headers: { cookie } })).status).toBe(400);

  const weather = async () => {
    const call = { name: 'docs_weather_of', arguments: { city: 'Oslo' } };
    const reply = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    return reply.text();
  };
  expect(await weather()).toContain('Rain in Oslo');
  server.revoke();
  expect(await weather()).toContain('Rain in Oslo');
  expect(server.grants.map(({ grant }) => grant)).toEqual(['authorization_code', 'refresh_token']);
  const database = new DatabaseSync(join(app.dataDir, 'switchyard.db'), { readOnly: true });
  const rows = database.prepare('select name, value from settings').all();
  database.close();
  expect(rows.map((row) => row['name'])).toContain('mcp_authorization:docs');
  expect(JSON.stringify(rows) + JSON.stringify(app.log)).not.toMatch(/access-\d|refresh-\d/);
  const { items } = await app.accounts.audit({ cursor: null });
  expect(items[0]).toMatchObject({ action: 'mcp.connect', target: 'mcp_server:docs' });

  // A tool that wants more says what, and the same person grants it in addition.
  server.need('forecast');
  expect(await weather()).toContain('wants the scope \\"forecast\\" beyond what was granted');
  expect(await page()).toContain('Some calls need the scope forecast in addition.');
  const wider = goesTo(await act('connect-mcp'));
  expect(new URL(wider).searchParams.get('scope')).toBe('weather forecast');
  const granted = (await fetch(wider, { redirect: 'manual' })).headers.get('location') ?? '';
  await fetch(`${granted}&own=1`, { headers: { cookie } });
  expect(await weather()).toContain('Rain in Oslo');
  expect(await page()).not.toContain('Some calls need the scope');
  server.need(null);

  // Nothing renews what was taken back: the operator is told.
  server.revoke({ refresh: true });
  expect(await weather()).toContain('has to be connected in the admin area (HTTP status 401)');
  await act('disconnect-mcp');
  expect(await page()).not.toContain('Disconnect');
});

onEveryStore('two processes with one database', (on) => {
  it('use a token that gets others once, and both have what came of it', async () => {
    const server = await guarded();
    const database = await on.database();
    const settings = settingsOf(server.url, { issuer: server.issuer });
    const secret = createSecretKey(randomBytes(32));
    /** What happens before the other writes, and that one has had to wait for it. */
    let meanwhile = async () => undefined as unknown;
    const waits = Promise.withResolvers<void>();
    const processes = await Promise.all(
      [0, 1].map(async (index) => {
        const kept = keptInStore(await on.open(database), secret);
        const authorization = new McpAuthorization(settings, {
          ...kept,
          async write(...written) {
            if (index === 1) await meanwhile();
            await kept.write(...written);
          },
          async claim(of) {
            const claimed = await kept.claim(of);
            if (index === 0 && !claimed) waits.resolve();
            return claimed;
          },
        });
        const source = mcpSource(settings, () => undefined, { authorization });
        onTestFinished(() => source.close());
        return { authorization, source };
      }),
    );
    const [one] = processes;
    const connect = async () => {
      const begun = await one?.authorization.begin('http://localhost/back', 'session', 0);
      const back = (await fetch(begun ?? '', { redirect: 'manual' })).headers.get('location') ?? '';
      await one?.authorization.finish(new URL(back).searchParams, 'http://localhost/back', 'session', 1);
    };
    await connect();
    const all = () =>
      Promise.all(
        processes.map(async ({ source }) => {
          await source.refresh();
          return source.callTool('weather.of', { city: 'Oslo' }, { signal: new AbortController().signal });
        }),
      );
    const rain = { content: [{ type: 'text', text: 'Rain in Oslo' }] };
    expect(await all()).toMatchObject([rain, rain]);
    for (const refreshed of [1, 2, 3]) {
      server.revoke();
      expect(await all()).toMatchObject([rain, rain]);
      expect(server.grants.filter(({ grant }) => grant === 'refresh_token').length).toBe(refreshed);
    }
    // What one is granted in addition the other has as well, though it notes at that moment that the token before has too little.
    server.need('forecast');
    let granting: Promise<void> | null = null;
    meanwhile = () => {
      granting ??= connect();
      return Promise.race([granting, waits.promise]);
    };
    const signal = new AbortController().signal;
    const refused = processes[1]?.source.callTool('weather.of', { city: 'Oslo' }, { signal });
    await expect(refused).rejects.toThrow('wants the scope "forecast"');
    await granting;
    expect(await all()).toMatchObject([rain, rain]);
  });
});

/** An MCP server that wants tokens, and the authorization server that gives them, on ports of their own. */
async function startGuardedMcp({
  registers = true,
  publicKey = null,
}: {
  registers?: boolean;
  publicKey?: KeyObject | null;
} = {}) {
  const behind = await startMcpServer();
  /** Scopes by token. */
  const good = new Map<string, string | null>();
  const refreshable = new Set<string>();
  const codes = new Map<string, { challenge: string; redirect: string; scope: string | null }>();
  /** What came to the token endpoint, without secrets of the client. */
  const grants: { grant: string; client: string; resource: string | null; scope: string | null }[] = [];
  /** Ids of what clients have signed. */
  const signed = new Set<string | undefined>();
  let needed: string | null = null;
  let made = 0;
  const tokens = (refresh: boolean, scope: string | null = null) => {
    made += 1;
    good.set(`access-${made}`, scope);
    if (refresh) refreshable.add(`refresh-${made}`);
    return Response.json({
      access_token: `access-${made}`,
      token_type: 'Bearer',
      expires_in: 3600,
      ...(refresh && { refresh_token: `refresh-${made}` }),
    });
  };
  const refusal = (error: string) => Response.json({ error }, { status: 400 });

  const issuer = await serve(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    if (pathname.startsWith('/.well-known/'))
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        ...(registers && { registration_endpoint: `${origin}/register` }),
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
    if (pathname === '/register')
      return Response.json(
        { ...((await request.json()) as object), client_id: 'registered' },
        { status: 201 },
      );
    if (pathname === '/authorize') {
      const redirect = searchParams.get('redirect_uri') ?? '';
      const code = crypto.randomUUID();
      const challenge = searchParams.get('code_challenge') ?? '';
      codes.set(code, { challenge, redirect, scope: searchParams.get('scope') });
      const to = new URL(redirect);
      to.search = String(new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: origin }));
      return new Response(null, { status: 302, headers: { location: to.href } });
    }
    const form = new URLSearchParams(await request.text());
    const grant = form.get('grant_type') ?? '';
    const basic = request.headers.get('authorization')?.split(' ')[1];
    const assertion = form.get('client_assertion');
    const { payload = {}, protectedHeader } =
      assertion && publicKey
        ? await jwtVerify(assertion, publicKey, { audience: issuerUrl, issuer: 'robot', subject: 'robot' })
        : {};
    if (protectedHeader) signed.add(payload.jti);
    const client = protectedHeader
      ? `robot by ${protectedHeader.alg} of ${protectedHeader.kid}`
      : basic
        ? Buffer.from(basic, 'base64').toString()
        : (form.get('client_id') ?? '');
    grants.push({ grant, client, resource: form.get('resource'), scope: form.get('scope') });
    if (grant === 'client_credentials')
      return client === 'robot:s3cret' || protectedHeader ? tokens(false) : refusal('invalid_client');
    if (grant === 'refresh_token')
      return refreshable.delete(form.get('refresh_token') ?? '') ? tokens(true) : refusal('invalid_grant');
    const begun = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const digest = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = begun?.challenge === digest && begun.redirect === form.get('redirect_uri');
    return fits ? tokens(true, begun.scope) : refusal('invalid_grant');
  });
  const issuerUrl = new URL(issuer.url).origin;

  const server = await serve(async (request) => {
    const { pathname, origin } = new URL(request.url);
    // In a place that only its refusals tell of.
    if (pathname === '/about-tokens')
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [issuerUrl] });
    if (pathname !== '/mcp') return new Response(null, { status: 404 });
    const [, token = ''] = request.headers.get('authorization')?.split(' ') ?? [];
    const metadata = `${origin}/about-tokens`;
    if (good.has(token)) {
      const call = (await request.clone().text()).includes('"tools/call"');
      const granted = good.get(token)?.split(' ') ?? [];
      if (!call || needed === null || granted.includes(needed)) return fetch(behind.url, request);
      const refused = `Bearer error="insufficient_scope", scope="${needed}", resource_metadata="${metadata}"`;
      return new Response(null, { status: 403, headers: { 'www-authenticate': refused } });
    }
    const headers = { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="weather"` };
    return new Response(null, { status: 401, headers });
  });
  return {
    url: server.url,
    issuer: issuerUrl,
    grants,
    signed,
    /** From now on its tools want this scope; null: none. */
    need(scope: string | null) {
      needed = scope;
    },
    /** Takes all access tokens back; `refresh` also what gets others. */
    revoke({ refresh = false } = {}) {
      good.clear();
      if (refresh) refreshable.clear();
    },
    async close() {
      await Promise.all([server, issuer, behind].map((one) => one.close()));
    },
  };
}
