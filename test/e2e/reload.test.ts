/** Reloads of the configuration while the server runs, by signal and by request. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { Reloads } from '../../src/config/reloads.ts';
import { appForThisTest, digestForTests, testAdminPassword } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { startMcpServer } from '../helpers/mcp-server.ts';
import { startServer } from '../helpers/server-process.ts';
import type { ScriptedVendor, VendorReply, VendorScript } from '../helpers/vendor.ts';
import { canaryKey, vendorFor } from '../helpers/vendor-gateway.ts';

const key = 'key-of-the-tests-of-reloads';
const adminPassword = 'a password of tests';

/** Answers each chat with its own name; a stream stops in its middle until it is told to go on. */
function vendorNamed(name: string, middle: Promise<void> = Promise.resolve()): VendorScript {
  return async (reply) => {
    if (reply.request.json['stream'] === true) return streamOf(reply, name, middle);
    reply.json({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: name }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  };
}

async function streamOf(reply: VendorReply, name: string, middle: Promise<void>): Promise<void> {
  const piece = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  reply.eventStream();
  reply.chunk(piece({ role: 'assistant', content: `${name} begins` }));
  await middle;
  reply.chunk(piece({ content: ` and ${name} ends` }));
  reply.chunk(piece({}, 'stop'));
  reply.chunk('data: [DONE]\n\n');
  reply.lastChunk();
}

interface Setup {
  readonly url: string;
  readonly log: () => string;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
  writeKey(text: string): Promise<void>;
  signal(): void;
  reload(): ReturnType<typeof ask>;
  shown(): ReturnType<typeof ask>;
  chat(): Promise<string>;
}

async function serverWith(text: string | null): Promise<Setup> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-reload-'));
  const file = path.join(folder, 'switchyard.yaml');
  const keyFile = path.join(folder, 'vendor-key');
  if (text !== null) await writeFile(file, text);
  await writeFile(keyFile, `${canaryKey}\n`);
  const server = await startServer({
    DATA_DIR: path.join(folder, 'data'),
    API_KEYS: key,
    ADMIN_PASSWORD: adminPassword,
    VENDOR_KEY_FILE: keyFile,
    ...(text !== null && { SWITCHYARD_CONFIG: file }),
  });
  onTestFinished(async () => {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true });
  });
  const { url } = server;
  return {
    url,
    log: server.output,
    write: (changed) => writeFile(file, changed),
    remove: () => rm(file),
    writeKey: (changed) => writeFile(keyFile, changed),
    signal: () => void process.kill(server.pid, 'SIGHUP'),
    reload: () => ask(`${url}/api/admin/config/reload`, { method: 'POST', key: adminPassword }),
    shown: () => ask(`${url}/api/admin/config`, { key: adminPassword }),
    async chat() {
      const { status, json } = await ask(`${url}/v1/chat`, { key, body: { message: 'Who?' } });
      return status === 200 ? json.content : `${status} ${JSON.stringify(json)}`;
    },
  };
}

function fileFor(vendor: Pick<ScriptedVendor, 'baseUrl'>, more = ''): string {
  return `providers:
  house: { base_url: "${vendor.baseUrl}", api_key: "\${VENDOR_KEY}" }
models:
  who: { provider: house, model: m }
default_model: who
${more}`;
}

describe('a reload', () => {
  it('exchanges the provider, and lets a stream end on the old one', async () => {
    let goOn = () => {};
    const middle = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const [one, other] = await Promise.all([
      vendorFor(vendorNamed('one', middle)),
      vendorFor(vendorNamed('other')),
    ]);
    const server = await serverWith(fileFor(one));
    const stream = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'who', stream: true, messages: [{ role: 'user', content: 'Who?' }] }),
    });
    expect(stream.status).toBe(200);
    await server.write(fileFor(other));
    const { status, json } = await server.reload();
    expect(status).toBe(200);
    expect(json.changes).toEqual([
      { section: 'providers', name: 'house', change: 'changed', fields: ['base_url'] },
    ]);
    expect(await server.chat()).toBe('other');
    goOn();
    const text = await stream.text();
    expect(text).toContain('one begins');
    expect(text).toContain('and one ends');
    expect(text).toContain('[DONE]');
    expect(one.requests).toHaveLength(1);
  });

  it('drops nothing of a load of chats, twenty times', async () => {
    const vendors = await Promise.all([vendorFor(vendorNamed('one')), vendorFor(vendorNamed('other'))]);
    const server = await serverWith(fileFor(vendors[0]));
    let loading = true;
    const answers: string[] = [];
    const load = Array.from({ length: 8 }, async () => {
      while (loading) answers.push(await server.chat());
    });
    for (let n = 1; n <= 20; n++) {
      await server.write(fileFor(vendors[n % 2] ?? vendors[0]));
      const { status, json } = await server.reload();
      expect([status, json.changes?.length]).toEqual([200, 1]);
      expect(await server.chat()).toBe(n % 2 === 1 ? 'other' : 'one');
    }
    loading = false;
    await Promise.all(load);
    expect(new Set(answers)).toEqual(new Set(['one', 'other']));
    expect(vendors.map(({ requests }) => requests.length).every((count) => count > 0)).toBe(true);
  });

  it('comes with SIGHUP, reads the files of secrets anew, and shows none', async () => {
    const vendor = await vendorFor(vendorNamed('one'));
    const server = await serverWith(fileFor(vendor));
    expect(await server.chat()).toBe('one');
    await server.writeKey(`new-${canaryKey}`);
    server.signal();
    await expect.poll(() => server.log()).toContain('reloaded the configuration');
    expect(await server.chat()).toBe('one');
    expect(vendor.requests.map(({ headers }) => headers['authorization'])).toEqual([
      `Bearer ${canaryKey}`,
      `Bearer new-${canaryKey}`,
    ]);
    const audit = await ask(`${server.url}/api/admin/audit?limit=1`, { key: adminPassword });
    expect(audit.json.data).toMatchObject([
      {
        actor: 'system',
        action: 'config.reload',
        after: { changes: [{ section: 'providers', name: 'house', change: 'changed', fields: ['api_key'] }] },
      },
    ]);
    const shown = JSON.stringify([audit.json, (await server.shown()).json, server.log()]);
    expect(shown).not.toContain(canaryKey);
  });

  it('changes plans and prices for the next request', async () => {
    const vendor = await vendorFor(vendorNamed('one'));
    const server = await serverWith(fileFor(vendor));
    expect(await server.chat()).toBe('one');
    const plans =
      'plans: {free: {requests_per_minute: 0}, pro: {requests_per_minute: 0}, enterprise: {requests_per_minute: 0}}';
    await server.write(fileFor(vendor, `${plans}\nprices: {house/m: {prompt: 1, completion: 2}}\n`));
    const { json } = await server.reload();
    expect(
      json.changes.map(({ section, name }: { section: string; name: string }) => `${section} ${name}`),
    ).toEqual(['prices house/m', 'plans free', 'plans pro', 'plans enterprise']);
    expect(await server.chat()).toMatch(/^429 /);
    await server.write(fileFor(vendor));
    await server.reload();
    expect(await server.chat()).toBe('one');
  });

  it('exchanges features and agents with their tools, and the contract names them', async () => {
    const vendor = await vendorFor(vendorNamed('one'));
    const mcp = await startMcpServer();
    onTestFinished(() => mcp.close());
    const server = await serverWith(fileFor(vendor));
    const contract = async () => {
      const { json } = await ask(`${server.url}/openapi.json`, { key: null });
      return ['/v1/ai/mood', '/v1/agents/helper/run'].map((path) => path in json.paths);
    };
    const helper = async () => {
      const { status, json } = await ask(`${server.url}/v1/agents/helper`, { key });
      const names = (json.tools ?? []).map(({ name }: { name: string }) => name);
      return [status, names.slice(-2)];
    };
    const mood = () => ask(`${server.url}/v1/ai/mood`, { key, body: { input: { text: 'Fine!' } } });
    expect([await contract(), (await helper())[0], (await mood()).status]).toEqual([
      [false, false],
      404,
      404,
    ]);
    const textOf = (name: string) =>
      `{type: object, required: [${name}], additionalProperties: false, properties: {${name}: {type: string}}}`;
    const features = `features: {mood: {input: ${textOf('text')}, output: ${textOf('mood')}, text_output: mood, prompt: "{{input.text}}", examples: [{input: {text: Fine}, output: {mood: good}}]}}\n`;
    const agents = `agents: {helper: {instructions: Help., tools: [features/mood, remote/*]}}\nmcp_servers: {remote: {url: "${mcp.url}"}}\n`;
    await server.write(fileFor(vendor, features + agents));
    const { json } = await server.reload();
    expect(json.error).toBeUndefined();
    expect(json.changes).toMatchObject([
      { section: 'features', name: 'mood', change: 'added' },
      { section: 'agents', name: 'helper', change: 'added' },
      { section: 'mcp_servers', name: 'remote', change: 'added' },
    ]);
    expect(json.config.needs_restart).toEqual([]);
    expect([await contract(), await helper()]).toEqual([
      [true, true],
      [200, ['mood', 'remote_tools']],
    ]);
    expect((await mood()).json).toMatchObject({ output: { mood: 'one' } });
    const run = await ask(`${server.url}/v1/agents/helper/run`, { key, body: { input: 'Hello!' } });
    expect([run.status, run.json.output]).toEqual([200, 'one begins and one ends']);
    expect(mcp.seen.length).toBeGreaterThan(0);
    await server.write(fileFor(vendor));
    await server.reload();
    expect([await contract(), (await helper())[0], (await mood()).status]).toEqual([
      [false, false],
      404,
      404,
    ]);
  });

  it('says what needs a restart, and leaves it as it was', async () => {
    const vendor = await vendorFor(vendorNamed('one'));
    const server = await serverWith(fileFor(vendor));
    const issuer =
      '{id: corp, issuer: "https://login.example.com", client_id: a, rules: [{claim: g, value: v, role: owner}]}';
    await server.write(fileFor(vendor, `sign_in: {oidc: [${issuer}]}\n`));
    const { json } = await server.reload();
    expect(json.changes).toEqual([]);
    const added = [{ section: 'sign_in.oidc', name: 'corp', change: 'added', fields: [] }];
    expect(json.config.needs_restart).toEqual(added);
    const { sections, needs_restart } = (await server.shown()).json;
    expect(needs_restart).toEqual(added);
    expect(sections).toContainEqual({ name: 'sign_in.oidc', entries: [], reloadable: false });
    expect(sections).toContainEqual({ name: 'models', entries: ['who'], reloadable: true });
  });
});

describe('a reload of what is wrong', () => {
  it('leaves the old one in place, and says the line', async () => {
    const vendor = await vendorFor(vendorNamed('one'));
    const server = await serverWith(fileFor(vendor));
    const { file } = (await server.shown()).json;
    for (const [text, expected] of [
      ['models: [', `${file}:1:`],
      ['alias: {}', `${file}:1:1: alias: unknown key`],
      [`providers:\n  x:\n    base_url: http://x\n    api_key: \${MISSING}`, `${file}:4:14: `],
      ['providers: {x: {base_url: "http://x"}}\naliases: {fast: lost}', `${file}:2:17: `],
    ] as const) {
      await server.write(text);
      const { status, json } = await server.reload();
      expect([status, json.error?.code]).toEqual([409, 'conflict']);
      expect(json.error.details[0].message).toContain(expected);
      const { refused, sections } = (await server.shown()).json;
      expect(refused.problems[0]).toContain(expected);
      expect(sections).toContainEqual({ name: 'providers', entries: ['house'], reloadable: true });
      expect(await server.chat()).toBe('one');
    }
    await expect.poll(() => server.log()).toContain('did not reload the configuration');
  });

  it('leaves the old one in place when the file is gone, until it is back', async () => {
    const vendor = await vendorFor(vendorNamed('one'));
    const server = await serverWith(fileFor(vendor));
    await server.remove();
    server.signal();
    await expect.poll(() => server.log()).toContain('did not reload the configuration');
    expect(server.log()).toContain('(ENOENT)');
    expect(await server.chat()).toBe('one');
    await server.write(fileFor(vendor));
    expect((await server.reload()).status).toBe(200);
    expect((await server.shown()).json.refused).toBeNull();
  });

  it('takes two at once, one after the other', async () => {
    const [one, other] = await Promise.all([vendorFor(vendorNamed('one')), vendorFor(vendorNamed('other'))]);
    const server = await serverWith(fileFor(one));
    await server.write(fileFor(other));
    const both = await Promise.all([server.reload(), server.reload()]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.map(({ json }) => json.changes.length).sort()).toEqual([0, 1]);
    expect(await server.chat()).toBe('other');
  });

  it('survives SIGHUP without a file', async () => {
    const server = await serverWith(null);
    server.signal();
    await expect.poll(() => server.log()).toContain('reloaded the configuration');
    expect((await server.shown()).json).toMatchObject({ file: null, needs_restart: [], refused: null });
  });
});

it('is refused with every problem by a server in this process, whose replies are held against the contract', async () => {
  let text = 'aliases: {fast: sandbox/echo}';
  const read = () => readConfig({ SWITCHYARD_CONFIG: '/etc/switchyard.yaml' }, async () => text);
  const started = await read();
  const config = new Reloads({
    config: started,
    file: started.file,
    read,
    apply: async () => undefined,
    pseudonym: digestForTests,
    now: Date.now,
  });
  const app = await appForThisTest({ config });
  const reload = () => ask(`${app.url}/api/admin/config/reload`, { method: 'POST', key: testAdminPassword });
  text = 'alias: {}\nmodel: {}';
  const refused = await reload();
  expect(refused.status).toBe(409);
  expect(refused.error.details).toHaveLength(2);
  text = 'aliases: {quick: sandbox/echo}';
  const { status, json } = await reload();
  expect(status).toBe(200);
  expect(
    json.changes.map(({ name, change }: { name: string; change: string }) => `${name} ${change}`).sort(),
  ).toEqual(['fast removed', 'quick added']);
  expect((await ask(`${app.url}/api/admin/config`, { key: testAdminPassword })).json).toEqual(json.config);
});
