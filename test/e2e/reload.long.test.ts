/** Reloads of the configuration of servers as processes, by signal and by request. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../helpers/http.ts';
import { startMcpServer } from '../helpers/mcp-server.ts';
import { adminPassword, fileFor, key, serverWith, vendorNamed } from '../helpers/reload.ts';
import { canaryKey, vendorFor } from '../helpers/vendor-gateway.ts';

describe('a reload', () => {
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

  it('comes with SIGHUP, reads the files of secrets again, and shows none', async () => {
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
