import type { ProviderSettings } from '../gateway/upstream/settings.ts';

type ProviderDefaults = Omit<
  ProviderSettings,
  'id' | 'apiKey' | 'connections' | 'azureApiVersion' | 'discover' | 'responsesSocket'
>;

/** Vendors that need nothing but a key. */
export const builtInProviders = {
  openai: {
    speaks: ['openai-chat', 'openai-responses'],
    baseUrl: 'https://api.openai.com/v1',
    patterns: [
      'gpt-*',
      'chatgpt-*',
      'o1*',
      'o3*',
      'o4*',
      'codex-*',
      'text-embedding-*',
      'dall-e-*',
      'whisper-*',
      'tts-*',
      'omni-moderation-*',
    ],
    // Reasoning models refuse the older `max_tokens`.
    maxTokensField: 'max_completion_tokens',
  },
  anthropic: {
    speaks: ['anthropic'],
    baseUrl: 'https://api.anthropic.com',
    patterns: ['claude-*'],
    maxTokensField: 'max_tokens',
  },
  gemini: {
    speaks: ['openai-chat', 'gemini'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    patterns: ['gemini-*', 'gemma-*'],
    // Its OpenAI-compatible address takes the newer name only as an alias.
    maxTokensField: 'max_tokens',
  },
} as const satisfies Record<string, ProviderDefaults>;

export type BuiltInId = keyof typeof builtInProviders;

/** The wires by the values of `wire` in an entry of the file. */
export const wires = {
  openai: ['openai-chat'],
  anthropic: ['anthropic'],
  gemini: ['gemini'],
} as const satisfies Record<string, ProviderSettings['speaks']>;

/** The defaults of an entry of the file. Other vendors on the OpenAI wire know the older name of the cap. */
export const otherProvider = {
  speaks: ['openai-chat'],
  patterns: [],
  maxTokensField: 'max_tokens',
} as const satisfies Omit<ProviderDefaults, 'baseUrl'>;

/**
 * Maximum number of connections to one vendor, unless the file says otherwise: as many as requests run at a time (`MAX_RUNNING`), as a
 * stream holds one for as long as it lasts.
 */
export const defaultConnections = 10_000;

/** The provider that is always there, configured or not. */
export const sandbox = 'sandbox';
