import { kinds } from '../../../../generated/kinds.gen.ts';
import type { Kind, Setting, Variant } from '../../kind.ts';

function linesOf(id: string, kind: Kind): string[] {
  const { description, uses, needs = [], settings, copy, variants } = kind;
  const texts = Object.entries(copy).map(
    ([name, { description: what, options }]) =>
      `${name} (${withoutStop(what)}${options ? `: ${options.join(' or ')}` : ''})`,
  );
  return [
    `- \`${id}\`: ${description}`,
    ...noted('uses', uses),
    ...noted('needs', needs),
    ...noted('settings', settingsOf(settings)),
    ...noted('copy', texts),
    ...Object.entries(variants).map(([name, variant]) => `  - variant \`${name}\`: ${variantLine(variant)}`),
  ];
}

const noted = (what: string, names: readonly string[]) =>
  names.length > 0 ? [`  ${what}: ${names.join(', ')}`] : [];

function variantLine({ description, uses = [], needs = [], settings }: Variant): string {
  const more = [
    ...noted('uses', uses),
    ...noted('needs', needs),
    ...noted('settings', settingsOf(settings)),
  ].map((line) => line.trim());
  return [description, ...more].join(' ');
}

const settingsOf = (settings: Readonly<Record<string, Setting>> = {}) =>
  Object.entries(settings).map(
    ([name, { description, min, max, value }]) =>
      `${name} (${withoutStop(description)}, ${min} to ${max}, else ${value})`,
  );

const withoutStop = (sentence: string) => sentence.replace(/\.$/, '');

/** What a model must know of the kinds: what each is for, uses, needs and can be set, a few lines for each. */
export const kindLines: string = Object.entries(kinds)
  .map(([id, kind]) => linesOf(id, kind).join('\n'))
  .join('\n');
