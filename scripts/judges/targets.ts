import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { judgesFolder } from './judges.ts';
import { freePort, type Running, startProgram } from './processes.ts';

/** The mock itself; a server whose vendor speaks the client's wire; one whose vendor speaks another; one without a vendor. */
export const targetNames = ['control', 'native', 'translated', 'sandbox'] as const;
export type TargetName = (typeof targetNames)[number];

export interface Target {
  readonly name: TargetName;
  readonly base: string;
  readonly key: string;
  close(): Promise<void>;
}

const key = 'sk-judges-0123456789abcdef';

/** The model that a judge asks for on each wire. Clients know these names, and the mock does not mind. */
export const models = {
  MODEL_OPENAI: 'gpt-5.5',
  MODEL_ANTHROPIC: 'claude-sonnet-4-6',
  MODEL_GEMINI: 'gemini-flash-latest',
};

// As wide as what the SDKs' own tests ask for, which is more than chat.
const openaiNames = ['gpt-*', 'chatgpt-*', 'o1*', 'o3*', 'o4*', 'codex-*', 'computer-use-*'];
const mediaNames = ['text-embedding-*', 'dall-e-*', 'tts-*', 'whisper-*', 'omni-*', 'string'];
const anthropicNames = ['claude-*'];
const geminiNames = ['gemini-*'];

/** On the translated lane the vendor is asked for a model of its own, as the mock answers by the model where wires differ. */
const otherModels = {
  [models.MODEL_OPENAI]: { provider: 'mock-anthropic', model: models.MODEL_ANTHROPIC },
  [models.MODEL_ANTHROPIC]: { provider: 'mock-openai', model: models.MODEL_OPENAI },
  [models.MODEL_GEMINI]: { provider: 'mock-openai', model: models.MODEL_OPENAI },
};

/** Opens a target in front of the mock. Its data and log go to the folder. */
export async function openTarget(name: TargetName, mock: Running, folder: string): Promise<Target> {
  if (name === 'control') return { name, base: mock.url, key, close: async () => {} };
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, 'switchyard.yaml');
  writeFileSync(
    config,
    stringify({
      ...(name !== 'sandbox' && { providers: providers(name, mock.url) }),
      ...(name === 'translated' && { models: otherModels }),
    }),
  );
  const port = await freePort();
  const server = await startProgram({
    args: ['--disable-warning=ExperimentalWarning', path.join(judgesFolder, '../../src/start.js')],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      // Replies are held against the contract then, and what does not fit is an error in the log.
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
      API_KEYS: key,
      DRAIN_DELAY_MS: '0',
      SWITCHYARD_CONFIG: config,
    },
    port,
    readyPath: '/readyz',
    log: path.join(folder, 'switchyard.log'),
  });
  return { name, base: server.url, key, close: () => server.close() };
}

/** Who serves which names: on the native lane the vendor of the name, on the translated one a vendor of another wire. */
function providers(name: TargetName, mock: string): Record<string, object> {
  const openai = {
    speaks: ['openai-chat', 'openai-responses'],
    base_url: `${mock}/v1`,
    api_key: 'sk-mock',
    max_tokens_field: 'max_completion_tokens',
  };
  const anthropic = { wire: 'anthropic', base_url: mock, api_key: 'sk-ant-mock' };
  const gemini = { wire: 'gemini', base_url: `${mock}/v1beta`, api_key: 'mock' };
  if (name === 'native')
    return {
      'mock-openai': { ...openai, patterns: [...openaiNames, ...mediaNames] },
      'mock-anthropic': { ...anthropic, patterns: anthropicNames },
      'mock-gemini': { ...gemini, patterns: geminiNames },
    };
  return {
    'mock-anthropic': { ...anthropic, patterns: openaiNames },
    'mock-openai': { ...openai, patterns: [...anthropicNames, ...geminiNames, ...mediaNames] },
  };
}
