import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { asksForKept, bodyOf, examplesOf } from '../../scripts/generate/document.ts';
import { type OperationAt, operationsOf } from '../../src/contract/served/document.ts';
import { startApp, type TestApp, testAdminPassword, testKey, testMetricsToken } from '../helpers/app.ts';
import { contract, root } from '../helpers/contract.ts';
import {
  type ExampleServer,
  exampleFileId,
  fileNamed,
  startExampleServer,
} from '../helpers/example-server.ts';
import {
  type Block,
  blocksIn,
  differences,
  expectLines,
  markdownFiles,
  python,
  readMarkdown,
} from '../helpers/guides.ts';
import { readWithFile } from '../unit/config/helpers.ts';

/** What the README and the guides print is run as it is printed, and gives what they print beside it. */
describe('the guides', () => {
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
      for (const { lang, text, follows, line } of blocks.filter(({ lang }) =>
        shownLanguages.includes(lang),
      )) {
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
      // Programs as MCP servers are allowed by a setting, which their guide names.
      const env = { ...Object.fromEntries(named), ...keys, MCP_COMMANDS: 'on' };
      await expect(readWithFile(`${text}\n${aliases}`, env)).resolves.toBeDefined();
    });
  });
});

/** The documentation's code samples do what they say. Those that use a client library are part of its live test instead. */
describe('the code samples', () => {
  const run = promisify(execFile);

  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExampleServer();
  });
  afterAll(() => server.app.close());

  /** How the samples in a language are run, one file after the other, until one fails. */
  const inShell = 'for file in "$@"; do (cd "$(mktemp -d -p .)" && cp ../files/* . && bash -e "$file"); done';
  const inNode = 'for (const file of process.argv.slice(2)) await import(file);';
  const inPython = 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file)';
  const languages = [
    { lang: 'curl', ending: 'sh', command: ['bash', '-ec', inShell, '-'] },
    {
      lang: 'JavaScript',
      ending: 'mjs',
      command: [process.execPath, '--input-type=module', '-e', inNode, '-'],
    },
    { lang: 'Python', ending: 'py', command: [python ?? 'python3', '-c', inPython] },
  ];

  interface Sample {
    readonly at: OperationAt;
    readonly source: string;
  }

  /** The samples in a language that need nothing but its HTTP client. */
  function samplesIn(lang: string): Sample[] {
    return operationsOf(contract).flatMap((at) => {
      const sample = at.operation['x-codeSamples']?.find((each) => each.lang === lang);
      const plain = sample && !/\b[Ss]witchyard[.(]|^(?:import|from) .*switchyard/m.test(sample.source);
      return plain ? [{ at, source: sample.source }] : [];
    });
  }

  describe.each(languages)('the samples in $lang', ({ lang, ending, command: [program = '', ...args] }) => {
    it.skipIf(lang === 'Python' && !python && !process.env['CI'])('are answered', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-samples-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      // What the forms of the examples hold.
      await mkdir(path.join(folder, 'files'));
      for (const name of ['yard.png', 'recording.mp3', 'requests.jsonl'])
        await writeFile(path.join(folder, 'files', name), fileNamed(name));
      const samples = samplesIn(lang);
      const files: string[] = [];
      for (const { at, source } of samples) {
        await server.renew();
        const text = server
          .given(at, source)
          .replaceAll(exampleFileId, at.id === 'createBatch' ? server.fileId : exampleFileId)
          .replaceAll('http://127.0.0.1:8080', server.app.url)
          .replaceAll('correct horse battery staple', testAdminPassword);
        const file = path.join(folder, `${at.id}.${ending}`);
        // The example's own tenant is there already.
        await writeFile(
          file,
          at.id === 'createTenant' ? text.replaceAll('"acme"', `"acme-${ending}"`) : text,
        );
        files.push(file);
      }
      const before = server.app.log.length;
      const env = {
        PATH: process.env['PATH'],
        SWITCHYARD_API_KEY: testKey,
        ADMIN_PASSWORD: testAdminPassword,
        METRICS_TOKEN: testMetricsToken.reveal(),
      };
      await run(program, [...args, ...files], { cwd: folder, env, maxBuffer: 1 << 26 });
      const asked = server.app.log.slice(before).filter(({ msg }) => msg === 'request');
      const answers = asked.map((line) => `${line['operation']}: ${outcomeOf(line)}`);
      expect(answers.sort()).toEqual(samples.flatMap(expectedOf).sort());
    });
  });

  /** What only a model can do is not done here; the reply says so. */
  function outcomeOf({ status, error_code: code }: Readonly<Record<string, unknown>>): string {
    return Number(status) < 300 || code === 'model_required' ? 'answered' : `${status} ${code}`;
  }

  /** One call for each example of the operation's body; the examples of the general operations name what has its own. */
  function expectedOf({ at }: Sample): string[] {
    const { id, operation } = at;
    if (asksForKept(at)) return [`${id}: 404 not_found`];
    const answering = { useFeature: 'keywords', runAgent: 'runAssistant' }[id] ?? id;
    const media = bodyOf(operation);
    const calls = media ? examplesOf(contract, media).length : 1;
    return Array.from({ length: calls }, () => `${answering}: answered`);
  }
});
