import { fields, list, oneOf, pattern } from './object-schema.ts';

const id = pattern('^[a-z0-9][a-z0-9-]{0,31}$', 'an id of at most 32 lower-case letters, digits and `-`');
const text = { type: 'string', minLength: 1, maxLength: 500, description: 'a text' } as const;
const issuer = {
  type: 'string',
  format: 'issuer',
  description: 'an https address as the issuer itself writes it, or an http address of this machine',
} as const;
const secret = pattern(
  '^(\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}|(?!.*\\$\\{)[\\x21-\\x7e]+)$',
  `the name of an environment variable as \${NAME}, or a secret of printable ASCII characters`,
);
const scope = pattern('^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', 'the name of a scope');
const apiScope = {
  enum: ['chat', 'media', 'files', 'agents', 'ai', 'factory', 'mcp'],
  description: 'one of chat, media, files, agents, ai, factory, mcp',
} as const;
const tenant = pattern('^[a-z0-9][a-z0-9-]{0,62}$', 'the id of a tenant');

const rule = fields('a map with `claim` and `role`', ['claim', 'role'], {
  claim: text,
  value: text,
  role: oneOf('owner', 'operator', 'viewer', 'member'),
  tenant,
});

const oidc = fields('a map that describes an issuer', ['id', 'issuer', 'client_id', 'rules'], {
  id,
  name: text,
  issuer,
  client_id: text,
  client_secret: secret,
  scopes: list('a list of scopes', scope),
  rules: { ...list('a list of rules, at least one', rule), minItems: 1 },
});

const jwt = fields('a map that describes an issuer of tokens', ['id', 'issuer', 'audience'], {
  id,
  issuer,
  audience: text,
  jwks_url: issuer,
  tenant,
  tenant_claim: text,
  scopes_claim: text,
  scopes: list('a list of scopes', apiScope),
});

/** The section `sign_in`. */
export const signInSchema = fields('a map with `oidc` and `jwt`', [], {
  oidc: list('a list of issuers by which people sign in', oidc),
  jwt: list('a list of issuers whose tokens are taken as credentials', jwt),
});
