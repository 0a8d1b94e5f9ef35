import { merged } from '../../lib/json.ts';
import type { PlanOptions } from '../builder.ts';
import { kindOfApp } from '../catalogue.ts';
import { withIcon } from '../icons/icon-for.ts';
import type { Reading, ReadOptions } from '../read/draft.ts';
import { read } from '../read/read.ts';
import { beginnings } from '../revise/as-kind.ts';
import { wordsOf } from '../revise/words.ts';
import { type AppSpec, type Lang, maxSpecBytes, specProblems, type TemplateName, variants } from '../spec.ts';
import { keyed, type SentSpec } from './sent-spec.ts';

/**
 * A spec with everything that it leaves out taken from another: objects are merged member by member, lists are replaced.
 * @param given has passed `sentSpecProblems`
 * @param ground whole, of the same kind
 */
export function completeSpec(given: SentSpec, ground: AppSpec): AppSpec {
  // Where the kind must keep something, null says no more than nothing.
  const { entity: sent, ...others } = given;
  const speaks = sent !== undefined && !(sent === null && ground.entity !== null);
  const whole = merged(ground, others) as AppSpec;
  const entity = speaks ? sent && { ...sent, fields: keyed(sent.fields) } : ground.entity;
  // The entries of one thing are none of another.
  const keys = new Set(entity?.fields.map(({ key }) => key));
  const seed = (given.seed ?? (speaks ? [] : ground.seed)).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => entity === null || keys.has(key))),
  );
  const variant = variantFor(whole.kind, given.variant, ground.variant);
  const app = kindOfApp(whole.kind, variant);
  // The ground may be of another variant, whose numbers and texts mean nothing here.
  const settings = known(whole.settings, app.settings);
  const copy = known(whole.copy, app.copy);
  const next = { ...whole, variant, entity, seed, settings, copy };
  // A variant that cannot do without something begins with the simplest.
  const missing = app.needs.includes('formula') && whole.formula === null;
  return withinSize({ ...next, ...(missing && beginnings(next, wordsOf(whole.lang))) }, given);
}

const known = <Value>(values: Readonly<Record<string, Value>>, names: object): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(names, name)));

function variantFor(kind: TemplateName, given: string | undefined, other: string): string {
  const allowed = variants[kind];
  if (!allowed) return given ?? other;
  return [given, other, allowed[0]].find((one) => one !== undefined && allowed.includes(one)) ?? '';
}

/** What was filled in and an app can do without, the least first. */
const spare = ['seed', 'assumptions', 'copy', 'features', 'questions', 'sections', 'hours'] as const;

/** A spec that was filled in beyond what one may have, without some of what was. */
function withinSize(spec: AppSpec, given: SentSpec): AppSpec {
  let small = spec;
  for (const name of spare) {
    if (Buffer.byteLength(JSON.stringify(small)) <= maxSpecBytes) break;
    small = { ...small, [name]: given[name] ?? (name === 'copy' ? {} : []) };
  }
  return small;
}

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
