/** A name that is sent to its vendor as another one. */
export interface Substitution {
  /** What clients send as `model`. */
  readonly name: string;
  readonly provider: string;
  /** The vendor's name of the model that answers: one fixed model, never a name that the vendor moves on. */
  readonly sentAs: string;
  /** The day on which the vendor withdrew what the name stood for, `YYYY-MM-DD`. */
  readonly since: string;
  /** Where the vendor declares both. */
  readonly source: string;
}

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
