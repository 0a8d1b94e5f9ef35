import { ServiceError } from '../contract/errors.ts';
import type { Principal } from '../contract/registry.ts';
import type { Authenticate } from './security.ts';

const challenge = { 'www-authenticate': 'Bearer realm="switchyard"' };

/**
 * The scheme `bearerAuth`: `Authorization: Bearer <API_KEY>` (RFC 6750 section 2.1).
 * @param verify finds the key's principal, null for a key that is not valid
 */
export function bearerAuth(verify: (key: string) => Promise<Principal | null>): Authenticate {
  return async ({ authorization }) => {
    if (authorization === undefined || authorization === '') {
      const message = 'This operation needs an API key: send it as "Authorization: Bearer <API_KEY>".';
      throw new ServiceError('missing_api_key', message, { headers: challenge });
    }
    const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(String(authorization))?.[1];
    if (key === undefined) {
      const message = 'The Authorization header must have the form "Bearer <API_KEY>".';
      throw new ServiceError('missing_api_key', message, { headers: challenge });
    }
    const principal = await verify(key);
    if (principal) return principal;
    const headers = { 'www-authenticate': `${challenge['www-authenticate']}, error="invalid_token"` };
    throw new ServiceError('invalid_api_key', 'The API key is not valid.', { headers });
  };
}

/** There is no registered scheme for it; the name is the one in common use. */
const headerChallenge = { 'www-authenticate': 'ApiKey realm="switchyard"' };

/** The scheme `apiKeyAuth`: the same keys as `X-API-Key: <API_KEY>`. */
export function apiKeyAuth(verify: (key: string) => Promise<Principal | null>): Authenticate {
  return async (headers) => {
    const key = /^[\x21-\x7e]+$/.exec(String(headers['x-api-key'] ?? '').trim())?.[0];
    if (key === undefined) {
      const message = 'This operation needs an API key: send it as "X-API-Key: <API_KEY>".';
      throw new ServiceError('missing_api_key', message, { headers: headerChallenge });
    }
    const principal = await verify(key);
    if (principal) return principal;
    throw new ServiceError('invalid_api_key', 'The API key is not valid.', { headers: headerChallenge });
  };
}
