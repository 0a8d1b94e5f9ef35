import type { ModelGateway } from '../../model/port.ts';
import type { ModelSettings } from '../upstream/settings.ts';

const openai = {
  provider: 'openai',
  since: '2026-10-23',
  source: 'https://developers.openai.com/api/docs/deprecations',
} as const;

const anthropic = {
  provider: 'anthropic',
  source: 'https://platform.claude.com/docs/en/about-claude/model-deprecations',
} as const;

const gemini = {
  provider: 'gemini',
  since: '2026-06-01',
  source: 'https://ai.google.dev/gemini-api/docs/deprecations',
} as const;

/**
 * Names of model families that programs still send though the vendor has withdrawn the model, each with the successor
 * that the vendor's page declares (as it stood in autumn 2026). Every other name goes to its vendor as it is: a dated
 * one, such as `gpt-4-0613`, asks for that version alone, as does `provider/model`, and the vendor may refuse it.
 * Anthropic's own names of Claude Sonnet 4 and Opus 4 ended in `-4-0`.
 */
export const substitutions: readonly Substitution[] = [
  { name: 'gpt-4', sentAs: 'gpt-5.6-sol', ...openai },
  { name: 'gpt-4-turbo', sentAs: 'gpt-5.6-sol', ...openai },
  { name: 'gpt-4.1-nano', sentAs: 'gpt-5.6-luna', ...openai },
  { name: 'gpt-3.5-turbo', sentAs: 'gpt-5.6-terra', ...openai },
  { name: 'o1', sentAs: 'gpt-5.6-sol', ...openai },
  { name: 'o3-mini', sentAs: 'gpt-5.6-sol', ...openai },
  { name: 'o4-mini', sentAs: 'gpt-5.6-terra', ...openai },
  { name: 'claude-sonnet-4', sentAs: 'claude-sonnet-4-6', since: '2026-06-15', ...anthropic },
  { name: 'claude-sonnet-4-0', sentAs: 'claude-sonnet-4-6', since: '2026-06-15', ...anthropic },
  { name: 'claude-opus-4', sentAs: 'claude-opus-4-8', since: '2026-06-15', ...anthropic },
  { name: 'claude-opus-4-0', sentAs: 'claude-opus-4-8', since: '2026-06-15', ...anthropic },
  { name: 'claude-opus-4-1', sentAs: 'claude-opus-4-8', since: '2026-08-05', ...anthropic },
  { name: 'gemini-2.0-flash', sentAs: 'gemini-3.6-flash', ...gemini },
  { name: 'gemini-2.0-flash-lite', sentAs: 'gemini-3.1-flash-lite', ...gemini },
];

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

/** A name that is sent to its vendor as another one. */
export interface Substitution {
  /** The name that clients send as `model`. */
  readonly name: string;
  readonly provider: string;
  /** The vendor's name of the model that answers: one fixed model, never a name that the vendor moves on. */
  readonly sentAs: string;
  /** The day on which the vendor withdrew what the name stood for, `YYYY-MM-DD`. */
  readonly since: string;
  /** Where the vendor declares both. */
  readonly source: string;
}

/** Vendors whose interfaces clients speak. */
const vendors = ['openai', 'anthropic', 'gemini'] as const;

/** Names of models to ask for, by the interface that asks. */
export type ModelsByVendor = Readonly<Record<(typeof vendors)[number], string>>;

/** The model that each vendor's examples name. */
export const vendorDefaults: ModelsByVendor = byVendor((vendor) => builtinModels(vendor)[0]?.id ?? vendor);

/** The same on a server that may not know all of them: where it does not, its own default model. */
export function exampleModels(models: Pick<ModelGateway, 'find' | 'list'>): ModelsByVendor {
  return byVendor((vendor) => {
    try {
      return models.find(vendorDefaults[vendor]).id;
    } catch {
      return models.list().default_model;
    }
  });
}

function byVendor(nameOf: (vendor: keyof ModelsByVendor) => string): ModelsByVendor {
  return { openai: nameOf('openai'), anthropic: nameOf('anthropic'), gemini: nameOf('gemini') };
}
