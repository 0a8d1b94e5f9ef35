import { ServiceError } from '../contract/errors.ts';
import type { Principal } from '../contract/registry.ts';
import type { Authenticate } from './dispatcher.ts';

const challenge = { 'www-authenticate': 'Bearer realm="switchyard"' };

/** Tells a newcomer without a good key where keys come from. It is the same for every key, known once or never. */
const howToGetKey =
  'The operator of this server makes keys with "npm run switchyard -- keys create" or in the admin area; where sign-ups are ' +
  'open, ask for one at /factory/signup.';
const notValid = `The API key is not valid: it is not known, has expired or was revoked, or its tenant is suspended. ${howToGetKey}`;

/** Whether a header holds what may be a key. An operation that reads it has judged that key by then. */
const holdsKey = (header: unknown) => /^(?:Bearer +)?[\x21-\x7e]+ *$/i.test(String(header ?? ''));

/**
 * The scheme `bearerAuth`: `Authorization: Bearer <API_KEY>` (RFC 6750 section 2.1).
 * @param verify finds the key's principal, null for a key that is not valid
 */
export function bearerAuth(verify: (key: string) => Promise<Principal | null>): Authenticate {
  const missing = missingKey('send it as "Authorization: Bearer <API_KEY>"', challenge);
  const elsewhere = missingKey('send it as "Authorization: Bearer <API_KEY>", not as "X-API-Key"', challenge);
  return async ({ authorization, 'x-api-key': other }) => {
    if (authorization === undefined || authorization === '') return holdsKey(other) ? elsewhere : missing;
    const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(String(authorization))?.[1];
    if (key === undefined) {
      const message = 'The Authorization header must have the form "Bearer <API_KEY>".';
      throw new ServiceError('missing_api_key', message, { headers: challenge });
    }
    const principal = await verify(key);
    if (principal) return principal;
    const headers = { 'www-authenticate': `${challenge['www-authenticate']}, error="invalid_token"` };
    throw new ServiceError('invalid_api_key', notValid, { headers });
  };
}

/** There is no registered scheme for it; the name is the one in common use. */
const headerChallenge = { 'www-authenticate': 'ApiKey realm="switchyard"' };

/**
 * A scheme by which the same keys come in a header of their own: `X-API-Key`, Azure's `api-key`, Google's `x-goog-api-key`.
 * @param header as the contract writes it
 */
export function apiKeyAuth(
  verify: (key: string) => Promise<Principal | null>,
  header = 'X-API-Key',
): Authenticate {
  const name = header.toLowerCase();
  const missing = missingKey(`send it as "${header}: <API_KEY>"`);
  const elsewhere = missingKey(`send it as "${header}: <API_KEY>", not as "Authorization"`);
  return (headers) => {
    const given = String(headers[name] ?? '');
    return verified(verify, given, given === '' && holdsKey(headers['authorization']) ? elsewhere : missing);
  };
}

/** The scheme `keyInQuery`: the same keys as `?key=<API_KEY>`, for clients that know no other way. */
export function queryAuth(verify: (key: string) => Promise<Principal | null>): Authenticate {
  const missing = missingKey('send it as "Authorization: Bearer <API_KEY>"');
  return (_, { query }) => {
    const given = query.includes('key=') ? new URLSearchParams(query).get('key') : null;
    return verified(verify, given ?? '', missing);
  };
}

/** Made once: where one of several ways will do, the others fail at each request. */
function missingKey(
  how: string,
  headers: Readonly<Record<string, string>> = headerChallenge,
): Promise<never> {
  const message = `This operation needs an API key: ${how}. ${howToGetKey}`;
  const rejected = Promise.reject(new ServiceError('missing_api_key', message, { headers }));
  rejected.catch(() => undefined);
  return rejected;
}

async function verified(
  verify: (key: string) => Promise<Principal | null>,
  given: string,
  missing: Promise<never>,
): Promise<Principal> {
  const key = /^[\x21-\x7e]+$/.exec(given.trim())?.[0];
  if (key === undefined) return missing;
  const principal = await verify(key);
  if (principal) return principal;
  throw new ServiceError('invalid_api_key', notValid, { headers: headerChallenge });
}
