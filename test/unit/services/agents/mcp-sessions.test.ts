import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallToolResult, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { McpServerSettings } from '../../../../src/services/agents/settings.ts';
import { mcpSource } from '../../../../src/services/agents/tools/mcp.ts';
import { ToolError } from '../../../../src/services/agents/tools/tool.ts';
import { toolContext } from '../../../helpers/agents.ts';
import { startMcpSessions } from '../../../helpers/mcp-server.ts';

const hello = { content: [{ type: 'text', text: 'Hello.' }] } satisfies CallToolResult;

function tool(
  server: McpServer,
  name: string,
  give: () => CallToolResult | Promise<CallToolResult> = () => hello,
) {
  server.registerTool(name, { description: name, inputSchema: fromJsonSchema({ type: 'object' }) }, give);
}

/** A server with sessions, and the source of its tools, with a clock that stands. */
async function connected(
  register: (server: McpServer) => void,
  timeoutMs = 5000,
  more: Partial<McpServerSettings> = {},
) {
  const server = await startMcpSessions(register);
  onTestFinished(() => server.close());
  let time = 0;
  const errors: unknown[] = [];
  const source = mcpSource(
    { id: 's', url: server.url, headers: {}, tools: null, timeoutMs, ...more },
    (error) => errors.push(error),
    { now: () => time },
  );
  onTestFinished(() => source.close());
  await source.refresh();
  const call = async (name: string) => {
    const found = source.list().find((candidate) => candidate.ownName === name);
    if (!found) throw new Error(`There is no tool ${name}.`);
    return await found.run({}, toolContext());
  };
  const names = () => source.list().map(({ ownName }) => ownName);
  const count = (method: string) => server.seen.filter((seen) => seen === method).length;
  const later = (ms: number) => {
    time += ms;
  };
  return { server, source, call, names, count, later, errors };
}

describe('a server that has forgotten its sessions', () => {
  test.each([
    ['as the specification has it', [404, -32001, 'Session not found']],
    ['as others do', [400, -32000, 'Bad Request: No valid session ID provided']],
  ] as const)('is given the call once more in another session, where it says so %s', async (_, answer) => {
    const { server, call, count } = await connected((one) => tool(one, 'hello'));
    server.restart(answer);
    expect(await call('hello')).toMatchObject({ text: 'Hello.' });
    expect(await call('hello')).toMatchObject({ text: 'Hello.' });
    expect(count('initialize')).toBe(2);
    expect(count('tools/call')).toBe(3);
  });

  test('is given calls that come together once more, all in one other session', async () => {
    const { server, call, count } = await connected((one) => tool(one, 'hello'));
    server.restart();
    const all = await Promise.all([call('hello'), call('hello'), call('hello')]);
    expect(all).toEqual([
      { text: 'Hello.', images: [] },
      { text: 'Hello.', images: [] },
      { text: 'Hello.', images: [] },
    ]);
    expect(count('initialize')).toBe(2);
  });

  test('and forgets each again is not asked for ever', async () => {
    const { server, call, count } = await connected((one) => tool(one, 'hello', () => hello));
    const restart = setInterval(() => server.restart(), 0);
    onTestFinished(() => clearInterval(restart));
    server.restart();
    await expect(call('hello')).rejects.toThrow(ToolError);
    expect(count('tools/call')).toBeLessThanOrEqual(2);
  });

  test('has the tools that it names then', async () => {
    let made = 0;
    const { server, call, names } = await connected((one) => {
      made += 1;
      tool(one, 'hello');
      if (made > 1) tool(one, 'later');
    });
    expect(names()).toEqual(['hello']);
    server.restart();
    await call('hello');
    expect(names()).toEqual(['hello', 'later']);
  });

  test('is not given a call once more that it has taken', async () => {
    let calls = 0;
    const { server, call, count } = await connected((one) => {
      tool(one, 'breaks', async () => {
        calls += 1;
        server.servers[0]?.close();
        return hello;
      });
    }, 1500);
    await expect(call('breaks')).rejects.toThrow('The server "s" failed');
    expect([calls, count('tools/call')]).toEqual([1, 1]);
  });
});

describe('the list of tools', () => {
  test('is asked for with each run; one that is away then is shown as away', async () => {
    const { server, source, names, later, errors } = await connected((one) => tool(one, 'hello'));
    tool(server.servers[0] as McpServer, 'added');
    await source.refresh();
    expect(names()).toEqual(['hello', 'added']);
    server.setAway(true);
    await source.refresh();
    expect(source.list()).toMatchObject([{ name: 's_tools', available: false }]);
    server.setAway(false);
    later(14_999);
    await source.refresh();
    expect(errors.length).toBe(1);
    expect(source.list()).toMatchObject([{ available: false }]);
    later(1);
    await source.refresh();
    expect(names()).toEqual(['hello']);
  });

  test('has the same tools as long as the server names the same', async () => {
    const { server, source } = await connected((one) => tool(one, 'hello'));
    const [before] = source.list();
    server.restart();
    await source.refresh();
    expect(source.list()[0]).toBe(before);
  });

  test.each([
    [{}, 100, ['Models are not offered tool_100 (beyond 100 tools), tool_101 (beyond 100 tools).']],
    [{ maxTools: 101 }, 101, ['Models are not offered tool_101 (beyond 101 tools).']],
    [{ maxTools: 300 }, 102, []],
  ])('names what models are not offered, once, with %j', async (more, count, told) => {
    const register = (one: McpServer) => {
      for (let n = 0; n < 102; n += 1) tool(one, `tool_${n}`);
    };
    const { source, names, errors } = await connected(register, 5000, more);
    await source.refresh();
    expect(names().length).toBe(count);
    expect(errors).toEqual(told.map((message) => new Error(message)));
  });
});

test('a server that refuses the credentials is not said to be out of reach', async () => {
  const http = createServer((_, res) => void res.writeHead(401).end());
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const source = mcpSource({ id: 's', url, headers: {}, tools: null, timeoutMs: 5000 }, () => undefined);
  onTestFinished(() => source.close());
  await source.refresh();
  const why = 'refuses the credentials that are set for it (HTTP status 401)';
  expect(source.list()).toMatchObject([
    { description: `A tool of the server s, which ${why}.`, available: false },
  ]);
});

describe('what a tool gives', () => {
  const png = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
  const shown = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } };
  test.each<[CallToolResult['content'], string, unknown[], unknown[]?]>([
    [
      [
        { type: 'text', text: 'Downloaded.' },
        { type: 'resource', resource: { uri: 'repo://a/README.md', mimeType: 'text/plain', text: '# Hi' } },
      ],
      'Downloaded.\n[resource: repo://a/README.md, text/plain]\n# Hi',
      [],
    ],
    [
      [
        {
          type: 'resource_link',
          uri: 'file:///logs/today.txt',
          name: 'today.txt',
          mimeType: 'text/plain',
          description: 'The log.',
        },
      ],
      '[resource: file:///logs/today.txt, today.txt, text/plain]\nThe log.',
      [],
    ],
    [
      [
        {
          type: 'resource',
          resource: { uri: 'file:///plan.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' },
        },
      ],
      '[resource: file:///plan.pdf, application/pdf, 5 bytes]',
      [],
    ],
    [[png], '[image: image/png, 8 bytes]', [shown]],
    [
      [{ type: 'resource', resource: { uri: 'file:///a.png', mimeType: 'image/png', blob: png.data } }],
      '[resource: file:///a.png, image/png, 8 bytes]',
      [shown],
    ],
    [
      [{ type: 'audio', data: 'AAAA', mimeType: 'audio/mpeg' }],
      '[audio: audio/mpeg, 3 bytes]',
      [],
      [{ type: 'audio', data: 'AAAA', format: 'mp3' }],
    ],
    [[{ type: 'audio', data: 'AAAA', mimeType: 'audio/ogg' }], '[audio: audio/ogg, 3 bytes]', []],
    [[{ ...png, mimeType: 'image/tiff' }], '[image: image/tiff, 8 bytes]', []],
  ])('%j reaches the model as %j', async (content, text, images, sounds) => {
    const { call } = await connected((one) => tool(one, 'gives', () => ({ content })));
    expect(await call('gives')).toEqual({ text, images, ...(sounds && { sounds }) });
  });
});
