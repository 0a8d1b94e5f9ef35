import { describe, expect, it } from 'vitest';
import { hasFact } from '../../../factory/score/facts.ts';
import { hueNames } from '../../../factory/score/hue.ts';
import { clockTimes, datesIn, numbersIn, timesIn } from '../../../factory/score/quantities.ts';
import { fold, likeWord, sameText } from '../../../factory/score/text.ts';

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
