import { isObject } from '../../../../lib/is-object.ts';
import { said } from '../../../../model/parts.ts';
import type { UnroutedCall } from '../../../../model/port.ts';
import { countIn, invalid, textIn } from '../../check.ts';
import type { Body } from '../../wire.ts';
import { readSampling } from './read-options.ts';

/**
 * Reads a request to the older Completions as a message of the user, for vendors that have conversations only. Throws
 * `invalid_request`, also for what cannot be done then: probabilities of tokens, several prompts or answers.
 */
export function readCompletion(body: Body): UnroutedCall {
  refuseUnanswerable(body);
  const maxTokens = countIn(body, 'max_tokens');
  const prompt = promptIn(body);
  const suffix = textIn(body, 'suffix') ?? '';
  return {
    messages: [said('user', suffix === '' ? prompt : between(prompt, suffix))],
    ...readSampling(body),
    ...(maxTokens !== undefined && { maxTokens }),
  };
}

/** The one text that is to be gone on with. */
export function promptIn({ prompt }: Body): string {
  if (typeof prompt === 'string') return required(prompt);
  if (!Array.isArray(prompt)) throw invalid('prompt', 'must be a text');
  const [first] = prompt as readonly unknown[];
  if (prompt.length === 1 && typeof first === 'string') return required(first);
  if (prompt.every((entry) => typeof entry === 'string'))
    throw invalid('prompt', 'must be one text for this model; send each in a request of its own');
  throw invalid('prompt', 'must be a text for this model, not ids of tokens');
}

function required(prompt: string): string {
  if (prompt !== '') return prompt;
  throw invalid('prompt', 'must not be empty');
}

function between(prompt: string, suffix: string): string {
  return [
    'Write the text that belongs between the two texts below. Answer with that text and nothing else: no explanation, no code fence, nothing of the texts themselves.',
    `The text before it:\n${prompt}`,
    `The text after it:\n${suffix}`,
  ].join('\n\n');
}

/** `false`, 0 or 1 as the field says, null and nothing ask for what is done anyway. */
const harmless: Readonly<Record<string, readonly unknown[]>> = {
  n: [1],
  best_of: [1],
  logprobs: [false],
  logit_bias: [],
};

function refuseUnanswerable(body: Body): void {
  for (const [field, values] of Object.entries(harmless)) {
    const value = body[field] ?? undefined;
    if (value === undefined || values.includes(value)) continue;
    if (isObject(value) && Object.keys(value).length === 0) continue;
    throw invalid(field, 'is not possible with this model');
  }
}
