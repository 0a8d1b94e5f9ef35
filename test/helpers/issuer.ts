import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { Secret } from '../../src/lib/redact.ts';
import type { IssuerSettings, Rule } from '../../src/tenants/accounts/oidc/settings.ts';

/** An issuer of OpenID Connect that signs what a test wants it to, right or wrong. */

export interface TestIssuer {
  readonly url: string;
  /** What the next ID tokens say, beside what is right. Undefined leaves a claim out. */
  claims: Readonly<Record<string, unknown>>;
  /** Signs them in place of the published key. */
  otherKey: CryptoKey | null;
  /** Answers everything with 500. */
  broken: boolean;
  /** A path that gets no answer, or one that comes byte by byte and never ends. */
  slow: { readonly path: string; readonly how: 'silent' | 'dripping' } | null;
  /** What was asked for, by its path. */
  readonly asked: string[];
  /** What the code was redeemed with. */
  readonly redeemed: URLSearchParams[];
  /** Signs with a new key from now on, and publishes it alone. */
  rotate(): Promise<void>;
  /** A token with these claims, signed by the published key. */
  sign(claims: Readonly<Record<string, unknown>>, lifetimeS?: number): Promise<string>;
  settings(rules: readonly Rule[], id?: string): IssuerSettings;
  close(): Promise<void>;
}

export async function startIssuer(): Promise<TestIssuer> {
  let pair = await generateKeyPair('ES256');
  let kid = 'key 1';
  let nonce = '';
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = 'switchyard';

  function signed(claims: Readonly<Record<string, unknown>>, lifetimeS = 60, key = pair.privateKey) {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: url, iat: now, exp: now + lifetimeS, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(key);
  }

  const issuer: TestIssuer = {
    url,
    claims: {},
    otherKey: null,
    broken: false,
    slow: null,
    asked: [],
    redeemed: [],
    async rotate() {
      pair = await generateKeyPair('ES256');
      kid += ' again';
    },
    sign: (claims, lifetimeS) => signed(claims, lifetimeS),
    settings: (rules, id = 'corp') => ({
      id,
      name: `Issuer ${id}`,
      issuer: url,
      clientId,
      clientSecret: new Secret('secret of the client'),
      scopes: ['openid', 'email'],
      rules,
    }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(path: string, query: URLSearchParams, body: string): Promise<object | null> {
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/keys`,
          ...(issuer.slow?.path === '/userinfo' && { userinfo_endpoint: `${url}/userinfo` }),
          end_session_endpoint: `${url}/end`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        };
      case '/keys':
        return { keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' }] };
      case '/authorize':
        nonce = query.get('nonce') ?? '';
        return {};
      case '/token': {
        issuer.redeemed.push(new URLSearchParams(body));
        const claims = { aud: clientId, sub: 'ann', nonce, ...issuer.claims };
        const id_token = await signed(claims, 60, issuer.otherKey ?? pair.privateKey);
        return { access_token: 'a', token_type: 'bearer', id_token };
      }
      default:
        return null;
    }
  }

  server.on('request', async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    issuer.asked.push(pathname);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (issuer.slow?.path === pathname) {
      if (issuer.slow.how === 'silent') return;
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
      return;
    }
    const found = issuer.broken
      ? null
      : await answer(pathname, searchParams, Buffer.concat(chunks).toString());
    response.writeHead(issuer.broken ? 500 : found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  return issuer;
}

/** A real provider of OpenID Connect on a port of this machine, whose people need no password. */

export const clientId = 'switchyard';
export const clientSecret = 'a secret that both of them know';

export interface TestProvider {
  readonly url: string;
  /** Whoever signs in next. */
  person: string;
  settings(rules: readonly Rule[]): IssuerSettings;
  /** Lets a server send people here. */
  serve(appUrl: string, returnPaths: readonly string[]): void;
  close(): Promise<void>;
}

/** @param people what the provider says of each of them, by their names for it */
export async function startProvider(
  people: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: TestProvider = {
    url,
    person: '',
    settings: (rules) => ({
      id: 'corp',
      name: 'Example Corp',
      issuer: url,
      clientId,
      clientSecret: new Secret(clientSecret),
      scopes: ['openid', 'email', 'groups'],
      rules,
    }),
    serve(appUrl, returnPaths) {
      const provider: Provider = new Provider(url, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [`${appUrl}/sign-in/corp/callback`],
            post_logout_redirect_uris: returnPaths.map((path) => appUrl + path),
          },
        ],
        cookies: { keys: ['a key of cookies'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups', 'tenant'] },
        pkce: { required: () => true },
        features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people[sub] }) }),
        // Whoever is signed in has agreed to everything.
        async loadExistingGrant({ oidc }) {
          const grant = new provider.Grant({
            accountId: oidc.session?.accountId ?? '',
            clientId: oidc.client?.clientId ?? '',
          });
          grant.addOIDCScope('openid email groups');
          await grant.save();
          return grant;
        },
      });
      const handle = provider.callback();
      server.removeAllListeners('request');
      server.on('request', (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
        const login = { accountId: started.person };
        void provider.interactionFinished(request, response, { login });
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return started;
}
