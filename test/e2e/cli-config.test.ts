/** The commands about the configuration, as processes of their own. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appForThisTest } from '../helpers/app.ts';
import { switchyard } from '../helpers/cli.ts';
import { startMcpServer } from '../helpers/mcp-server.ts';

async function fileWith(text: string) {
  const directory = await mkdtemp(path.join(tmpdir(), 'switchyard-config-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = path.join(directory, 'switchyard.yaml');
  await writeFile(file, text);
  return { file, directory, dataDir: path.join(directory, 'data') };
}

const broken = `providers:
  groq:
    base_url: https://api.groq.com/openai/v1
    api_key: \${MISSING_KEY}
aliases:
  fast: nothing-there
`;

describe('config check', () => {
  it('finds nothing wrong with a right file, and opens no database', async () => {
    const { file, directory, dataDir } = await fileWith('aliases: {fast: sandbox/echo}\n');
    const { code, stdout, stderr } = await switchyard({ DATA_DIR: dataDir }, 'config', 'check', file);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${file} and the settings are right.\n`,
      stderr: '',
    });
    expect(await readdir(directory)).toEqual(['switchyard.yaml']);
  });

  it('tells everything that is wrong in the file and in the environment', async () => {
    const { file } = await fileWith(broken);
    const { code, stdout } = await switchyard({ PORT: 'x' }, 'config', 'check', file);
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('PORT is "x"; expected a whole number from 0 to 65535.');
    expect(lines[1]).toMatch(
      `${file}:4:14: providers.groq.api_key: the environment variable MISSING_KEY is not set`,
    );
    expect(lines[2]).toContain(`${file}:6:9: aliases.fast: `);
  });

  it('says where as JSON, too', async () => {
    const { file } = await fileWith(broken);
    const env = { PORT: 'x', SWITCHYARD_CONFIG: file };
    const { code, json } = await switchyard(env, 'config', 'check', '--json');
    expect(code).toBe(1);
    expect(json.valid).toBe(false);
    expect(json.problems).toEqual([
      { file: null, line: null, column: null, message: expect.stringContaining('PORT') },
      { file, line: 4, column: 14, message: expect.stringMatching(/^providers\.groq\.api_key: /) },
      { file, line: 6, column: 9, message: expect.stringMatching(/^aliases\.fast: /) },
    ]);
  });

  it('checks the settings alone where there is no file', async () => {
    expect(await switchyard({}, 'config', 'check')).toMatchObject({
      code: 0,
      stdout: 'The settings are right; there is no file.\n',
    });
  });

  it('tells of a file that is missing', async () => {
    const { code, stdout } = await switchyard({}, 'config', 'check', '/nowhere/switchyard.yaml');
    expect(code).toBe(1);
    expect(stdout).toBe(
      'SWITCHYARD_CONFIG is "/nowhere/switchyard.yaml"; the file cannot be read (ENOENT).\n',
    );
  });
});

describe('the schema of the file', () => {
  it('is the same from the command and from a server', async () => {
    const { url } = await appForThisTest();
    const reply = await fetch(`${url}/config.schema.json`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
    const served = (await reply.json()) as object;
    expect((await switchyard({}, 'config', 'schema')).json).toEqual(served);
    expect(served).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  });
});

describe('mcp', () => {
  it('says of each server whether it is there, and what its tools are called', async () => {
    const docs = await startMcpServer();
    onTestFinished(() => docs.close());
    const { file } = await fileWith(`mcp_servers:
  docs: { url: '${docs.url}' }
  gone: { url: 'http://127.0.0.1:1/mcp' }
`);
    const env = { SWITCHYARD_CONFIG: file };
    const checked = await switchyard(env, 'mcp', 'check', '--json');
    expect(checked.code).toBe(1);
    expect(checked.json).toMatchObject([
      {
        id: 'docs',
        problem: null,
        tools: [{ name: 'weather.of', name_of_all: 'docs_weather_of' }, {}, {}, {}],
      },
      { id: 'gone', problem: expect.stringContaining('failed'), tools: [] },
    ]);
    const listed = await switchyard(env, 'mcp', 'list');
    expect(listed.stdout).toMatch(/^docs +weather\.of +docs_weather_of$/m);
    expect(listed.stdout).toMatch(/^gone: /m);
  });
});
