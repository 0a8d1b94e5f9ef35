import type { OperationInfo } from '../../generated/operations.gen.ts';
import { ServiceError, toServiceError } from '../contract/errors.ts';
import type { Principal } from '../contract/registry.ts';

/** The headers of a request, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Finds out who calls, by one of the contract's security schemes. Throws `ServiceError` (401) for a caller that it does
 * not accept; anything else that it throws is a failure of ours and never looks like bad credentials.
 */
export type Authenticate = (headers: RequestHeaders, call: Call) => Promise<Principal>;

/** What else of a request its security may depend on. */
export interface Call {
  readonly method: string;
  /** What stands after the `?` of its address. */
  readonly query: string;
  /** The client's address. */
  readonly client: string;
  /** The other end of the connection, whatever headers say; undefined once it is closed. */
  readonly remoteAddress: string | undefined;
}

/** What has become of one security scheme. openapi-backend takes anything with an `error` for a failure. */
export type SchemeResult = { readonly principal: Principal } | { readonly error: ServiceError };

/** Runs a scheme. Never rejects: openapi-backend would keep no more of what was thrown than that there was something. */
export function schemeResult(
  authenticate: Authenticate,
  headers: RequestHeaders,
  call: Call,
): Promise<SchemeResult> {
  return authenticate(headers, call).then(
    (principal) => ({ principal }),
    (thrown: unknown) => ({ error: toServiceError(thrown) }),
  );
}

/** Who calls, by the schemes of an operation; null: it is public. */
export function accepted(results: readonly SchemeResult[]): Principal | null {
  const found = results.find((result) => 'principal' in result);
  return found?.principal ?? null;
}

/** Of several failed schemes, the one worth telling: our own failure first, then a wrong key, then a missing one. */
export function refusal(results: readonly SchemeResult[]): ServiceError {
  const errors = results.flatMap((result) => ('error' in result ? [result.error] : []));
  const failure = errors.find((error) => error.info.status !== 401);
  const wrong = errors.find(({ code }) => code !== 'missing_api_key' && code !== 'missing_credentials');
  const found = failure ?? wrong ?? errors[0];
  return found ?? new ServiceError('internal_error', 'The server failed to authenticate the request.');
}

/**
 * What throws `ServiceError` (403) for a caller without a scope that an operation needs; null is anybody, of a public one.
 * openapi-backend checks none.
 */
export function scopesOf(security: OperationInfo['security']): (principal: Principal | null) => void {
  const alternatives = security.map((requirement) => Object.values(requirement).flat());
  const isForAdmins = security.some((requirement) => 'adminSession' in requirement);
  return (principal) => {
    if (principal === null) return;
    for (const scopes of alternatives) if (scopes.every((scope) => principal.scopes.has(scope))) return;
    const missing = alternatives[0]?.find((scope) => !principal.scopes.has(scope));
    const message = isForAdmins
      ? `This operation needs the right "${missing}", which your role does not give.`
      : `This operation needs the scope "${missing}", which the API key does not hold.`;
    throw new ServiceError('insufficient_scope', message);
  };
}
