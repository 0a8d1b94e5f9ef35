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
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-site', origin: publicUrl, host }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: publicUrl, host }, false],
    [{ 'sec-fetch-site': 'none' }, false], // An address that was typed.
    [{ origin: publicUrl, host: 'inner:8080' }, true], // Older browsers say only this.
    [{ origin: 'http://10.0.0.1:8080', host: '10.0.0.1:8080' }, true],
    [{ origin: 'http://10.0.0.1:9090', host: '10.0.0.1:8080' }, false],
    [{ origin: 'https://gateway.example.evil.example', host }, false],
    [{ origin: 'null', host }, false],
    [{ host }, false],
    [{ origin: 'http://undefined.example' }, false],
  ])('%j: %s', (headers, same) => {
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
      [0, '203.0.113.9', '1.2.3.4', '203.0.113.9'], // No proxy is trusted, whatever headers say.
      [1, '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'], // However many were made up.
      [2, '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
      [1, '10.0.0.1', undefined, '10.0.0.1'],
      [1, '10.0.0.1', '1.2.3.4, garbage', '10.0.0.1'],
      [['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', '1.2.3.4'],
      [['10.0.0.0/8'], '1.1.1.1', '6.6.6.6', '1.1.1.1'],
      [['127.0.0.1/32'], '::ffff:127.0.0.1', '::ffff:1.2.3.4', '1.2.3.4'],
      [1, '10.0.0.1', '[2001:db8::5]:4711', '2001:db8::5'],
      [1, '10.0.0.1', '1.2.3.4:80', '1.2.3.4'],
      [1, '10.0.0.1', '127.1', '10.0.0.1'], // Not what shortened notations may mean.
    ] as const)('behind %j, from %s with %s: %s', (trusted, socket, header, expected) => {
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
