/** The documentation's code samples do what they say. Those that use a client library are part of its live test instead. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  asksForKept,
  bodyOf,
  examplesOf,
  type OperationAt,
  operationsOf,
} from '../../src/contract/served/document.ts';
import { testAdminPassword, testKey, testMetricsToken } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { exampleFileId, fileNamed } from '../helpers/example-ask.ts';
import { type ExampleServer, startExampleServer } from '../helpers/example-server.ts';
import { python } from '../helpers/python.ts';

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
      await writeFile(file, at.id === 'createTenant' ? text.replaceAll('"acme"', `"acme-${ending}"`) : text);
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
