/**
 * Has MCP's own conformance package judge the server, with a server behind it that has what the scenarios ask for, and its client
 * (`mcp-client.ts`). Fails where another scenario than those of `known-mcp.json` fails, or one of these passes.
 *
 * Usage: node test/conformance/mcp.ts, after `node test/lib/install.ts conformance`
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  type CallToolResult,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { startApp, testKey } from '../helpers/app.ts';
import { startMcpSessions } from '../helpers/mcp-server.ts';

const folder = import.meta.dirname;
const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (words: string) => ({ type: 'text' as const, text: words });
const picture = { type: 'image' as const, data: image, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});
const withFields = (...names: string[]) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }])),
    required: names,
  });

/** What the scenarios ask for, by the names that they know. */
function register(server: McpServer): void {
  const inputSchema = withFields();
  const tool = (name: string, ...content: CallToolResult['content']) =>
    server.registerTool(name, { description: name, inputSchema }, async () => ({ content }));
  tool('test_simple_text', text('This is a simple text response for testing.'));
  tool('test_image_content', picture);
  tool('test_audio_content', { type: 'audio', data: sound, mimeType: 'audio/wav' });
  tool('test_embedded_resource', resource('test://embedded', 'text/plain', 'An embedded resource.'));
  tool(
    'test_multiple_content_types',
    text('Several kinds:'),
    picture,
    resource('test://mixed', 'application/json', '{"test":"data"}'),
  );
  server.registerTool('test_error_handling', { description: 'Fails.', inputSchema }, async () => ({
    content: [text('This tool fails.')],
    isError: true,
  }));
  server.registerTool('test_tool_with_progress', { description: 'Slow.', inputSchema }, async (_, given) => {
    const { notify, _meta } = given.mcpReq;
    const progressToken = _meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100])
      await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return { content: [text('Done.')] };
  });

  server.registerResource(
    'text',
    'test://static-text',
    { mimeType: 'text/plain' },
    async ({ href: uri }) => ({
      contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }),
  );
  server.registerResource(
    'binary',
    'test://static-binary',
    { mimeType: 'image/png' },
    async ({ href: uri }) => ({
      contents: [{ uri, mimeType: 'image/png', blob: image }],
    }),
  );
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, async ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
  }));

  const said = (...contents: (ReturnType<typeof text> | typeof picture | ReturnType<typeof resource>)[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'Says something.' }, () =>
    said(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Repeats what it is given.', argsSchema: withFields('arg1', 'arg2') },
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Repeats what it is given.', argsSchema: withFields('resourceUri') },
    ({ resourceUri = '' }) => said(resource(resourceUri, 'text/plain', 'Embedded.'), text('Read it.')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows a picture.' }, () =>
    said(picture, text('Look at it.')),
  );
  server.server.registerCapabilities({ completions: {} });
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
}

/** The package sends no key. */
async function startKeyed(port: number) {
  const server = createServer((from, to) => {
    const { method, url, headers } = from;
    const asked = request({
      host: '127.0.0.1',
      port,
      method,
      path: url,
      headers: { ...headers, authorization: `Bearer ${testKey}` },
    });
    asked.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    asked.on('error', () => to.destroy());
    from.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

async function judged(...args: readonly string[]): Promise<string> {
  const program = path.join(folder, 'node_modules/.bin/conformance');
  const judge = spawn(process.execPath, [program, ...args]);
  let said = '';
  for (const stream of [judge.stdout, judge.stderr])
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  await new Promise((resolve) => judge.on('close', resolve));
  return said;
}

const behind = await startMcpSessions(register);
const lab = { id: 'lab', url: behind.url, headers: {}, tools: null, timeoutMs: 10_000 };
const app = await startApp({ agents: { mcpServers: [lab] } });
const keyed = await startKeyed(app.port);
const ofServer = await judged('server', '--url', `http://127.0.0.1:${keyed.port}/mcp/lab`);
keyed.close();
await app.close();
await behind.close();
const client = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  path.join(folder, 'mcp-client.ts'),
];
const [, listed = ''] = (await judged('list')).split('Client scenarios');
const ofClient: string[] = [];
// One after the other: all at once they keep a machine busy for longer than they wait.
for (const [, name = ''] of listed.matchAll(/^ +- (\S+) /gmu)) {
  const told = await judged('client', '--scenario', name, '--command', client.join(' '));
  const [, passed = '0', failed = '1'] = /^Passed: (\d+)\/\d+, (\d+) failed/mu.exec(told) ?? [];
  ofClient.push(`${failed === '0' ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed`);
}

const known = JSON.parse(readFileSync(path.join(folder, 'known-mcp.json'), 'utf8')) as Record<string, string>;
const said = [ofServer.slice(ofServer.indexOf('=== SUMMARY')), ...ofClient].join('\n');
// A warning is no failure.
const results = [...said.matchAll(/^[✓✗] ([\w/.-]+): \d+ passed, (\d+) failed/gmu)];
const failed = results.filter(([, , count]) => count !== '0').map(([, name = '']) => name);
const news = failed.filter((name) => !(name in known));
const mended = Object.keys(known).filter((name) => !failed.includes(name));
console.log(said);
if (results.length < 50 || news.length > 0 || mended.length > 0) {
  console.error(
    `${results.length} scenarios; fail and are not known: ${news}; known and do not fail: ${mended}`,
  );
  process.exitCode = 1;
}
