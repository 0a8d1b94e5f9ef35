import type { Reading } from '../read/reading.ts';
import type { AppSpec } from '../spec.ts';
import type { ModelSpec } from './model-spec.ts';

/** Maximum number of lines of what was not taken up. */
const maxLines = 60;

/**
 * What became of a request that a model has planned. What was not taken up is reckoned: what the rules miss in the model's
 * spec, and what the model itself says that the app will not have.
 * @param draft what the rules have read before the model
 * @param ground the same for the model's spec
 * @param madeOf what the app is made of: files of its own, or the template of its kind
 */
export function readingOf(
  spec: AppSpec,
  { servedBy, notDone }: Pick<ModelSpec, 'servedBy' | 'notDone'>,
  draft: Reading,
  ground: Reading,
  madeOf: 'files' | 'template',
): Reading {
  const said = notDone.join('\n').toLowerCase();
  const missing = ground.notTakenUp.filter((part) => !said.includes(part.toLowerCase()));
  const served = servedBy === 'template' || servedBy === madeOf;
  return {
    spec,
    notTakenUp: [...notDone, ...missing.filter((part) => !holds(spec, part))].slice(0, maxLines),
    unserved: served ? null : draft.unserved,
  };
}

/** Whether no kind serves what was asked for, so that only files of its own do. */
export function isBeyondKinds({ servedBy }: Pick<ModelSpec, 'servedBy'>, draft: Reading): boolean {
  return draft.unserved !== null && servedBy === 'files';
}

/** Told where the app is written as what no kind is. */
export const beyondKinds = 'No kind of app serves this; the model writes it as what it is.';

/** Whether every word of a part of the prompt is in the spec, but for what it supposes. */
function holds({ assumptions: _, ...spec }: AppSpec, part: string): boolean {
  const held = new Set(wordsIn(JSON.stringify(spec)));
  return wordsIn(part).every((word) => held.has(word));
}

const wordsIn = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
