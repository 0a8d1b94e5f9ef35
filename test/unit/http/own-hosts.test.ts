import { expect, it } from 'vitest';
import { ownHosts } from '../../../src/http/own-hosts.ts';

const requireOwnHost = ownHosts('https://gateway.example:8443', ['other.example']);

it.each([
  'gateway.example',
  'gateway.example:8443',
  'GATEWAY.example:1',
  'other.example',
  'localhost',
  'LOCALHOST:8080',
  'app.localhost:8080',
  '127.0.0.1:8080',
  '203.0.113.9',
  '[::1]:8080',
  '[2001:db8::1]',
])('%s is a name of the server, or cannot be made to lead elsewhere', (host) => {
  expect(() => requireOwnHost(host)).not.toThrow();
});

it.each([
  undefined,
  '',
  'evil.example',
  'gateway.example.evil.example',
  'evilgateway.example',
  'sub.gateway.example',
  'localhost.evil.example',
  'evillocalhost',
  '127.0.0.1.evil.example',
  '1.2.3.4.5',
  '[::1].evil.example',
  'gateway.example.',
])('%s is none', (host) => {
  expect(() => requireOwnHost(host)).toThrow(expect.objectContaining({ code: 'host_not_allowed' }));
});

it('a name that is none is told in a form that does no harm', () => {
  const name = `"${'x'.repeat(500)}`;
  const told = JSON.stringify(name.slice(0, 255));
  expect(() => requireOwnHost(name)).toThrow(`and ${told} is none`);
});
