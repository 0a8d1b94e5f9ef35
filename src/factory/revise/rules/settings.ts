import { kindOfApp } from '../../catalogue.ts';
import { type AppSpec, type TemplateName, variants } from '../../spec.ts';
import { asKind } from '../as-kind.ts';
import { done, type Outcome, type Rule } from '../rule.ts';
import { bare, isOne, type Words } from '../words.ts';

/** A number that the app begins with: “25 minute focus”, “set the rounds to 6”. */
export const setting: Rule = (spec, { setting = '', number = '' }, words) =>
  withSetting(spec, setting, number, words);

/** A number of this app, or of another one of its kind: a countdown that is told of its breaks becomes a pomodoro. */
export function withSetting(spec: AppSpec, called: string, given: string, words: Words): Outcome {
  const value = Number(given.replace(',', '.'));
  if (!Number.isFinite(value)) return null;
  const text = bare(words, called);
  const own = keyIn(spec.kind, spec.variant, value, text, words);
  if (own) return change(spec, own, value, text, words);
  for (const variant of variants[spec.kind] ?? []) {
    const key = keyIn(spec.kind, variant, value, text, words);
    const other = key && asKind(spec, spec.kind, variant, words);
    if (other) return change(other, key, value, text, words);
  }
  return null;
}

/** The setting that is called so, if the value is in its bounds. */
function keyIn(
  kind: TemplateName,
  variant: string,
  value: number,
  text: string,
  words: Words,
): string | undefined {
  const settings = Object.entries(kindOfApp(kind, variant).settings);
  const found = settings.find(
    ([key, { min, max }]) =>
      value >= min &&
      value <= max &&
      (isOne(words.file.settings[key], text) || key.toLowerCase() === text.toLowerCase()),
  );
  return found?.[0];
}

const change = (spec: AppSpec, key: string, value: number, text: string, words: Words): Outcome =>
  done(words, { ...spec, settings: { ...spec.settings, [key]: value } }, 'set', {
    what: text,
    value: String(value),
  });
