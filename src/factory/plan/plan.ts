import { withIcon } from '../icons/spec-icon.ts';
import { read } from '../read/read.ts';
import type { Reading, ReadOptions } from '../read/reading.ts';
import { type AppSpec, type Lang, specProblems, type TemplateName } from '../spec.ts';
import { completeSpec } from './complete-spec.ts';
import type { PlanOptions } from './options.ts';
import type { SentSpec } from './sent-spec.ts';

/**
 * What is to be built of a prompt, a spec or both, by rules: the spec wins where it speaks, and what it leaves out is filled
 * in from the prompt or, without one, by its kind.
 */
export function plan(prompt: string, { kind, spec, settled = false, against }: PlanOptions): Reading {
  if (!spec) return read(prompt, optionsOf(kind, against));
  const named = spec.kind ?? kind;
  if (prompt === '' || settled) {
    if (specProblems(spec).length === 0) return { spec: spec as AppSpec, notTakenUp: [], unserved: null };
    if (named === undefined) throw new TypeError('A spec without a prompt needs a kind.');
    return { spec: completed(spec, plainSpec(named, spec.lang ?? 'en')), notTakenUp: [], unserved: null };
  }
  const reading = read(prompt, optionsOf(named, against));
  return { ...reading, spec: completed(spec, reading.spec) };
}

const optionsOf = (kind: TemplateName | undefined, against: AppSpec | undefined): ReadOptions => ({
  ...(kind && { kind }),
  ...(against && { against }),
});

/** The picture follows the words that the spec has in the end, unless the spec names one. */
function completed(spec: SentSpec, ground: AppSpec): AppSpec {
  const whole = completeSpec(spec, { ...ground, icon: '' });
  return spec.icon === undefined ? withIcon(whole) : whole;
}

/** What an app of a kind is when nobody says more. */
function plainSpec(kind: TemplateName, lang: Lang): AppSpec {
  const { spec } = read('', { kind, lang });
  // A line about things that nobody has named would be of other ones.
  return { ...spec, tagline: '', assumptions: [] };
}
