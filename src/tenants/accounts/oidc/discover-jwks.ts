/**
 * Where an issuer says that its keys are (OpenID Connect Discovery 1.0, section 4). Throws what says why it is not known.
 * @param timeoutMs how long it may take over saying so, in milliseconds
 */
export async function discoveredJwksUrl(issuer: string, timeoutMs: number): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (!reply.ok) throw new Error(`the discovery document was answered with ${reply.status}`);
  const found = (await reply.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (found.issuer !== issuer) throw new Error('the discovery document is of another issuer');
  const secure = typeof found.jwks_uri === 'string' && URL.parse(found.jwks_uri)?.protocol;
  if (secure === 'https:' || (secure === 'http:' && issuer.startsWith('http:')))
    return String(found.jwks_uri);
  throw new Error('the discovery document names no keys');
}
