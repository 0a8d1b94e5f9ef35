import { describe, expect, it } from 'vitest';
import type { AppSpec } from '../../../../src/factory/spec.ts';
import { droppedSilently } from '../../../factory/score/honesty.ts';
import type { PromptEntry } from '../../../factory/score/prompt-set.ts';
import { score } from '../../../factory/score/score.ts';
import { entryOf, readingOf, specOf } from './specs.ts';

const dropped = (
  prompt: string,
  members: Partial<AppSpec> = {},
  notTakenUp: string[] = [],
  entry: Partial<PromptEntry> = {},
) =>
  droppedSilently(specOf(members), readingOf({ notTakenUp }), entryOf({}, { prompt, ...entry })).map(
    ({ text }) => text,
  );

describe('what a result drops', () => {
  it('is nothing when all is in the spec', () => {
    expect(
      dropped('Hi, could you please make me a list of tools with tool, due date, status (in, out)? Thanks!'),
    ).toEqual([]);
  });

  it.each([
    ['a noun', 'a list of tools and bicycles', ['bicycles']],
    ['a number', 'a list of 37 tools', ['37']],
    ['a proper name', 'a list of tools for Agnieszka', ['agnieszka']],
    ['a quoted text', 'a list of tools called "Shed of wonders"', ['"shed of wonders"']],
    ['an address', 'tools, to jo@shed.example', ['jo@shed.example']],
    ['a time', 'tools from 7:30', ['7:30']],
    ['a date', 'tools by 3 July', ['3 july']],
    ['a wish', 'tools with login', ['login']],
    ['a colour that it does not have', 'purple tools', ['purple']],
    ['a feature that it does not have', 'tools with a chart', ['chart']],
  ])('is %s', (_, prompt, words) => {
    expect(dropped(prompt)).toEqual(words);
    expect(dropped(prompt, {}, words)).toEqual([]);
  });

  it('is not what it takes up by its colour, features, types, language, currency or mode', () => {
    const prompt = 'green tools with a chart, in english, in euros, dark mode, with a date and a dropdown';
    expect(
      dropped(prompt, { features: ['chart'], palette: { accent: '#1f8a4c', mode: 'dark', look: 'soft' } }),
    ).toEqual([]);
  });

  it('is no quantity that stands there in another form', () => {
    const members: Partial<AppSpec> = {
      kind: 'landing',
      settings: { work: 1500 },
      hours: [{ days: 'Di–Sa', time: '07:00–13:00' }],
      sections: [
        {
          type: 'prices',
          title: 'Brot',
          items: [{ title: 'Roggenbrot', price: '4,20 €', meta: '2026-07-03' }],
        },
      ],
    };
    const prompt = 'Brot 4.20 Roggenbrot, 7-13 Uhr, 25 Minuten, 3. Juli 2026';
    expect(dropped(prompt, members, ['Minuten'], { lang: 'de' })).toEqual([]);
  });

  it.each([
    ['en', 'tools, Mon-Fri', 'Monday – Friday'],
    ['en', 'tools, on Tuesdays', 'Mon–Wed'],
    ['de', 'Werkzeug Tools Di bis Sa', 'Dienstag–Samstag'],
    ['pt', 'tools, seg a sex', 'segunda-feira a sexta-feira'],
  ] as const)('is no weekday that a span covers, in %s: %s', (lang, prompt, days) => {
    expect(dropped(prompt, { tagline: 'Werkzeug', hours: [{ days, time: '' }] }, [], { lang })).toEqual([]);
    expect(dropped(prompt, { tagline: 'Werkzeug' }, [], { lang })).not.toEqual([]);
  });

  it('is no weekday of a date that is taken up', () => {
    expect(dropped('tools by Friday, 3 July', { tagline: '2026-07-03' })).toEqual([]);
    expect(dropped('tools by Friday', { tagline: '2026-07-03' })).toEqual(['friday']);
  });

  it('is told as a fact, a name or a word', () => {
    const prompt = 'a list of 37 tools and bicycles for Agnieszka';
    expect(droppedSilently(specOf(), readingOf(), entryOf({}, { prompt }))).toEqual([
      { sort: 'fact', text: '37' },
      { sort: 'word', text: 'bicycles' },
      { sort: 'name', text: 'agnieszka' },
    ]);
  });

  it('is nothing that is only misspelled', () => {
    expect(dropped('a list of toosl and recpies', { tagline: 'Recipes' })).toEqual([]);
  });

  it('is nothing that the entry says may be said by another word', () => {
    expect(dropped('a list of utensils', {}, [], { same: { Utensils: ['tool'] } })).toEqual([]);
  });

  it.each(['spec', 'list'])('is not hidden by repeating the prompt in the %s', (place) => {
    const prompt = 'I want a list of rusty tractors with their village, harvester and last repair';
    const words = ['rusty', 'tractors', 'village', 'harvester', 'repair'];
    const result = place === 'spec' ? dropped(prompt, { tagline: prompt }) : dropped(prompt, {}, [prompt]);
    expect(result).toEqual(words);
  });

  it('is not hidden by what is only supposed', () => {
    expect(dropped('tools for Agnieszka', { assumptions: ['Agnieszka owns it'] })).toEqual(['agnieszka']);
  });

  it.each([
    ['de', 'Ich hätte gern eine Liste für Werkzeug mit Ausleiher', ['ausleiher']],
    ['es', 'Quiero una lista de herramientas con dueño, por favor', ['dueno']],
    ['fr', "Je voudrais une liste d'outils avec emprunteur", ['emprunteur']],
    ['it', 'Vorrei un elenco degli attrezzi con proprietario', ['proprietario']],
    ['pt', 'Quero uma lista de ferramentas com dono', ['dono']],
  ] as const)('is a word of %s, and no function word', (lang, prompt, words) => {
    const members = {
      lang: lang as AppSpec['lang'],
      tagline: 'Werkzeug Herramientas Outils Attrezzi Ferramentas',
    };
    expect(dropped(prompt, members, [], { lang })).toEqual(words);
  });
});

describe('an honest result', () => {
  it('may be wrong, and a right one dishonest', () => {
    const entry = entryOf({}, { prompt: 'tools with login' });
    expect(score(specOf(), readingOf(), entry)).toMatchObject({ verdict: 'right', honest: false });
    const listing = readingOf({ notTakenUp: ['login'] });
    expect(score(specOf({ kind: 'notes' }), listing, entry)).toMatchObject({
      verdict: 'wrong',
      honest: true,
    });
  });

  it('says what it lists though it took it up, at no cost', () => {
    const result = score(specOf(), readingOf({ notTakenUp: ['due date', 'login'] }), entryOf());
    expect(result).toMatchObject({ verdict: 'right', honest: true, overlisted: ['due date'] });
  });
});
