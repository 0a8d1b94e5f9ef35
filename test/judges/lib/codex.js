import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asking, casesOf } from './agent.js';
import { beyondMock, given } from './judge.js';

/** How Codex CLI is started, with settings for its provider. Its own sandbox needs rights that a container may not have. */
export const codex =
  ({ settings, env }) =>
  (prompt, home) => {
    const own = join(home, '.codex');
    mkdirSync(own, { recursive: true });
    return {
      command: [
        join(given('TOOLS'), 'agents/node_modules/.bin/codex'),
        ...['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '--json'],
        ...['-m', given('MODEL_OPENAI')],
        ...settings.flatMap((setting) => ['-c', setting]),
        prompt,
      ],
      env: { CODEX_HOME: own, ...env },
    };
  };

/** With `apply_patch`, which is a tool with a grammar in place of a schema. The mock makes a function's call of it. */
export function codexCases(start) {
  const ask = asking('Codex', start);
  return {
    ...casesOf('Codex', ask),
    'writes by a tool with a grammar': beyondMock(async () => {
      const read = await ask('patch a file');
      assert.equal(read('patched.txt'), 'patched by Codex');
    }, ['translated']),
  };
}
