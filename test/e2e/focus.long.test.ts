/** The export in FOCUS against the validator of the FinOps Foundation, as PyPI has it: it knows version 1.0. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { pythonTools } from '../../scripts/clients/tools.ts';
import { appForThisTest } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';

const run = promisify(execFile);

/**
 * What it says of any file of that version: it asks for four columns by names that the version before had, and for one that
 * no version has.
 */
const itsOwn = [
  'InvoiceIssuer_Required',
  'Provider_Required',
  'Publisher_Required',
  'ResourceID_Required',
  'SkuPriceId_Nullable',
];

/** The folder of its programs; null: it cannot be had here. */
async function validator(): Promise<string | null> {
  const packages = ['focus-validator==1.0.0', 'multimethod<2', 'pandas<2.3', 'numpy<2'];
  try {
    return await pythonTools('switchyard-focus-validator', packages);
  } catch (error) {
    if (process.env['CI']) throw error;
    console.warn(`The validator of FOCUS cannot be installed here, so its test is skipped: ${error}`);
    return null;
  }
}

it('has nothing that the validator objects to but what it objects to in any', async ({ skip }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-focus-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const programs = await validator();
  if (programs === null) return skip('the validator cannot be installed here');
  const { url } = await appForThisTest({
    prices: { 'sandbox/sandbox': { prompt: 1, cachedPrompt: 1, completion: 2 } },
  });
  for (const tags of ['', 'team=search', 'team="=1+1, \\"x\\""']) {
    const reply = await ask(`${url}/v1/chat`, {
      headers: { 'x-switchyard-tags': tags },
      body: { model: 'sandbox', message: 'Hi' },
    });
    expect(reply.status).toBe(200);
  }
  await ask(`${url}/v1/ai/keywords`, { body: { input: { text: 'Trains run late in winter.' } } });
  const { text } = await ask(`${url}/v1/usage/export?format=focus`);
  const file = path.join(folder, 'focus.csv');
  await writeFile(file, text);
  // It looks for its list of currencies from the working directory.
  const where =
    'import focus_validator, pathlib; print(pathlib.Path(focus_validator.__file__).parent.parent)';
  const { stdout: cwd } = await run(path.join(programs, 'python'), ['-c', where]);
  const command = ['--data-file', file, '--validate-version', '1.0'];
  // It ends with an error for what it objects to.
  const { stdout } = await run(path.join(programs, 'focus-validator'), command, { cwd: cwd.trim() }).catch(
    (error: { stdout: string }) => error,
  );
  const objections = [...stdout.matchAll(/^(\w+) failed:$/gm)].map(([, rule]) => rule);
  expect(objections.sort()).toEqual(itsOwn);
});
