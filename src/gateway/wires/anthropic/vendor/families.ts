/** The abilities of a model of Anthropic, derived from its name. */
export interface Family {
  /** Maximum number of tokens in an answer, thinking included. */
  readonly maxOutput: number;
  /**
   * How thinking is asked for: not at all, by a budget of tokens, by words of effort (`adaptive`), or in both ways.
   */
  readonly thinking: 'none' | 'budget' | 'adaptive' | 'either';
  /** How little a model can think: not at all, not at all unless much effort is asked for, between tools only, or little. */
  readonly leastThinking: 'disabled' | 'disabled_up_to_high' | 'between_tools' | 'low_effort';
  /** The values of `output_config.effort`, in rising order. */
  readonly efforts: readonly Effort[];
  /** `alone`: temperature, or `top_p`, but not the two together. */
  readonly sampling: 'any' | 'alone' | 'none';
  /** Whether an answer can be held to a JSON schema. */
  readonly schemas: boolean;
}

export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

interface FamilyRow extends Family {
  readonly names: RegExp;
}

const allEfforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

const old = {
  thinking: 'none',
  leastThinking: 'disabled',
  efforts: [],
  sampling: 'any',
  schemas: false,
} as const satisfies Partial<Family>;
const four = { ...old, thinking: 'budget', sampling: 'alone' } as const;
const newest = {
  maxOutput: 128_000,
  thinking: 'adaptive',
  leastThinking: 'low_effort',
  efforts: allEfforts,
  sampling: 'none',
  schemas: true,
} as const;

/**
 * The first row that fits holds. Sources: the overview of each model (https://platform.claude.com/docs/en/about-claude/models/overview)
 * for the maximum output; https://platform.claude.com/docs/en/build-with-claude/thinking and `…/effort` for thinking, which
 * by budget is refused from 4.7 on; `…/structured-outputs`, which came with 4.5 and Opus 4.1. Temperature is refused from
 * claude-opus-4-7 on with 400 "`temperature` is deprecated for this model". The figure after the 4 is a minor version only
 * if it has one digit: `claude-sonnet-4-20250514` is 4.0.
 */
const families: readonly FamilyRow[] = [
  { ...old, names: /^claude-(?:2|instant)/, maxOutput: 4096 },
  { ...old, names: /^claude-3-5/, maxOutput: 8192 },
  { ...old, names: /^claude-3-7/, maxOutput: 64_000, thinking: 'budget' },
  { ...old, names: /^claude-3/, maxOutput: 4096 },
  { ...four, names: version('opus-4(?:-0)?'), maxOutput: 32_000, sampling: 'any' },
  { ...four, names: version('(?:sonnet|haiku)-4(?:-0)?'), maxOutput: 64_000, sampling: 'any' },
  { ...four, names: version('opus-4-[1-4]'), maxOutput: 32_000, schemas: true },
  { ...four, names: version('opus-4-5'), maxOutput: 64_000, schemas: true, efforts: allEfforts.slice(0, 3) },
  { ...four, names: version('(?:sonnet|haiku)-4-[1-5]'), maxOutput: 64_000, schemas: true },
  {
    ...four,
    names: version('(?:opus|sonnet|haiku)-4-6'),
    maxOutput: 128_000,
    thinking: 'either',
    efforts: ['low', 'medium', 'high', 'max'],
    schemas: true,
  },
  { ...newest, names: version('(?:opus-4-[78]|sonnet-5)'), leastThinking: 'disabled' },
  { ...newest, names: version('(?:opus-5|haiku-5-5)'), leastThinking: 'disabled_up_to_high' },
  { ...newest, names: version('sonnet-5-5'), leastThinking: 'between_tools' },
  // Fable, Mythos, Opus 5.5, and what is newer than this table.
  { ...newest, names: /^claude-/ },
];

/** A model of another vendor on this wire. They know thinking by budget, and few give more tokens. */
const foreign: Family = {
  ...newest,
  maxOutput: 8192,
  thinking: 'budget',
  leastThinking: 'disabled',
  efforts: [],
  sampling: 'any',
};

export function familyOf(model: string): Family {
  const name = claudeIn(model);
  return name === null ? foreign : (families.find(({ names }) => names.test(name)) ?? foreign);
}

/** Whether the name is one of Anthropic's own models. */
export function isClaude(model: string): boolean {
  return claudeIn(model) !== null;
}

/**
 * Anthropic's own name of the model: Bedrock says `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, OpenRouter `anthropic/claude-sonnet-4.5`.
 * Null for models of others.
 */
function claudeIn(model: string): string | null {
  const [, name] = /(?:^|[./])(claude-[\w.@-]+)/.exec(model) ?? [];
  return name === undefined ? null : name.replace(/-v\d$/, '').replaceAll('.', '-');
}

function version(pattern: string): RegExp {
  return new RegExp(`^claude-${pattern}(?:$|[-@]\\d{8}|-latest)`);
}
