import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddress, type TrustedProxies } from '../../../src/http/client-address.ts';
import { isSameOrigin, ownHosts } from '../../../src/http/own-hosts.ts';
import { networkOf } from '../../../src/lib/address.ts';

it('a name that is none is told in a form that does no harm', () => {
  const name = `"${'x'.repeat(500)}`;
  const told = JSON.stringify(name.slice(0, 255));
  expect(() => ownHosts('https://gateway.example', [])(name)).toThrow(`and ${told} is none`);
});

describe('of the same origin', () => {
  const publicUrl = 'https://gateway.example';
  const host = 'gateway.example';

  it.each([
    ['a browser says so', { 'sec-fetch-site': 'same-origin' }, true],
    ['a page of the same site', { 'sec-fetch-site': 'same-site', origin: publicUrl, host }, false],
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: publicUrl, host }, false],
    ['an address that was typed', { 'sec-fetch-site': 'none' }, false],
    ['an older browser, by the origin of the server', { origin: publicUrl, host: 'inner:8080' }, true],
    [
      'an older browser, by the host it asked',
      { origin: 'http://10.0.0.1:8080', host: '10.0.0.1:8080' },
      true,
    ],
    ['another port', { origin: 'http://10.0.0.1:9090', host: '10.0.0.1:8080' }, false],
    ['a name that begins alike', { origin: 'https://gateway.example.evil.example', host }, false],
    ['an origin that is kept secret', { origin: 'null', host }, false],
    ['nothing said', { host }, false],
    ['no host', { origin: 'http://undefined.example' }, false],
  ])('%s', (_, headers, same) => {
    expect(isSameOrigin(headers, publicUrl)).toBe(same);
  });
});

describe('the address of a client', () => {
  function seen(trusted: TrustedProxies, remoteAddress: string, forwarded?: string): string {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return clientAddress(trusted)({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);
  }

  it('tells once of a forwarded address that no setting says to believe', () => {
    const told: string[] = [];
    const request = (forwarded?: string) =>
      ({ socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': forwarded } }) as never;
    const address = clientAddress(0, (message) => told.push(message));
    address(request());
    expect(told).toEqual([]);
    address(request('1.2.3.4'));
    address(request('1.2.3.4'));
    expect(told).toEqual([expect.stringContaining('TRUST_PROXY')]);
    expect(told[0]).not.toContain('1.2.3.4');

    const trusting = clientAddress(1, (message) => told.push(message));
    trusting(request('1.2.3.4'));
    expect(told).toHaveLength(1);
  });

  describe('the client is', () => {
    it.each([
      [
        'the connection, whatever headers say, when no proxy is trusted',
        0,
        '203.0.113.9',
        '1.2.3.4',
        '203.0.113.9',
      ],
      [
        'the last entry behind one proxy, however many were made up',
        1,
        '10.0.0.1',
        '6.6.6.6, 1.2.3.4',
        '1.2.3.4',
      ],
      ['the one before the last behind two', 2, '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
      ['the connection when the proxy says nothing', 1, '10.0.0.1', undefined, '10.0.0.1'],
      ['the connection when the proxy says something broken', 1, '10.0.0.1', '1.2.3.4, garbage', '10.0.0.1'],
      [
        'the first that is no trusted network',
        ['10.0.0.0/8'],
        '10.0.0.1',
        '6.6.6.6, 1.2.3.4, 10.9.9.9',
        '1.2.3.4',
      ],
      ['the connection when it is no trusted network', ['10.0.0.0/8'], '1.1.1.1', '6.6.6.6', '1.1.1.1'],
      [
        'an IPv4 address in IPv6 as what it is',
        ['127.0.0.1/32'],
        '::ffff:127.0.0.1',
        '::ffff:1.2.3.4',
        '1.2.3.4',
      ],
      ['an address without its port', 1, '10.0.0.1', '[2001:db8::5]:4711', '2001:db8::5'],
      ['an IPv4 address without its port', 1, '10.0.0.1', '1.2.3.4:80', '1.2.3.4'],
      ['not what octal and shortened notations may mean', 1, '10.0.0.1', '127.1', '10.0.0.1'],
    ] as const)('%s', (_what, trusted, socket, header, expected) => {
      expect(seen(trusted, socket, header)).toBe(expected);
    });
  });

  it('counts IPv6 by /64, and IPv4 as one address however it is written', () => {
    expect(networkOf('2001:db8:1:2:aaaa::1')).toBe(networkOf('2001:db8:1:2:bbbb::9'));
    expect(networkOf('2001:db8:1:3::1')).not.toBe(networkOf('2001:db8:1:2::1'));
    expect(networkOf('::ffff:1.2.3.4')).toBe('1.2.3.4');
    expect(networkOf('64:ff9b::1.2.3.4')).toBe('1.2.3.4');
    expect(networkOf('1.2.3.5')).not.toBe(networkOf('1.2.3.4'));
  });
});
