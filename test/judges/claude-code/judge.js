/** Claude Code, set up as its documentation says of gateways: https://code.claude.com/docs/en/llm-gateway */
import { join } from 'node:path';
import { asking, casesOf } from '../lib/agent.js';
import { given, judge } from '../lib/judge.js';

const start = (prompt, home) => ({
  command: [
    join(given('TOOLS'), 'agents/node_modules/.bin/claude'),
    ...['-p', prompt, '--model', given('MODEL_ANTHROPIC'), '--max-turns', '6'],
    ...['--output-format', 'stream-json', '--verbose', '--allowedTools', 'Write,Read'],
  ],
  env: {
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: given('BASE'),
    ANTHROPIC_AUTH_TOKEN: given('KEY'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
    DISABLE_AUTOUPDATER: '1',
  },
});

await judge(casesOf('Claude Code', asking('Claude Code', start)), { seconds: 95 });
