import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { agentSettings } from '../../../src/config/agents.ts';
import { problemsOf, readWithFile } from './helpers.ts';

const key = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
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
    [
      'without instructions',
      'agents: { a: { tools: [] } }',
      'file:1:11: agents.a: expected the key `instructions`',
    ],
    [
      'with a tool that does not exist',
      'agents: { a: { instructions: x, tools: [calculater] } }',
      'file:1:41: agents.a.tools.0: there is no tool of this name; did you mean `calculator`?',
    ],
    [
      'with a tool of a server that does not exist',
      'agents: { a: { instructions: x, tools: [docs/find] } }',
      'agents.a.tools.0: there is no tool of this name',
    ],
    [
      'with an AI feature that does not exist, on its line',
      'agents:\n  a:\n    instructions: x\n    tools: [calculator, features/translte]',
      'file:4:25: agents.a.tools.1: there is no tool of this name; did you mean `features/translate`?',
    ],
    [
      'with the id of one that is built in',
      'agents:\n  assistant: { instructions: x }',
      'file:2:3: agents.assistant: an agent of this name is built in; expected another id.',
    ],
    [
      'with an example that its own schema refuses',
      'agents: { a: { instructions: x, input_schema: { type: object, required: [b], examples: [{ c: 1 }] } } }',
      'agents.a.input_schema.examples.0: ',
    ],
    [
      'with a schema that is none',
      'agents: { a: { instructions: x, input_schema: { type: nonsense } } }',
      'file:1:55: agents.a.input_schema.type: no valid JSON Schema',
    ],
    [
      'with a cap of nothing',
      'agents: { a: { instructions: x, max_steps: 0 } }',
      'agents.a.max_steps: expected a whole number from 1',
    ],
    [
      'with an id of capitals',
      'agents: { A: { instructions: x } }',
      'expected an id of at most 64 lower-case',
    ],
    [
      'with a model that nobody serves',
      'providers: { local: { base_url: "http://localhost:1/v1" } }\nagents: { a: { instructions: x, model: nothing } }',
      'agents.a.model: no model answers to `nothing`',
    ],
    ['with hosts that are none', 'fetch_url: { allow: ["https://a.b"] }', 'expected a host name'],
    [
      'with networks that are none',
      'fetch_url: { allow: [], private_networks: [home] }',
      'expected an address, or a network',
    ],
    [
      'with a server that has no address',
      'mcp_servers: { docs: { url: nowhere } }',
      'mcp_servers.docs.url: expected',
    ],
    [
      'with a header whose variable is not set',
      `mcp_servers: { docs: { url: "https://a.b/mcp", headers: { x: "\${NOT_SET}" } } }`,
      'the environment variable NOT_SET is not set',
    ],
    [
      'with a secret that may go to any authorization server',
      'mcp_servers: { docs: { url: "https://a.b/mcp", oauth: { client_id: a, client_secret: b } } }',
      'mcp_servers.docs.oauth: a `client_secret` needs its `client_id` and the `issuer`',
    ],
    [
      'with credentials that are none',
      'mcp_servers: { docs: { url: "https://a.b/mcp", oauth: { grant: client_credentials } } }',
      'mcp_servers.docs.oauth: the grant `client_credentials` needs a `client_secret`',
    ],
    [
      'with a key that is none',
      oauth({ private_key: 'no key' }),
      'docs.oauth.private_key: this is no private key',
    ],
    [
      'with a key that is short',
      oauth({ private_key: short }),
      'docs.oauth.private_key: this is no private key',
    ],
    [
      'with a key for another algorithm',
      oauth({ private_key: key, algorithm: 'RS256' }),
      'docs.oauth.private_key: this is no private key that signs with the `algorithm`',
    ],
    [
      'with a key and a secret',
      oauth({ private_key: key, client_secret: 'b' }),
      'expected one of `client_secret` and `private_key`',
    ],
    ['with an algorithm alone', oauth({ algorithm: 'RS256' }), '`algorithm` goes with a `private_key` only'],
    [
      'with a program for a server, which nobody has allowed',
      'mcp_servers: { docs: { command: npx } }',
      'mcp_servers.docs: programs are not allowed as servers; expected MCP_COMMANDS to be `on`',
    ],
    [
      'with a server at two places',
      'mcp_servers: { docs: { command: npx, url: "https://a.b/mcp" } }',
      'mcp_servers.docs: expected one of `url` and `command`',
    ],
    [
      'with a program that has headers',
      'mcp_servers: { docs: { command: npx, headers: { a: b } } }',
      'mcp_servers.docs: `headers` does not go with `command`',
    ],
  ])('%s stop the start', async (_, text, expected) => {
    expect(await problemsOf(readWithFile(text))).toEqual([expect.stringContaining(expected)]);
  });
});
