import { describe, expect, it } from 'vitest';
import type { AppSpec } from '../../../../src/factory/spec.ts';
import { hueNames } from '../../../factory/score/concepts.ts';
import { droppedSilently } from '../../../factory/score/honesty.ts';
import type { PromptEntry } from '../../../factory/score/prompt-set.ts';
import { clockTimes, datesIn, hasFact, numbersIn, timesIn } from '../../../factory/score/quantities.ts';
import { score } from '../../../factory/score/score.ts';
import { fold, likeWord, sameText } from '../../../factory/score/text.ts';
import { entryOf, readingOf, specOf } from './ideal.ts';

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

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

describe('numbers', () => {
  it.each([
    ['8.50', [8.5]],
    ['8,50 €', [8.5]],
    ['1.850,00', [1850]],
    ['12,345.67', [12345.67]],
    ['42.000', [42000, 42]],
    ['2019-2022', [2019, 2022]],
    ['none', []],
  ])('%s', (text, numbers) => {
    expect(numbersIn(text)).toEqual(numbers);
  });
});

describe('times', () => {
  it.each([
    ['open 7-13', ['07:00', '13:00']],
    ['07:00–13:00', ['07:00', '13:00']],
    ['9am-6pm', ['09:00', '18:00']],
    ['ore 11', ['11:00']],
    ['aperto 19-23:30', ['19:00', '23:30']],
    ['8h30 à 12h30', ['08:30', '12:30']],
    ['18.30 Uhr', ['18:30']],
    ['das 9h às 19h', ['09:00', '19:00']],
    ['von 10 bis 18 Uhr', ['10:00', '18:00']],
  ])('%s', (text, times) => {
    expect([...timesIn(text)]).toEqual(expect.arrayContaining(times.map(minutes)));
  });

  it('takes no price and no bare number for a time that is spelled out', () => {
    expect(clockTimes(fold('Latte 3.20, 8 rounds of 20 seconds, 4 horas'))).toEqual([]);
  });
});

describe('dates', () => {
  it.each([
    ['2026-07-12', { year: 2026, month: 7, day: 12 }],
    ['on 12 July', { year: null, month: 7, day: 12 }],
    ['July 12th, 2026', { year: 2026, month: 7, day: 12 }],
    ['am 3. März 2026', { year: 2026, month: 3, day: 3 }],
    ['am 14.6. im Garten', { year: null, month: 6, day: 14 }],
    ['el 17 de mayo', { year: null, month: 5, day: 17 }],
    ['le 1er août', { year: null, month: 8, day: 1 }],
    ['19 settembre 2026', { year: 2026, month: 9, day: 19 }],
    ['25 de julho de 2026', { year: 2026, month: 7, day: 25 }],
    ['10 e 11 ottobre 2026', { year: 2026, month: 10, day: 10 }],
    ['10 e 11 ottobre 2026', { year: 2026, month: 10, day: 11 }],
  ])('%s', (text, date) => {
    expect(datesIn(text)).toContainEqual(date);
  });

  it('takes no fraction and no time for a date', () => {
    expect(datesIn('3/4 time, pomodoro 45/15, 5 maybe, 7.30 Uhr')).toEqual([]);
  });
});

describe('facts', () => {
  const where = {
    texts: ['Rua das Flores 33', 'Tel. (0113) 496-0127', 'Di–Sa 7–13 Uhr', '3,20 €'],
    numbers: [1500],
  };

  it.each(['rua das flores', '0113 496 0127', '07:00', '13:00', '3.20', '3,2', '1500', '€'])(
    '%s is there',
    (fact) => {
      expect(hasFact(where, fact, 'pt')).toBe(true);
    },
  );

  it.each(['das Flo', '0113 496 0128', '08:00', '2', '20', '$', 'lores', '2026-01-01'])(
    '%s is not',
    (fact) => {
      expect(hasFact(where, fact, 'pt')).toBe(false);
    },
  );

  it.each([
    ['Due', 'Due date', 'en'],
    ['Price', 'Prize', 'en'],
    ['Datum', 'Data', 'de'],
  ] as const)('%s is not the same as %s', (one, other, lang) => {
    expect(sameText(one, other, lang)).toBe(false);
  });

  it.each([
    ['recpies', 'recipes', 'en', true],
    ['calander', 'calendar', 'en', true],
    ['listen', 'silent', 'en', false],
    ['painter', 'paint', 'en', true],
    ['ausgaben', 'ausgabenliste', 'de', true],
    ['contact', 'content', 'en', false],
    ['car', 'card', 'en', false],
  ] as const)('%s may stand for %s in %s: %s', (one, other, lang, holds) => {
    expect(likeWord(one, other, lang)).toBe(holds);
  });
});

describe('hues', () => {
  it.each([
    ['#1f8a4c', 'green'],
    ['#d02030', 'red'],
    ['#0f766e', 'teal'],
    ['#1d4ed8', 'blue'],
    ['#7c3aed', 'purple'],
    ['#db2777', 'pink'],
    ['#f4a6c0', 'pink'],
    ['#ea580c', 'orange'],
    ['#eab308', 'yellow'],
    ['#7a4a21', 'brown'],
    ['#6b7280', 'grey'],
    ['#111111', 'black'],
  ])('%s is called %s', (hex, name) => {
    expect(hueNames(hex)).toContain(name);
  });

  it.each([
    ['#1d4ed8', 'green'],
    ['#d02030', 'blue'],
    ['#ea580c', 'pink'],
  ])('%s is not called %s', (hex, name) => {
    expect(hueNames(hex)).not.toContain(name);
  });
});
