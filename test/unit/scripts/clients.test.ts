import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** Makes a library where no program is installed at all. */
function makeWithoutPrograms(language: string, env: Record<string, string>) {
  const empty = mkdtempSync(path.join(tmpdir(), 'switchyard-no-programs-'));
  onTestFinished(() => rmSync(empty, { recursive: true }));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/clients.ts', language], {
    env: { PATH: empty, ...env },
    encoding: 'utf8',
  });
  return { status, stderr };
}

const words = 'python: NOT made, as python3 must be installed for it\n';

it('says which program a library lacks', () => {
  expect(makeWithoutPrograms('python', {})).toEqual({ status: 0, stderr: words });
});

it('fails for it in continuous integration', () => {
  expect(makeWithoutPrograms('python', { CI: '1' })).toEqual({ status: 1, stderr: words });
});
