/** The types of value that an environment variable can hold. */
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../lib/address.ts';
import { expectedProcessCount, processCount } from '../lib/capacity.ts';
import { Secret } from '../lib/redact.ts';

export interface SettingType<T> {
  /** Completes "expected …". */
  readonly expected: string;
  /** Whether the value is kept out of every message. */
  readonly secret: boolean;
  /** Throws `Misfit` for a text that is not of this type. */
  read(text: string): T;
}

/** The text is not of the type. The message, which may be empty, says why and shows no secret. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** The value that a text stands for; null when it is not of the type. */
export function readOrNull<T>(type: SettingType<T>, text: string): T | null {
  try {
    return type.read(text);
  } catch (error) {
    if (error instanceof Misfit) return null;
    throw error;
  }
}

export function wholeNumber(min: number, max: number, unit = ''): SettingType<number> {
  const expected = `a whole number${unit && ` of ${unit}`} from ${min} to ${max}`;
  return settingType(expected, (text) => {
    const number = Number(text);
    return /^\d+$/.test(text) && number >= min && number <= max ? number : null;
  });
}

/** How many processes a server has. */
export const processes: SettingType<number> = settingType(expectedProcessCount, processCount);

/** A time span in milliseconds of at most a day. */
export function milliseconds(min: 0 | 1): SettingType<number> {
  return wholeNumber(min, 86_400_000, 'milliseconds');
}

const units: Readonly<Record<string, number>> = { MiB: 2 ** 20, GiB: 2 ** 30 };

/** A size of memory, in bytes. */
export function byteSize(min: number): SettingType<number> {
  return settingType(`a size such as ${min / 2 ** 20}MiB (the minimum) or 2GiB`, (text) => {
    const [, number, unit] = /^(\d{1,6})(MiB|GiB)$/.exec(text) ?? [];
    const bytes = Number(number) * (units[unit ?? ''] ?? 0);
    return bytes >= min ? bytes : null;
  });
}

/** An amount in US dollars, with at most four decimals. */
export function dollars(min: number, max: number): SettingType<number> {
  return settingType(`an amount in US dollars from ${min} to ${max}`, (text) => {
    const amount = Number(text);
    return /^\d+(?:\.\d{1,4})?$/.test(text) && amount >= min && amount <= max ? amount : null;
  });
}

export function oneOf<T extends string>(...values: readonly T[]): SettingType<T> {
  return settingType(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text) ?? null);
}

export const hostName = settingType('an IP address or a host name, without a port', (text) =>
  isIPv6(text) || /^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i.test(text) ? text : null,
);

/** Host names separated by commas, in lower case; none for an empty text. */
export const hostNames = settingType(
  'host names separated by commas, without ports',
  (text): readonly string[] | null => {
    const names = text === '' ? [] : text.split(',').map((name) => name.trim().toLowerCase());
    return names.every((name) => readOrNull(hostName, name) !== null) ? names : null;
  },
);

/** A path, made absolute. */
export const path = settingType('a path', (text) => (text.includes('\0') ? null : resolve(text)));

/** A line of text. */
export const line = settingType('1 to 1,000 characters without line ends', (text) =>
  /^[^\r\n]{1,1000}$/.test(text) ? text : null,
);

/** A share of a whole. */
export const share = settingType('a number from 0 to 1', (text) => {
  const value = Number(text);
  return text.trim() !== '' && value >= 0 && value <= 1 ? value : null;
});

/** Names with values, as `name=value,name=value`, which may be credentials. */
export const secretPairs = secretType(
  'pairs such as authorization=Bearer%20token, separated by commas',
  (text) => text.split(',').every((pair) => /^\s*[\w.-]+\s*=/.test(pair)),
);

/** Scheme, host and port of a URL. */
export const origin = settingType('an absolute http or https URL without path and query', (text) => {
  const url = parseHttpUrl(text);
  return url && url.pathname === '/' ? url.origin : null;
});

/** The address of a browser's debugging port, or of the browser behind it. */
export const browserAddress = settingType('an address such as http://browser:9222', (text) =>
  /^(?:http|ws):\/\/[^\s\\?#]+$/.test(text) && URL.canParse(text) ? text : null,
);

/** An address that paths are appended to, without a slash at its end. */
export const baseUrl = settingType('an absolute http or https URL without user name and query', (text) => {
  return parseHttpUrl(text)?.href.replace(/\/+$/, '') ?? null;
});

export const modelName = settingType('a model name: 1 to 256 printable characters without spaces', (text) =>
  /^[\x21-\x7e]{1,256}$/.test(text) ? text : null,
);

/** A vendor's key. It goes into a header, which takes nothing but ASCII. */
export const vendorKey = secretType('printable ASCII characters without spaces', isPrintable);

/** A secret that is too long to guess. */
export function secretText(min: number): SettingType<Secret> {
  return secretType(`at least ${min} characters`, (text) => text.length >= min);
}

/** A secret of one's own that is sent as a Bearer token (RFC 6750 section 2.1 allows fewer characters still). */
export function tokenText(min: number): SettingType<Secret> {
  return secretType(
    `at least ${min} printable ASCII characters without spaces`,
    (text) => text.length >= min && isPrintable(text),
  );
}

/** The address of a PostgreSQL database. It holds a password. */
export const databaseUrl = secretType(
  'an address of the form postgres://user:password@host:port/database',
  (text) => /^postgres(?:ql)?:\/\/[^\s/]+\/[^\s/]+$/.test(text),
);

/** As `NO_PROXY` has them: https://curl.se/libcurl/c/CURLOPT_NOPROXY.html */
export const hostList = settingType('hosts separated by commas, or `*`', (text) =>
  /^[\w.:*[\]/, -]*$/.test(text) ? text : null,
);

/** The address of a proxy. It may hold a password. */
export const proxyUrl = secretType(
  'an address of the form http://user:password@host:port, or https://',
  (text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
  },
);

/** The address of a Redis or Valkey server. It may hold a password. */
export const redisUrl = secretType(
  'an address of the form redis://user:password@host:port/database, or rediss:// for TLS',
  (text) => /^rediss?:\/\/[^\s/]+(?:\/\d{0,4})?$/.test(text) && URL.canParse(text),
);

/** The address of a table of ClickHouse. It may hold a password. */
export const clickHouseUrl = secretType(
  'an address of the form https://user:password@host:port/database?table=name, with letters, digits and _ in both names',
  (text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol) || !/^\/\w*$/.test(url.pathname)) return false;
    return /^(\?table=\w+)?$/.test(url.search) && url.hash === '';
  },
);

const minKeyLength = 16;

/** Keys separated by commas; none for an empty text. */
export const apiKeys: SettingType<readonly Secret[]> = {
  expected: `keys separated by commas, each of at least ${minKeyLength} printable ASCII characters without spaces`,
  secret: true,
  read(text) {
    const keys = text === '' ? [] : text.split(',').map((key) => key.trim());
    for (const [index, key] of keys.entries()) {
      const name = `key ${index + 1} of ${keys.length}`;
      const twin = keys.indexOf(key);
      if (key === '') throw new Misfit(`${name} is empty`);
      if (!isPrintable(key)) throw new Misfit(`${name} has a character that is not allowed`);
      if (key.length < minKeyLength) throw new Misfit(`${name} has only ${key.length} characters`);
      if (twin < index) throw new Misfit(`${name} is the same as key ${twin + 1}`);
    }
    return keys.map((key) => new Secret(key));
  },
};

/** How many proxies stand before the server, or their networks. */
export const trustedProxies = settingType(
  'a number of proxies from 0 to 10, or networks such as 10.0.0.0/8, 127.0.0.1 separated by commas',
  (text): number | readonly string[] | null => {
    if (/^\d+$/.test(text)) return Number(text) <= 10 ? Number(text) : null;
    const networks = text.split(',').map((part) => withPrefix(part.trim()));
    return networks.every((network) => ipaddr.isValidCIDR(network)) ? networks : null;
  },
);

/** An address as a network of one. */
function withPrefix(text: string): string {
  if (text.includes('/')) return text;
  return ipaddr.IPv6.isValid(text) ? `${text}/128` : `${text}/32`;
}

/** A domain, with or without the asterisk that stands for its subdomains. */
export const wildcardDomain = settingType('a domain such as preview.example.net', (text) => {
  const domain = text.replace(/^\*\./, '').toLowerCase();
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z][a-z0-9-]*[a-z0-9]$/.test(domain) ? domain : null;
});

function settingType<T>(expected: string, read: (text: string) => T | null): SettingType<T> {
  return {
    expected,
    secret: false,
    read(text) {
      const value = read(text);
      if (value === null) throw new Misfit();
      return value;
    },
  };
}

function secretType(expected: string, fits: (text: string) => boolean): SettingType<Secret> {
  const type = settingType(expected, (text) => (fits(text) ? new Secret(text) : null));
  return { ...type, secret: true };
}

/** Whether a text can stand in a header as it is, in one piece. */
function isPrintable(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** An absolute http or https URL that holds neither credentials nor query nor fragment; null for anything else. */
export function parseHttpUrl(text: string): URL | null {
  // The parser forgives `http:host`, backslashes and blanks; people who read the setting do not.
  if (!/^https?:\/\/[^\s\\?#]+$/i.test(text)) return null;
  const url = URL.parse(text);
  return url && url.username + url.password === '' ? url : null;
}

/** The address of a server on this machine, as a client on this machine reaches it. */
export function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether a text is the address of an issuer: without TLS it must be on this machine, as other machines could not be trusted. */
export function isIssuer(text: string): boolean {
  const url = parseHttpUrl(text);
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
}
