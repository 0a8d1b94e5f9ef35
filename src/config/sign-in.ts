import { camelCased } from '../lib/names.ts';
import { Secret } from '../lib/redact.ts';
import type { IssuerSettings, JwtSettings, SignInSettings } from '../tenants/accounts/oidc/settings.ts';
import { type Environment, variable } from './environment.ts';
import type { ConfigFile, JwtEntry, OidcEntry } from './parse-file.ts';

/** The file's issuers. */
export function readSignIn(file: ConfigFile, env: Environment): SignInSettings {
  const { oidc = [], jwt = [] } = file.content.sign_in ?? {};
  for (const [name, entries] of Object.entries({ oidc, jwt }))
    for (const [index, { id }] of entries.entries()) {
      if (entries.findIndex((entry) => entry.id === id) === index) continue;
      file.report(['sign_in', name, String(index), 'id'], 'this id is there twice; expected another.');
    }
  for (const [index, { rules }] of oidc.entries())
    for (const [n, { role, value, tenant }] of rules.entries()) {
      const path = ['sign_in', 'oidc', String(index), 'rules', String(n)];
      if (role === 'member' && tenant !== undefined && value === undefined)
        file.report(path, 'expected `value` beside `tenant`: any value would open it.');
      if (role !== 'member' && (value === undefined || tenant !== undefined))
        file.report(path, `a rule for the role \`${role}\` has a \`value\` and no \`tenant\`.`);
    }
  for (const [index, { tenant, tenant_claim }] of jwt.entries())
    if ((tenant === undefined) === (tenant_claim === undefined))
      file.report(['sign_in', 'jwt', String(index)], 'expected either `tenant` or `tenant_claim`.');
  return {
    oidc: oidc.map((entry, index) => issuerOf(entry, index, file, env)),
    jwt: jwt.map(jwtOf),
  };
}

/** Whether an issuer gives anyone the role `owner`. */
export function letsOwnersIn({ oidc }: SignInSettings): boolean {
  return oidc.some(({ rules }) => rules.some(({ role }) => role === 'owner'));
}

function issuerOf(
  { id, name = id, issuer, client_id, client_secret, scopes, rules }: OidcEntry,
  index: number,
  file: ConfigFile,
  env: Environment,
): IssuerSettings {
  const held = /^\$\{(.+)\}$/.exec(client_secret ?? '')?.[1];
  const secret = held === undefined ? client_secret : variable(env, held);
  if (secret === null)
    file.report(
      ['sign_in', 'oidc', String(index), 'client_secret'],
      `the environment variable ${held} is not set; expected the secret of the client.`,
    );
  return {
    id,
    name,
    issuer,
    clientId: client_id,
    clientSecret: secret ? new Secret(secret) : null,
    scopes: [...new Set(['openid', ...(scopes ?? ['profile', 'email'])])],
    rules: rules.map(({ claim, value = null, role, tenant = null }) => ({ claim, value, role, tenant })),
  };
}

function jwtOf(entry: JwtEntry): JwtSettings {
  const scopes = ['chat', 'media', 'files', 'agents', 'ai', 'factory', 'mcp'];
  return { jwksUrl: null, tenant: null, tenantClaim: '', scopesClaim: null, scopes, ...camelCased(entry) };
}
