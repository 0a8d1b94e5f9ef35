import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { browserPath } from './browser.ts';

/** A Chromium whose debugging port is open, as an operator gives one to the factory. */
export interface DebuggedBrowser {
  readonly address: string;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

export async function startDebuggedBrowser(): Promise<DebuggedBrowser> {
  const profile = mkdtempSync(path.join(tmpdir(), 'debugged-browser-'));
  const child = spawn(
    browserPath,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stderr)) {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1];
    if (port === undefined) continue;
    child.stderr.resume();
    return {
      address: `http://127.0.0.1:${port}`,
      async kill() {
        child.kill('SIGKILL');
        await exited;
        rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      },
    };
  }
  throw new Error('Chromium has ended before it opened its port.');
}
