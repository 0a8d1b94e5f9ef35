import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { testEvery } from '../../../helpers/test-every.ts';

const kindsFolder = new URL('../../../../src/factory/kinds/', import.meta.url);
const langs = ['en', 'de', 'es', 'fr', 'it', 'pt'] as const;

type Json = { readonly [member: string]: Json } | readonly Json[] | string | number | boolean | null;

const kinds = readdirSync(kindsFolder).filter((kind) =>
  existsSync(new URL(`${kind}/kind.yaml`, kindsFolder)),
);

const memberOf = (kind: string, file: string, member: string) =>
  (parse(readFileSync(new URL(`${kind}/${file}`, kindsFolder), 'utf8')) as Readonly<Record<string, Json>>)[
    member
  ];
const cuesOf = (kind: string) => memberOf(kind, 'kind.yaml', 'cues');
const contentOf = (kind: string) => memberOf(kind, 'texts.yaml', 'content');

/** The members and lengths of what the kind composes from, without its texts. */
function shapeOf(value: Json): unknown {
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? 'texts' : value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member]) => member !== 'name')
      .map(([member, inner]) => [member, shapeOf(inner)]),
  );
}

const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, member) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, Json>)[member] : undefined,
    value,
  );

describe('the cues of the kinds', () => {
  it('are there for every kind that composes, and the other way round', () => {
    expect(kinds.length).toBeGreaterThanOrEqual(20);
    expect(kinds.filter((kind) => !existsSync(new URL(`${kind}/compose.ts`, kindsFolder)))).toEqual([]);
  });

  testEvery('name it in all languages', kinds, (kind) => {
    const cues = cuesOf(kind);
    const without = langs.filter((lang) => {
      const heads = at(cues, lang, 'heads');
      return !Array.isArray(heads) || heads.length === 0;
    });
    expect(without).toEqual([]);
  });

  // The words of languages differ in number; what a composer relies on does not.
  testEvery(
    'have the same content in all languages',
    kinds.filter((kind) => !['converter', 'quiz', 'flashcards'].includes(kind)),
    (kind) => {
      const content = contentOf(kind);
      const english = shapeOf(at(content, 'en') ?? null);
      for (const lang of langs) expect([lang, shapeOf(at(content, lang) ?? null)]).toEqual([lang, english]);
    },
  );
});

describe('the things that a tracker knows', () => {
  const content = contentOf('tracker');
  const things = (lang: string) => at(content, lang, 'entities') as readonly Record<string, Json>[];
  const fields = (lang: string) => at(content, lang, 'fields') as Record<string, Record<string, Json>>;

  testEvery(
    'have fields that are there in each language, with the types that they have in English',
    langs,
    (lang) => {
      const keys = things(lang).flatMap((thing) => thing['fields'] as readonly string[]);
      expect(keys.filter((key) => fields(lang)[key] === undefined)).toEqual([]);
      const types = (all: Record<string, Record<string, Json>>) =>
        Object.entries(all).map(([key, { type, total }]) => [key, type, total]);
      expect(types(fields(lang))).toEqual(types(fields('en')));
    },
  );

  testEvery('begin without made-up entries', langs, (lang) => {
    expect(things(lang).filter((thing) => 'seeds' in thing)).toEqual([]);
    expect(things(lang).length).toBeGreaterThan(50);
  });
});

describe('ready questions', () => {
  testEvery('have one right answer among different ones', langs, (lang) => {
    const topics = at(contentOf('quiz'), lang, 'topics') as readonly {
      questions: { answer: string; wrong: string[] }[];
    }[];
    const questions = topics.flatMap((topic) => topic.questions);
    expect(questions.length).toBeGreaterThan(120);
    for (const { answer, wrong } of questions) expect(new Set([answer, ...wrong]).size).toBe(4);
  });

  it('are as many in every language', () => {
    const counts = langs.map((lang) =>
      (at(contentOf('quiz'), lang, 'topics') as readonly { questions: unknown[] }[]).map(
        ({ questions }) => questions.length,
      ),
    );
    for (const count of counts) expect(count).toEqual(counts[0]);
  });
});
