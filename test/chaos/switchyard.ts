import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs an operator's command on the database that these settings name. Rejects when it fails. */
export async function switchyard(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const command = ['--disable-warning=ExperimentalWarning', 'src/switchyard.js', ...args];
  return (await run(process.execPath, command, { env })).stdout;
}

/** What `switchyard check` finds wrong with a database; null: nothing. */
export async function switchyardCheck(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly missing: boolean; readonly problem: string | null }> {
  const help = await switchyard(env, '--help');
  if (!/^\s+check\b/m.test(help)) return { missing: true, problem: null };
  try {
    await switchyard(env, 'check');
    return { missing: false, problem: null };
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return {
      missing: false,
      problem: `${stdout ?? ''}${stderr ?? ''}`.replaceAll('\n', ' ') || String(error),
    };
  }
}
