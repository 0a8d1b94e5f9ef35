import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './contract.ts';

const run = promisify(execFile);

/** The commit of version 1.0.0, which has no tag. */
const commit = 'b7a7c4f399d3dfafdb643b23947b6e6fff835d91';

/** Version 1.0.0, with its packages, in a folder that is made once; null where the history of this checkout does not reach back to it. */
export async function firstRelease(): Promise<string | null> {
  const known = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).catch(() => null);
  if (!known) return null;
  const folder = path.join(tmpdir(), 'switchyard-first-release');
  if (existsSync(folder)) return folder;

  const made = mkdtempSync(`${folder}-`);
  try {
    await run('sh', ['-c', `git archive ${commit} | tar -x -C "${made}"`], { cwd: root });
    // Nothing of what `npm` of this checkout tells its scripts.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV)/.test(name)),
    );
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: made, env });
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return folder;
}
