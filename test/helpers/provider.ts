/** A real provider of OpenID Connect on a port of this machine, whose people need no password. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { Secret } from '../../src/lib/redact.ts';
import type { IssuerSettings, Rule } from '../../src/tenants/accounts/oidc/settings.ts';

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
