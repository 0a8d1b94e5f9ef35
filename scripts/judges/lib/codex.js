import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { given } from './judge.js';

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
