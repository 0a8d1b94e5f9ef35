/**
 * What the servers before the mock are set up with. The mock matches its fixtures by what the user says, so it answers alike
 * on every wire; where wires differ, it matches by the name of the model too.
 */

/** The model that a judge asks for on each wire. */
export const models = {
  MODEL_OPENAI: 'gpt-5.5',
  MODEL_ANTHROPIC: 'claude-sonnet-4-6',
  MODEL_GEMINI: 'gemini-flash-latest',
};

// As wide as what the SDKs' own tests ask for, which is more than chat.
const openaiNames = ['gpt-*', 'chatgpt-*', 'o1*', 'o3*', 'o4*', 'codex-*', 'computer-use-*'];
const mediaNames = [
  ...['text-embedding-*', 'omni-*', 'string'],
  ...['gpt-image-*', 'dall-e-*', 'gpt-4o-transcribe*', 'gpt-4o-mini-t*', 'whisper-*', 'tts-*'],
];
const anthropicNames = ['claude-*'];
const geminiNames = ['gemini-*'];

/** A model that its vendor serves over a WebSocket, on the native lane. */
const onSocket = 'gpt-on-socket';

/** Only OpenAI's interface has pictures, so there is nothing to translate. */
const pictures = { 'gpt-image-1': { provider: 'mock-openai' } };

/** The providers and models of a configuration file. */
type Setup = (mock: string) => object;

/** Each model is served by the vendor of its name, on all its wires. The SDKs' own tests ask for `model` and `model_id`. */
export const native: Setup = (mock) => ({
  providers: {
    'mock-openai': { ...openai(mock), patterns: [...openaiNames, ...mediaNames] },
    'mock-anthropic': { ...anthropic(mock), patterns: anthropicNames },
    'mock-gemini': { ...gemini(mock), patterns: geminiNames },
    'mock-socket': { ...openai(mock), speaks: ['openai-responses'], responses_socket: true },
  },
  models: {
    model: { provider: 'mock-openai' },
    model_id: { provider: 'mock-anthropic' },
    [onSocket]: { provider: 'mock-socket', model: models.MODEL_OPENAI },
  },
});

/** OpenAI's clients get Anthropic's models, the others those that OpenAI serves as Chat Completions. */
export const translated: Setup = (mock) => ({
  providers: {
    // First, as OpenAI's names of models of media are like those of its others.
    'mock-openai': {
      ...openai(mock),
      speaks: ['openai-chat'],
      patterns: [...anthropicNames, ...geminiNames, ...mediaNames],
    },
    'mock-anthropic': { ...anthropic(mock), patterns: openaiNames },
  },
  models: {
    [models.MODEL_OPENAI]: { provider: 'mock-anthropic', model: models.MODEL_ANTHROPIC },
    [models.MODEL_ANTHROPIC]: { provider: 'mock-openai', model: models.MODEL_OPENAI },
    [models.MODEL_GEMINI]: { provider: 'mock-openai', model: models.MODEL_OPENAI },
    ...pictures,
    [onSocket]: { provider: 'mock-anthropic', model: models.MODEL_ANTHROPIC },
    model: { provider: 'mock-anthropic' },
    model_id: { provider: 'mock-openai' },
  },
});

/** And others again: OpenAI's clients get Gemini, Anthropic's what OpenAI serves as Responses, Gemini's Anthropic's models. */
export const translatedAgain: Setup = (mock) => ({
  providers: {
    'mock-openai': { ...openai(mock), patterns: mediaNames },
    'mock-gemini': { ...gemini(mock), patterns: openaiNames },
    'mock-responses': { ...openai(mock), speaks: ['openai-responses'], patterns: anthropicNames },
    'mock-anthropic': { ...anthropic(mock), patterns: geminiNames },
  },
  models: {
    [models.MODEL_OPENAI]: { provider: 'mock-gemini', model: models.MODEL_GEMINI },
    [models.MODEL_ANTHROPIC]: { provider: 'mock-responses', model: models.MODEL_OPENAI },
    [models.MODEL_GEMINI]: { provider: 'mock-anthropic', model: models.MODEL_ANTHROPIC },
    ...pictures,
    [onSocket]: { provider: 'mock-gemini', model: models.MODEL_GEMINI },
    model: { provider: 'mock-gemini' },
    model_id: { provider: 'mock-responses' },
  },
});

function openai(mock: string): object {
  return {
    speaks: ['openai-chat', 'openai-responses'],
    base_url: `${mock}/v1`,
    api_key: 'sk-mock',
    max_tokens_field: 'max_completion_tokens',
  };
}

function anthropic(mock: string): object {
  return { wire: 'anthropic', base_url: mock, api_key: 'sk-ant-mock' };
}

function gemini(mock: string): object {
  return { wire: 'gemini', base_url: `${mock}/v1beta`, api_key: 'mock' };
}
