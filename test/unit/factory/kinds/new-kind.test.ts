import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cuesIn, kindOf } from '../../../../src/factory/read/kind-of.ts';
import { type Kinds, kindsIn } from '../../../../src/factory/read/kinds.ts';
import { lexiconOf } from '../../../../src/factory/read/lexicon.ts';
import { objectPhrase } from '../../../../src/factory/read/request.ts';
import { tagged } from '../../../../src/factory/read/tag.ts';
import { draftOf } from '../../../helpers/draft.ts';

const kind = `
cues:
  en: { heads: [aquarium, fish tank], verbs: [feed], things: [guppy] }
  de: { heads: [aquarium] }
  es: { heads: [acuario] }
  fr: { heads: [aquarium] }
  it: { heads: [acquario] }
  pt: { heads: [aquário] }
  variants:
    reef:
      en: { heads: [reef tank] }
      de: { heads: [riffbecken] }
      es: { heads: [acuario de arrecife] }
      fr: { heads: [aquarium récifal] }
      it: { heads: [acquario di barriera] }
      pt: { heads: [aquário de recife] }
`;

const texts = `
content:
  en: { name: Tank }
  de: { name: Becken }
  es: { name: Acuario }
  fr: { name: Aquarium }
  it: { name: Acquario }
  pt: { name: Aquário }
`;

const compose = `
export const compose = ({ facts }, { name }) => ({
  spec: { name, choices: facts.people.map(({ text }) => text) },
  assumptions: [],
});
`;

describe('a kind that is added', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
  let kinds: Kinds;

  beforeAll(async () => {
    mkdirSync(join(folder, 'aquarium'));
    writeFileSync(join(folder, 'aquarium', 'kind.yaml'), kind);
    writeFileSync(join(folder, 'aquarium', 'texts.yaml'), texts);
    writeFileSync(join(folder, 'aquarium', 'compose.ts'), compose);
    mkdirSync(join(folder, 'notes-of-nobody'));
    kinds = await kindsIn(pathToFileURL(`${folder}/`), true);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const found = (prompt: string, lang: 'en' | 'de' | 'pt') => {
    const lexicon = lexiconOf(lang);
    const tokens = tagged(prompt, lexicon);
    const all = cuesIn(tokens, [kinds.cues(lang)], lexicon, new Set());
    const object = objectPhrase(tokens, lexicon, () => false);
    return kindOf(
      all,
      { tokens, object, generic: false, asks: 0, listed: () => false, isVague: () => false },
      null,
    );
  };

  it.each([
    ['en', 'a planner for my fish tank', ''],
    ['en', 'track the corals of my reef tank', 'reef'],
    ['de', 'eine App für mein Riffbecken', 'reef'],
    ['pt', 'quero um aquário', ''],
  ] as const)('is found by its folder alone: %s %s', (lang, prompt, variant) => {
    expect(found(prompt, lang)).toMatchObject({ kind: 'aquarium', variant });
  });

  it('is not found where nothing speaks for it', () => {
    expect(found('a list of books', 'en')).toBeNull();
  });

  it('composes with its own texts', () => {
    const draft = draftOf('fish tank for Nemo', {
      facts: { people: [{ text: 'Nemo', start: 14, end: 18 }] },
    });
    expect(kinds.compose('aquarium')?.(draft, kinds.content('aquarium', 'it'))).toEqual({
      spec: { name: 'Acquario', choices: ['Nemo'] },
      assumptions: [],
    });
  });

  it('leaves out folders without a kind', () => {
    expect(kinds.compose('notes-of-nobody')).toBeNull();
  });
});
