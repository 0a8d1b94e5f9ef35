import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../contract/errors.ts';

/**
 * Headers that a request has at most once (RFC 9110 section 5.3). Node keeps the first of some and joins others; which one
 * a proxy before the server has looked at, nobody knows.
 */
const single = [
  'host',
  'origin',
  'x-api-key',
  'content-type',
  'x-csrf-token',
  'authorization',
  'idempotency-key',
];
const lengths = new Set(single.map((name) => name.length));

/**
 * Refuses what HTTP forbids in the head of a request and Node lets pass, and brings an absolute target into the usual
 * form, so that everything behind sees a path. Throws `ServiceError('malformed_request')`, after which the connection is
 * closed: the two ends may not agree where the next request begins.
 */
export function checkHead(req: IncomingMessage): void {
  const hosts = countHosts(req.rawHeaders);
  if (hosts !== 1 && !(hosts === 0 && req.httpVersion === '1.0')) {
    throw malformed('A request has exactly one Host header.');
  }
  requireKnownFraming(req);
  if (req.url?.charCodeAt(0) !== slash) req.url = pathOf(req);
}

const slash = 0x2f;

/** How many `Host` headers there are. Throws for another header that is there twice. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (!lengths.has(given.length)) continue;
    const found = single.indexOf(given.toLowerCase());
    if (found === 0) hosts += 1;
    else if (found > 0) {
      if (seen & (1 << found)) throw malformed(`A request has at most one ${single[found]} header.`);
      seen |= 1 << found;
    }
  }
  return hosts;
}

/** Bodies come in chunks, or with their length (RFC 9112 section 6.1). */
function requireKnownFraming({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) {
    throw malformed('The only Transfer-Encoding is "chunked", from HTTP/1.1 on.');
  }
  // A sender must not name it (RFC 9110 section 10.1.4); one that does has mistaken the header for the other.
  if (headers['te'] !== undefined && /(?:^|[\s,])chunked(?:$|[\s,;])/i.test(String(headers['te']))) {
    throw malformed('The TE header does not name "chunked".');
  }
}

/**
 * The path of a target in absolute form, which names the host that `Host` names (RFC 9112 section 3.2.2). `*` is for
 * OPTIONS alone.
 */
function pathOf({ url = '', method, headers }: IncomingMessage): string {
  if (url === '*' && method === 'OPTIONS') return url;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== headers.host?.toLowerCase()) {
    throw malformed('The target of a request is a path, or a URL of the host that the Host header names.');
  }
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function malformed(message: string): ServiceError {
  return new ServiceError('malformed_request', message, { headers: { connection: 'close' } });
}
