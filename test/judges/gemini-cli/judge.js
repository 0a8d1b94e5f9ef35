/** Gemini CLI in its gateway mode, which GOOGLE_GEMINI_BASE_URL turns on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asking, casesOf } from '../lib/agent.js';
import { given, judge } from '../lib/judge.js';

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
};

const start = (prompt, home) => {
  mkdirSync(join(home, '.gemini'), { recursive: true });
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  return {
    command: [
      join(given('TOOLS'), 'agents/node_modules/.bin/gemini'),
      ...['-m', given('MODEL_GEMINI'), '--approval-mode', 'yolo', '--output-format', 'json', '-p', prompt],
    ],
    env: {
      GOOGLE_GEMINI_BASE_URL: given('BASE'),
      GEMINI_API_KEY: given('KEY'),
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
  };
};

await judge(casesOf('Gemini CLI', asking('Gemini CLI', start)), { seconds: 95 });
