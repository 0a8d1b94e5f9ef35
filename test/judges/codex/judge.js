/** Codex CLI with the server as a provider of its own, over HTTP. */

import { codex, codexCases } from '../lib/codex.js';
import { given, judge } from '../lib/judge.js';

const provider = `{name="Switchyard",base_url="${given('BASE')}/v1",env_key="SWITCHYARD_API_KEY",wire_api="responses"}`;
const start = codex({
  settings: ['model_provider="switchyard"', `model_providers.switchyard=${provider}`],
  env: { SWITCHYARD_API_KEY: given('KEY') },
});

await judge(codexCases(start), { seconds: 95 });
