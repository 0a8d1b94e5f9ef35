import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { plainTextOf, Reloads } from '../../../src/config/reloads.ts';
import { Secret } from '../../../src/lib/redact.ts';

it('is the same for what is the same, and another for what is not', () => {
  const value = { b: [1, 'x', { y: new Secret('k') }], a: true, none: null };
  const same = plainTextOf({ a: true, b: [1, 'x', { y: new Secret('k') }], none: undefined });
  expect(plainTextOf(value)).toBe(same);
  const different: readonly unknown[] = [
    { ...value, b: ['x', 1, { y: new Secret('k') }] },
    { ...value, b: [1, 'x', { y: new Secret('other') }] },
    { ...value, b: [1, 'x', { y: 'k,' }] },
    { ...value, b: ['1', 'x', { y: new Secret('k') }] },
    { ...value, b: [1, 'x,{"y":"k"}'] },
    { ...value, a: 'true' },
    { ...value, c: 0 },
    [value],
  ];
  expect(new Set([same, ...different.map(plainTextOf)]).size).toBe(different.length + 1);
});

async function configOf(text: string, env: Record<string, string> = {}) {
  const given = { text };
  const read = () =>
    readConfig({ ...env, SWITCHYARD_CONFIG: '/etc/switchyard.yaml' }, async () => given.text);
  const reloads = new Reloads({
    config: await read(),
    file: null,
    read,
    apply: async () => undefined,
    pseudonym: (plain) => createHash('sha256').update(plain).digest('base64url'),
    now: Date.now,
  });
  return { given, reloads };
}

const withKey = (key: string) => `providers: {groq: {base_url: "http://groq", api_key: ${key}}}`;
const withIssuer = (more = '') =>
  `sign_in: {oidc: [{id: corp, issuer: "https://login.example.com", client_id: a, rules: [{claim: g, value: v, role: owner}]${more}}]}`;

it('tells of a key that has changed, of the file alone, and shows nothing of it', async () => {
  const { reloads, given } = await configOf(withKey('sk-one'));
  const before = reloads.current().digest;
  expect(before).toMatch(/^[\w-]{8}$/);
  expect((await configOf(withKey('sk-one'), { PORT: '1234' })).reloads.current().digest).toBe(before);
  given.text = withKey('sk-two');
  await reloads.reload('test');
  const after = reloads.current().digest;
  expect(after).not.toBe(before);
  expect((await configOf(given.text)).reloads.current().digest).toBe(after);
});

it('stays the old one of what a reload does not exchange, which needs a restart', async () => {
  const { reloads, given } = await configOf(withIssuer());
  const before = reloads.current().digest;
  given.text = withIssuer(', name: Corp');
  await reloads.reload('test');
  expect(reloads.current()).toMatchObject({
    digest: before,
    needsRestart: [{ section: 'sign_in.oidc', name: 'corp', change: 'changed', fields: ['name'] }],
  });
  expect((await configOf(given.text)).reloads.current().digest).not.toBe(before);
});
