import { expect, test } from 'vitest';
import { buildFromSpec } from '../../../src/factory/build-app.ts';
import { endpointOrigin, endpointProblems, specProblems } from '../../../src/factory/spec.ts';
import { wholeSpec } from '../../helpers/whole-spec.ts';

const form = wholeSpec({
  kind: 'form',
  variant: 'contact',
  entity: { singular: 'a', plural: 'b', fields: [{ key: 'f0', label: 'Name', type: 'text' }] },
});
const at = (endpoint: string) => ({ ...form, contact: { endpoint } });

test('only forms for contact and sign-up may post, and only to the origin of their address', async () => {
  const spec = at('https://owner.example:8443/in?x=1');
  expect(endpointOrigin(spec)).toBe('https://owner.example:8443');
  expect(endpointOrigin({ ...spec, variant: 'poll' })).toBeNull();
  expect(endpointOrigin({ ...spec, kind: 'landing', variant: '' })).toBeNull();
  expect(endpointOrigin(form)).toBeNull();
  expect((await buildFromSpec(spec)).html).toContain('connect-src https://owner.example:8443;');
  expect((await buildFromSpec(form)).html).toContain("connect-src 'none';");
});

test.each([
  'https://a;script-src/',
  "https://a'b/",
  'https://a,b/',
  'https://*.example/',
  'https://[::1]/',
  'https://',
])('an address that would say more in a policy is refused: %s', (endpoint) => {
  expect(endpointProblems(endpoint)).toHaveLength(1);
  expect(specProblems(at(endpoint))).toHaveLength(1);
  expect(endpointOrigin(at(endpoint))).toBeNull();
});

test('an address with user and password, or in capitals, opens its plain origin', () => {
  expect(endpointOrigin(at('https://user:secret@OWNER.example/'))).toBe('https://owner.example');
});
