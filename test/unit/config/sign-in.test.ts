import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';

const read = (text: string, env: Record<string, string> = {}) =>
  readConfig({ SWITCHYARD_CONFIG: 'file', ...env }, async () => text);
const issuer = (rest: string) =>
  `sign_in:\n  oidc:\n    - id: corp\n      issuer: https://id.example\n      client_id: us\n${rest}`;
const rules = '      rules: [{ claim: groups, value: admins, role: owner }]\n';

describe('an issuer', () => {
  it('is read with its secret from the environment, which is not shown', async () => {
    const secret = 'a secret of the client';
    const config = await read(issuer(`      client_secret: \${CORP_SECRET}\n${rules}`), {
      CORP_SECRET: secret,
    });
    expect(config.signIn.oidc[0]).toMatchObject({
      id: 'corp',
      name: 'corp',
      scopes: ['openid', 'profile', 'email'],
      rules: [{ claim: 'groups', value: 'admins', role: 'owner', tenant: null }],
    });
    expect(config.signIn.oidc[0]?.clientSecret?.reveal()).toBe(secret);
    expect(JSON.stringify(config)).not.toContain(secret);
  });

  it.each<[string, string, string]>([
    ['with a secret that is not set', issuer(`      client_secret: \${NONE}\n${rules}`), 'NONE is not set'],
    ['without rules', issuer(''), 'expected the key `rules`'],
    ['without a single rule', issuer('      rules: []\n'), 'a list of rules, at least one'],
    [
      'that lets anybody be an owner',
      issuer('      rules: [{ claim: sub, role: owner }]\n'),
      'has a `value`',
    ],
    [
      'that lets anybody be a member',
      issuer('      rules: [{ claim: sub, role: member, tenant: acme }]\n'),
      'expected `value` beside `tenant`',
    ],
    ['without TLS', issuer(rules).replace('https:', 'http:'), 'an https address'],
    [
      'of tokens without a tenant',
      'sign_in:\n  jwt:\n    - { id: a, issuer: "https://id.example", audience: us }\n',
      'expected either `tenant` or `tenant_claim`',
    ],
  ])('%s stops the start', async (_what, text, problem) => {
    await expect(read(text)).rejects.toThrow(problem);
  });
});

describe('passwords', () => {
  it('can be switched off only where an owner gets in otherwise', async () => {
    const off = { PASSWORD_SIGN_IN: 'off' };
    expect((await read(issuer(rules), off)).passwordSignIn).toBe('off');
    await expect(read('', off)).rejects.toThrow('PASSWORD_SIGN_IN is "off"');
    await expect(read(issuer(rules.replace('owner', 'viewer')), off)).rejects.toThrow('role `owner`');
  });
});
