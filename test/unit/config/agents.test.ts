import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { agentSettings } from '../../../src/config/agents.ts';
import { problemsOf, readWithFile } from './helpers.ts';

const key = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
const agent = (members: string) => `agents: { a: { instructions: x, ${members} } }`;
const docs = (members: string) => `mcp_servers: { docs: { ${members} } }`;
const oauth = (members: object) =>
  `mcp_servers: { docs: { url: "https://a.b/mcp", oauth: ${JSON.stringify({ client_id: 'a', issuer: 'https://b.c', ...members })} } }`;

describe('agents in the file', () => {
  test('are read, with what holds by default', async () => {
    const config = await readWithFile(
      `
agents:
  support:
    instructions: You serve {{company}}.
    tools: [calculator, docs/search, docs/*, features/*]
    max_steps: 3
    input_schema: { type: object, properties: { city: { type: string } } }
fetch_url:
  allow: [example.com, '*.example.org', 'localhost:8080']
  private_networks: [10.0.0.0/8, '::1']
mcp_servers:
  docs:
    url: https://docs.example.com/mcp
    headers: { authorization: 'Bearer \${DOCS_TOKEN}' }
    oauth: { client_id: a, issuer: https://b.c, private_key: '\${DOCS_KEY}', key_id: k1 }
mcp_access:
  readers: { tags: { team: docs }, deny: ['docs/delete_*'] }
`,
      { DOCS_TOKEN: 'canary', DOCS_KEY: key },
    );
    const settings = agentSettings(config);
    expect(settings.agents).toMatchObject([
      { id: 'support', name: 'support', model: null, maxSteps: 3, maxTokens: 60_000, maxSeconds: 120 },
    ]);
    expect(settings.fetchUrl).toEqual({
      allow: ['example.com', '*.example.org', 'localhost:8080'],
      privateNetworks: ['10.0.0.0/8', '::1'],
    });
    expect(settings.mcpServers).toEqual([
      {
        id: 'docs',
        url: 'https://docs.example.com/mcp',
        headers: { authorization: 'Bearer canary' },
        tools: null,
        timeoutMs: 15_000,
        oauth: {
          grant: 'client_credentials',
          clientId: 'a',
          clientSecret: null,
          clientKey: { key, keyId: 'k1', algorithm: null },
          issuer: 'https://b.c',
          scope: null,
          privateNetworks: [],
        },
      },
    ]);
    expect(settings.mcpAccess).toEqual([
      {
        id: 'readers',
        keys: null,
        tenants: null,
        plans: null,
        tags: { team: 'docs' },
        allow: ['*'],
        deny: ['docs/delete_*'],
      },
    ]);
    expect(JSON.stringify(config)).not.toMatch(/canary|"d"|PRIVATE/);
  });

  test('are none by default, and no page can be fetched', async () => {
    expect(agentSettings(await readWithFile(''))).toEqual({
      agents: [],
      fetchUrl: null,
      mcpServers: [],
      mcpAccess: [],
    });
  });

  test.each([
    ['agents: { a: { tools: [] } }', 'file:1:11: agents.a: expected the key `instructions`'],
    [
      agent('tools: [calculater]'),
      'file:1:41: agents.a.tools.0: there is no tool of this name; did you mean `calculator`?',
    ],
    [agent('tools: [docs/find]'), 'agents.a.tools.0: there is no tool of this name'],
    [
      'agents:\n  a:\n    instructions: x\n    tools: [calculator, features/translte]',
      'file:4:25: agents.a.tools.1: there is no tool of this name; did you mean `features/translate`?',
    ],
    [
      'agents:\n  assistant: { instructions: x }',
      'file:2:3: agents.assistant: an agent of this name is built in; expected another id.',
    ],
    [
      agent('input_schema: { type: object, required: [b], examples: [{ c: 1 }] }'),
      'agents.a.input_schema.examples.0: ',
    ],
    [
      agent('input_schema: { type: nonsense }'),
      'file:1:55: agents.a.input_schema.type: no valid JSON Schema',
    ],
    [agent('max_steps: 0'), 'agents.a.max_steps: expected a whole number from 1'],
    ['agents: { A: { instructions: x } }', 'expected an id of at most 64 lower-case'],
    [
      'providers: { local: { base_url: "http://localhost:1/v1" } }\nagents: { a: { instructions: x, model: nothing } }',
      'agents.a.model: no model answers to `nothing`',
    ],
    ['fetch_url: { allow: ["https://a.b"] }', 'expected a host name'],
    ['fetch_url: { allow: [], private_networks: [home] }', 'expected an address, or a network'],
    [docs('url: nowhere'), 'mcp_servers.docs.url: expected'],
    [
      `mcp_servers: { docs: { url: "https://a.b/mcp", headers: { x: "\${NOT_SET}" } } }`,
      'the environment variable NOT_SET is not set',
    ],
    [
      docs('url: "https://a.b/mcp", oauth: { client_id: a, client_secret: b }'),
      'mcp_servers.docs.oauth: a `client_secret` needs its `client_id` and the `issuer`',
    ],
    [
      docs('url: "https://a.b/mcp", oauth: { grant: client_credentials }'),
      'mcp_servers.docs.oauth: the grant `client_credentials` needs a `client_secret`',
    ],
    [oauth({ private_key: 'no key' }), 'docs.oauth.private_key: this is no private key'],
    [oauth({ private_key: short }), 'docs.oauth.private_key: this is no private key'],
    [
      oauth({ private_key: key, algorithm: 'RS256' }),
      'docs.oauth.private_key: this is no private key that signs with the `algorithm`',
    ],
    [oauth({ private_key: key, client_secret: 'b' }), 'expected one of `client_secret` and `private_key`'],
    [oauth({ algorithm: 'RS256' }), '`algorithm` goes with a `private_key` only'],
    [
      docs('command: npx'),
      'mcp_servers.docs: programs are not allowed as servers; expected MCP_COMMANDS to be `on`',
    ],
    [docs('command: npx, url: "https://a.b/mcp"'), 'mcp_servers.docs: expected one of `url` and `command`'],
    [docs('command: npx, headers: { a: b }'), 'mcp_servers.docs: `headers` does not go with `command`'],
  ])('stop the start with %j: %s', async (text, expected) => {
    expect(await problemsOf(readWithFile(text))).toEqual([expect.stringContaining(expected)]);
  });
});
