import { createHash } from 'node:crypto';
import { serve, startMcpServer } from './mcp-server.ts';

/** An MCP server that wants tokens, and the authorization server that gives them, on ports of their own. */
export async function startGuardedMcp({ registers = true } = {}) {
  const behind = await startMcpServer();
  const good = new Set<string>();
  const refreshable = new Set<string>();
  const codes = new Map<string, { challenge: string; redirect: string }>();
  /** What came to the token endpoint, without secrets of the client. */
  const grants: { grant: string; client: string; resource: string | null; scope: string | null }[] = [];
  let made = 0;
  const tokens = (refresh: boolean) => {
    made += 1;
    good.add(`access-${made}`);
    if (refresh) refreshable.add(`refresh-${made}`);
    return Response.json({
      access_token: `access-${made}`,
      token_type: 'Bearer',
      expires_in: 3600,
      ...(refresh && { refresh_token: `refresh-${made}` }),
    });
  };
  const refusal = (error: string) => Response.json({ error }, { status: 400 });

  const issuer = await serve(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    if (pathname.startsWith('/.well-known/'))
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        ...(registers && { registration_endpoint: `${origin}/register` }),
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
    if (pathname === '/register')
      return Response.json(
        { ...((await request.json()) as object), client_id: 'registered' },
        { status: 201 },
      );
    if (pathname === '/authorize') {
      const redirect = searchParams.get('redirect_uri') ?? '';
      const code = crypto.randomUUID();
      codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirect });
      const to = new URL(redirect);
      to.search = String(new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: origin }));
      return new Response(null, { status: 302, headers: { location: to.href } });
    }
    const form = new URLSearchParams(await request.text());
    const grant = form.get('grant_type') ?? '';
    const basic = request.headers.get('authorization')?.split(' ')[1];
    const client = basic ? Buffer.from(basic, 'base64').toString() : (form.get('client_id') ?? '');
    grants.push({ grant, client, resource: form.get('resource'), scope: form.get('scope') });
    if (grant === 'client_credentials')
      return client === 'robot:s3cret' ? tokens(false) : refusal('invalid_client');
    if (grant === 'refresh_token')
      return refreshable.delete(form.get('refresh_token') ?? '') ? tokens(true) : refusal('invalid_grant');
    const begun = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const digest = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = begun?.challenge === digest && begun.redirect === form.get('redirect_uri');
    return fits ? tokens(true) : refusal('invalid_grant');
  });
  const issuerUrl = new URL(issuer.url).origin;

  const server = await serve(async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname.startsWith('/.well-known/'))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [issuerUrl] });
    const [, token = ''] = request.headers.get('authorization')?.split(' ') ?? [];
    if (good.has(token)) return fetch(behind.url, request);
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    const headers = { 'www-authenticate': `Bearer resource_metadata="${metadata}"` };
    return new Response(null, { status: 401, headers });
  });
  return {
    url: server.url,
    issuer: issuerUrl,
    grants,
    /** Takes all access tokens back; `refresh` also what gets others. */
    revoke({ refresh = false } = {}) {
      good.clear();
      if (refresh) refreshable.clear();
    },
    async close() {
      await Promise.all([server, issuer, behind].map((one) => one.close()));
    },
  };
}
