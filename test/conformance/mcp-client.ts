/**
 * This server's client of MCP, driven through one scenario of MCP's conformance package, which starts it:
 * `node test/conformance/mcp-client.ts <address of a server>`. Whoever has to allow an access does so at once.
 */
import type { McpServerSettings } from '../../src/services/agents/settings.ts';
import { mcpSource } from '../../src/services/agents/tools/mcp.ts';
import { McpAuthorization } from '../../src/services/agents/tools/mcp-oauth.ts';

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const {
  client_id: clientId = null,
  client_secret: clientSecret = null,
  private_key_pem: key,
  signing_algorithm: algorithm = null,
} = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
};

const settings: McpServerSettings = {
  id: 'judged',
  url,
  headers: {},
  tools: null,
  timeoutMs: 10_000,
  ...(scenario.startsWith('auth/') && {
    oauth: {
      grant: scenario.includes('client-credentials') ? 'client_credentials' : 'authorization_code',
      clientId,
      clientSecret,
      ...(key !== undefined && { clientKey: { key, keyId: null, algorithm } }),
      issuer: null,
      scope: null,
      privateNetworks: ['127.0.0.0/8', '::1/128'],
    },
  }),
};
const authorization = settings.oauth ? new McpAuthorization(settings) : null;
const source = mcpSource(settings, (error) => console.error(error), { authorization });

/** Allows the access, as an owner does in the admin area. */
async function allow(by: McpAuthorization): Promise<void> {
  const callback = 'http://127.0.0.1:8080/admin/mcp/callback';
  const page = await by.begin(callback, 'session', Date.now());
  const { headers } = await fetch(page, { redirect: 'manual' });
  const back = new URL(headers.get('location') ?? callback);
  await by.finish(back.searchParams, callback, 'session', Date.now());
  source.retry();
}

await source.refresh();
if (authorization?.byPerson && source.failure !== null) {
  await allow(authorization);
  await source.refresh();
}
if (source.failure !== null) console.error(`The server ${source.failure}.`);
for (const tool of source.tools()) {
  const args = Buffer.from(JSON.stringify('a' in (tool.inputSchema.properties ?? {}) ? { a: 5, b: 3 } : {}));
  const call = () => source.passTool(tool, args, { signal: new AbortController().signal });
  const passed = await call().catch(async (error: unknown) => {
    // Once: a server that is never content is not asked for ever.
    if (!authorization?.byPerson || (await authorization.state()).missing === null) throw error;
    await allow(authorization);
    return call();
  });
  console.log(tool.name, String(passed.json));
}
await source.close();
