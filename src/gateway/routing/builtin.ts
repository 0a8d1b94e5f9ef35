import type { ModelSettings } from '../upstream/settings.ts';

/**
 * Models that `GET /v1/models` lists when their vendor is configured; every other name is routed by pattern. The first
 * of a vendor is its default. Names are those of openai 7.55 and @anthropic-ai/sdk 1.11 and, for Gemini, of
 * https://ai.google.dev/gemini-api/docs/deprecations, without what is announced to go within weeks (November 2026), and
 * without names that a vendor moves from model to model, such as `gemini-flash-latest`.
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
    'gemini-3.8-flash',
    'gemini-3.7-flash',
    'gemini-3.6-flash',
    'gemini-3.5-flash',
    'gemini-3.5-flash-lite',
    'gemini-3.1-flash-lite',
    'gemini-3.1-pro-preview',
  ],
};

/** The known models of a provider by this id. */
export function builtinModels(provider: string): readonly ModelSettings[] {
  const names = Object.hasOwn(builtinNames, provider) ? (builtinNames[provider] ?? []) : [];
  return names.map((id) => ({ id, provider, model: id, temperature: null, fallbacks: [] }));
}
