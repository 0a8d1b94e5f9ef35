import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../helpers/contract.ts';

const run = promisify(execFile);

/** The checks of `npm run check` that guard the contract; each is slow to start, so they run side by side. */
describe.concurrent('npm run', () => {
  it.each(['check:contract', 'check:drift', 'check:types', 'check:layers'])('%s', async (script) => {
    const output = await run('npm', ['run', '--silent', script], { cwd: root }).catch((error) => error);
    expect(output, `${output.stdout}\n${output.stderr}`).not.toBeInstanceOf(Error);
  });
});
