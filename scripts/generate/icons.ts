import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as lucide from 'lucide';
import { parse } from 'yaml';
import type { Kind } from '../../src/factory/kind.ts';

type Words = Readonly<Record<string, readonly string[]>>;
/** The words of each picture, by language. */
export type Subjects = Readonly<Record<string, Words>>;

type Drawing = readonly (readonly [string, Readonly<Record<string, string>>])[];
const drawingType = 'readonly (readonly [string, Readonly<Record<string, string>>])[]';

const set = lucide.icons as unknown as Readonly<Record<string, Drawing | undefined>>;

/** What the pictures stand for. Throws where the file does not fit its schema. */
export function readSubjects(folder: string): Subjects {
  const schema = JSON.parse(readFileSync(path.join(folder, 'subjects.schema.json'), 'utf8')) as object;
  const validate = new Ajv2020({ allErrors: true, strict: true }).compile<Subjects>(schema);
  const written: unknown = parse(readFileSync(path.join(folder, 'subjects.yaml'), 'utf8'));
  if (validate(written)) return written;
  const [first] = validate.errors ?? [];
  throw new Error(`icons/subjects.yaml: ${first?.instancePath} ${first?.message}`);
}

/** TypeScript source of the pictures of subjects and kinds. Throws where the set has no picture of a name. */
export function iconsSource(subjects: Subjects, kinds: readonly Kind[]): string {
  const named = kinds.flatMap(({ icon, variants }) => [
    icon,
    ...Object.values(variants).flatMap((variant) => variant.icon ?? []),
  ]);
  const names = [...new Set([...Object.keys(subjects), ...named])].sort();
  const langs = Object.keys(Object.values(subjects)[0] ?? {});
  const wordsIn = (lang: string) =>
    Object.entries(subjects).map(
      ([name, words]) => `    ${JSON.stringify(name)}: ${JSON.stringify(words[lang] ?? [])},`,
    );
  return [
    `// The pictures are from Lucide ${version()} (https://lucide.dev), licence ISC and, for those of Feather, MIT.`,
    '/**',
    ' * The shapes of a picture on a grid of 24 by 24, drawn with a round pen that is 2 wide: names of SVG elements and their',
    ' * attributes.',
    ' */',
    `export type Drawing = ${drawingType};`,
    '',
    'export const drawings: Readonly<Record<string, Drawing>> = {',
    ...names.map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(drawing(name))},`),
    '};',
    '',
    '/** The words that each picture stands for, by language. */',
    'export const iconWords: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {',
    ...langs.flatMap((lang) => [`  ${lang}: {`, ...wordsIn(lang), '  },']),
    '};',
    '',
    '/** Under what the pictures may be used. */',
    `export const iconLicence = ${JSON.stringify(licence())};`,
    '',
  ].join('\n');
}

/** The set calls `book-open` BookOpen, and `building-2` Building2. */
function drawing(name: string): Drawing {
  const found = set[name.replace(/(?:^|-)([a-z0-9])/g, (_, first: string) => first.toUpperCase())];
  if (!found) throw new Error(`Lucide has no picture ${JSON.stringify(name)}`);
  return found;
}

const home = () => path.join(import.meta.dirname, '../../node_modules/lucide');
const version = () =>
  (JSON.parse(readFileSync(path.join(home(), 'package.json'), 'utf8')) as { version: string }).version;
const licence = () => readFileSync(path.join(home(), 'LICENSE'), 'utf8').trim();
