/** What the README and the guides print is run as it is printed, and gives what they print beside it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApp, type TestApp, testKey, testMetricsToken } from '../helpers/app.ts';
import { root } from '../helpers/contract.ts';
import { type Block, blocksIn, markdownFiles, readMarkdown } from '../helpers/guides.ts';
import { differences, expectLines } from '../helpers/printed.ts';
import { python } from '../helpers/python.ts';
import { readWithFile } from '../unit/config/helpers.ts';

const run = promisify(execFile);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** What is run, by the languages behind the fences; samples of other languages are parts of live tests. */
const runLanguages = ['bash', 'js', 'python', 'yaml'];
/** What is shown of an answer: it follows the block that asks. */
const shownLanguages = ['json', 'text'];

const byFile = markdownFiles.map((file) => ({ file, blocks: blocksIn(readMarkdown(file)) }));

/** The blocks of a language that are run: those that are written by hand, and the lines that set up clients. */
function runIn(blocks: readonly Block[], lang: string): Block[] {
  const own = ({ derivedFrom }: Block) => derivedFrom === null || derivedFrom === 'clients';
  return blocks.filter((block) => block.lang === lang && block.notRun === null && own(block));
}

const withBlocks = (lang: string) => byFile.filter(({ blocks }) => runIn(blocks, lang).length > 0);

/** A folder for a sample to run in, where `npm run` finds this package. */
async function folderForThisTest(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-guides-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['package.json', 'src', 'scripts', 'test', 'node_modules']) {
    await symlink(path.join(root, name), path.join(folder, name));
  }
  return folder;
}

const printed = ({ text }: Block) => text.replaceAll('http://127.0.0.1:8080', app.url);
const environment = () => ({
  PATH: process.env['PATH'],
  DATA_DIR: app.dataDir,
  SWITCHYARD_API_KEY: testKey,
  METRICS_TOKEN: testMetricsToken.reveal(),
});

/** The codes of the errors that the server has answered with since the log had this length. */
function errorsSince(length: number): unknown[] {
  const requests = app.log.slice(length).filter(({ msg }) => msg === 'request');
  return requests.flatMap((line) => (Number(line['status']) < 400 ? [] : [line['error_code']]));
}

describe.each(byFile)('the blocks of $file', ({ file, blocks }) => {
  it('are run, or say why not', () => {
    const unknown = blocks.filter(({ lang, notRun, derivedFrom, follows }) => {
      if (notRun !== null || runLanguages.includes(lang)) return false;
      // The replies of the error codes are held against the contract, samples of the libraries run with their live tests.
      if (derivedFrom === 'errors' || derivedFrom?.startsWith('sample ')) return false;
      return !(shownLanguages.includes(lang) && follows?.lang === 'bash' && follows.notRun === null);
    });
    expect(unknown.map(({ line, lang }) => `${file}:${line} ${lang}`)).toEqual([]);
  });
});

describe('the commands', () => {
  // Some print twenty commands, each a process of its own.
  it.each(withBlocks('bash'))('of $file do what they say', async ({ file, blocks }) => {
    const cwd = await folderForThisTest();
    const commands = runIn(blocks, 'bash');
    const script = commands.map((block, index) => `{\n${printed(block)}\n} > ${index}.out`).join('\n');
    await writeFile(path.join(cwd, 'commands.sh'), script);
    const before = app.log.length;
    await run('bash', ['-euo', 'pipefail', 'commands.sh'], { cwd, env: environment(), maxBuffer: 1 << 26 });
    const errors: unknown[] = [];
    for (const { lang, text, follows, line } of blocks.filter(({ lang }) => shownLanguages.includes(lang))) {
      const index = follows ? commands.indexOf(follows) : -1;
      if (index < 0) continue;
      const answer = await readFile(path.join(cwd, `${index}.out`), 'utf8');
      if (lang === 'json') {
        const shown = JSON.parse(text.replaceAll('http://127.0.0.1:8080', app.url));
        errors.push(...(shown.error ? [shown.error.code] : []));
        expect(differences(shown, JSON.parse(answer), ''), `${file}:${line}`).toEqual([]);
      } else expectLines(text, answer, `${file}:${line}`);
    }
    expect(errorsSince(before)).toEqual(errors);
  });
});

describe('the programs', () => {
  it.each(withBlocks('js'))('in JavaScript of $file run', async ({ blocks }) => {
    const cwd = await folderForThisTest();
    for (const [index, block] of runIn(blocks, 'js').entries()) {
      const before = app.log.length;
      await writeFile(path.join(cwd, `${index}.mjs`), printed(block));
      const { stdout } = await run(process.execPath, [`${index}.mjs`], { cwd, env: environment() });
      expect(stdout.trim()).not.toBe('');
      expect(errorsSince(before)).toEqual([]);
    }
  });

  it.skipIf(!python && !process.env['CI']).each(withBlocks('python'))(
    'in Python of $file run',
    async ({ blocks }) => {
      const cwd = await folderForThisTest();
      for (const [index, block] of runIn(blocks, 'python').entries()) {
        const before = app.log.length;
        await writeFile(path.join(cwd, `${index}.py`), printed(block));
        const { stdout } = await run(python ?? 'python3', [`${index}.py`], { cwd, env: environment() });
        expect(stdout.trim()).not.toBe('');
        expect(errorsSince(before)).toEqual([]);
      }
    },
  );
});

describe('the configuration', () => {
  const keys = { OPENAI_API_KEY: 'k'.repeat(20), ANTHROPIC_API_KEY: 'k'.repeat(20) };
  const cases = withBlocks('yaml').flatMap(({ file, blocks }) =>
    runIn(blocks, 'yaml').map(({ text, line }) => ({ at: `${file}:${line}`, text })),
  );

  it.each(cases)('at $at is accepted', async ({ text }) => {
    // Some of it refers to the aliases that stand beside it in another block.
    const aliases = /^aliases:/m.test(text) ? '' : 'aliases:\n  fast: gpt-5.4-mini\n';
    const named = [...text.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name = '']) => [name, 'n'.repeat(20)]);
    const env = { ...Object.fromEntries(named), ...keys };
    await expect(readWithFile(`${text}\n${aliases}`, env)).resolves.toBeDefined();
  });
});
