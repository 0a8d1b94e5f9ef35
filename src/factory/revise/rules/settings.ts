import { kindOfApp, settingsFor } from '../../catalogue.ts';
import { type AppSpec, variants } from '../../spec.ts';
import { asKind } from '../as-kind.ts';
import { done, type Outcome, type Rule } from '../rule.ts';
import { bare, isOne, type Words } from '../words.ts';

/** The most that a setting can be: minutes of a day. */
const max = 1440;

/** A number that the app begins with: “25 minute focus”, “set the rounds to 6”. */
export const setting: Rule = (spec, { setting = '', number = '' }, words) =>
  withSetting(spec, setting, number, words);

/** A number of this app, or of another one of its kind: a countdown that is told of its breaks becomes a pomodoro. */
export function withSetting(spec: AppSpec, called: string, given: string, words: Words): Outcome {
  const value = Number(given.replace(',', '.'));
  if (!(value > 0 && value <= max)) return null;
  const text = bare(words, called);
  const keyIn = (settings: Readonly<Record<string, number>>) =>
    Object.keys(settings).find(
      (key) => isOne(words.file.settings[key], text) || key.toLowerCase() === text.toLowerCase(),
    );
  const own = keyIn(spec.settings);
  if (own) return change(spec, own, value, text, words);
  for (const variant of variants[spec.kind] ?? []) {
    const key = keyIn(settingsFor(kindOfApp(spec.kind, variant), {}));
    const other = key && asKind(spec, spec.kind, variant, words);
    if (other) return change(other, key, value, text, words);
  }
  return null;
}

const change = (spec: AppSpec, key: string, value: number, text: string, words: Words): Outcome =>
  done(words, { ...spec, settings: { ...spec.settings, [key]: value } }, 'set', {
    what: text,
    value: String(value),
  });
