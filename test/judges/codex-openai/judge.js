/** Codex CLI with the server in place of OpenAI: it tries a WebSocket first, and compresses what it sends with zstd. */

import { codex, codexCases } from '../lib/codex.js';
import { given, judge } from '../lib/judge.js';

const start = codex({
  settings: [`openai_base_url="${given('BASE')}/v1"`],
  env: { OPENAI_API_KEY: given('KEY'), CODEX_API_KEY: given('KEY') },
});

await judge(codexCases(start), { seconds: 95 });
