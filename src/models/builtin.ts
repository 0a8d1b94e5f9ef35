import type { ModelSettings } from './settings.ts';

/**
 * Models that `GET /v1/models` lists when their vendor is configured; every other name is routed by pattern. The first
 * of a vendor is its default. Names are those of openai 7.55 and @anthropic-ai/sdk 1.11 and, for Gemini, of
 * https://ai.google.dev/gemini-api/docs/models, without what is announced to go within weeks (November 2026).
 */
const builtinNames: Readonly<Record<string, readonly string[]>> = {
  openai: [
    'gpt-5.4-mini',
    'gpt-5.4',
    'gpt-5.5',
    'gpt-5.6-sol',
    'gpt-5.6-terra',
    'gpt-5.6-luna',
    'gpt-6-sol',
    'gpt-6-luna',
    'gpt-4.1',
    'gpt-4.1-mini',
    'gpt-4o',
    'gpt-4o-mini',
  ],
  anthropic: [
    'claude-sonnet-5-5',
    'claude-opus-5-5',
    'claude-haiku-5-5',
    'claude-sonnet-5',
    'claude-opus-5',
    'claude-opus-4-8',
    'claude-opus-4-7',
    'claude-opus-4-6',
    'claude-sonnet-4-6',
    'claude-haiku-4-5',
  ],
  gemini: [
    'gemini-flash-latest',
    'gemini-flash-lite-latest',
    'gemini-pro-latest',
    'gemini-3.7-flash',
    'gemini-3.6-flash',
    'gemini-3.5-flash',
    'gemini-3.1-pro-preview',
  ],
};

/**
 * Names that people still send though their vendor has withdrawn the model, and what takes its place: the newest of
 * the same line. claude-sonnet-4 (-4-0, -4-20250514) and claude-opus-4 went on 15 June 2026, gemini-2.0-flash on
 * 1 June 2026, gpt-4 on 23 October 2026.
 */
const builtinAliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openai: { 'gpt-4': 'gpt-4.1' },
  anthropic: {
    'claude-sonnet-4': 'claude-sonnet-4-6',
    'claude-sonnet-4-0': 'claude-sonnet-4-6',
    'claude-opus-4': 'claude-opus-4-8',
    'claude-opus-4-0': 'claude-opus-4-8',
    'claude-haiku-4': 'claude-haiku-4-5',
  },
  gemini: { 'gemini-2.0-flash': 'gemini-flash-latest' },
};

/** The known models of a provider by this id. */
export function builtinModels(provider: string): readonly ModelSettings[] {
  const names = Object.hasOwn(builtinNames, provider) ? (builtinNames[provider] ?? []) : [];
  return names.map((id) => ({ id, provider, model: id, temperature: null, fallbacks: [] }));
}

/** The known aliases for models of a provider by this id, as pairs of name and what it stands for. */
export function builtinAliasesOf(provider: string): readonly (readonly [string, string])[] {
  return Object.hasOwn(builtinAliases, provider) ? Object.entries(builtinAliases[provider] ?? {}) : [];
}
