import { expect, it } from 'vitest';
import { isSameOrigin } from '../../../src/http/own-hosts.ts';

const publicUrl = 'https://gateway.example';
const host = 'gateway.example';

it.each([
  ['a browser says so', { 'sec-fetch-site': 'same-origin' }, true],
  ['a page of the same site', { 'sec-fetch-site': 'same-site', origin: publicUrl, host }, false],
  ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: publicUrl, host }, false],
  ['an address that was typed', { 'sec-fetch-site': 'none' }, false],
  ['an older browser, by the origin of the server', { origin: publicUrl, host: 'inner:8080' }, true],
  ['an older browser, by the host it asked', { origin: 'http://10.0.0.1:8080', host: '10.0.0.1:8080' }, true],
  ['another port', { origin: 'http://10.0.0.1:9090', host: '10.0.0.1:8080' }, false],
  ['a name that begins alike', { origin: 'https://gateway.example.evil.example', host }, false],
  ['an origin that is kept secret', { origin: 'null', host }, false],
  ['nothing said', { host }, false],
  ['no host', { origin: 'http://undefined.example' }, false],
])('%s', (_, headers, same) => {
  expect(isSameOrigin(headers, publicUrl)).toBe(same);
});
