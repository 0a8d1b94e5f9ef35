import { describe, expect, test } from 'vitest';
import { read } from '../../../../src/factory/read/read.ts';

describe('an event', () => {
  const event = (prompt: string) => read(prompt, { kind: 'event' }).spec;

  test('in lines has its programme, and the year that stands in its name', () => {
    const { copy, sections } = event(
      'FESTA DEL RADICCHIO 2027 - Asolo\nsabato 16 ottobre\nore 12:00 apertura\nore 15:30 corsa dei sacchi\nore 21:00 ballo',
    );
    expect(copy['day']).toBe('2027-10-16');
    expect(sections[0]?.items).toEqual([
      { title: 'Apertura', meta: '12:00' },
      { title: 'Corsa dei sacchi', meta: '15:30' },
      { title: 'Ballo', meta: '21:00' },
    ]);
  });

  test.each([
    [
      'Boda de Inés y Bruno, 3 de octubre de 2026 a las 18:30 en la Finca El Olivar, Segovia',
      'Inés & Bruno',
      'Finca El Olivar, Segovia',
    ],
    [
      'Camille et Jonas se marient, 12 juin 2027 à 15h au Domaine des Ormeaux',
      'Camille & Jonas',
      'Domaine des Ormeaux',
    ],
    [
      'Sommerfest der Kita Igel am Samstag, 12. Juni 2027 ab 14 Uhr auf dem Spielplatz Lindenhof',
      'Sommerfest der Kita Igel',
      'Spielplatz Lindenhof',
    ],
    [
      'Festa junina da escola, 20 de junho de 2027 às 16h, no pátio da EMEF Lobato',
      'Festa junina da escola',
      'Pátio da EMEF Lobato',
    ],
  ])('has its name and place: %s', (prompt, name, place) => {
    const spec = event(prompt);
    expect([spec.name, spec.copy['place']]).toEqual([name, place]);
  });

  test('in the evening has its hours in the evening', () => {
    const { sections } = event("Nora's birthday on 18 September 2027 from 7pm. Dinner at 8, dancing from 10");
    expect(sections[0]?.items.map(({ meta }) => meta)).toEqual(['20:00', '22:00']);
  });

  test.each([
    ['Garden party on 5 June 2027. Dress code: something sparkly', 'Something sparkly'],
    ['Grillfest am 5. Juni 2027. Bitte mitbringen: Decke, Sonnenhut', 'Decke, Sonnenhut'],
  ])('says what to wear and to bring: %s', (prompt, text) => {
    expect(event(prompt).sections.map((section) => section.text)).toContain(text);
  });
});

describe('a form', () => {
  test('asks its questions, with the answers that stand behind them', () => {
    const { entity } = read(
      'Feedback form: how was the clay? (great, ok, bad) would you come again? what was missing?',
    ).spec;
    expect(entity?.fields.map(({ label, options }) => [label, options])).toEqual([
      ['How was the clay?', ['great', 'ok', 'bad']],
      ['Would you come again?', undefined],
      ['What was missing?', undefined],
    ]);
  });

  test('keeps its fields where one of them is a question', () => {
    const { entity } = read(
      'Sign-up form\n* Name\n* Birthday\n* Can swim? yes/no\n* Team: Otter / Badger',
    ).spec;
    expect(entity?.fields.map(({ label, type }) => [label, type])).toEqual([
      ['Name', 'text'],
      ['Birthday', 'date'],
      ['Can swim', 'checkbox'],
      ['Team', 'select'],
    ]);
  });
});

describe('a week', () => {
  test('has the people as rows and their shifts as what stands in them', () => {
    const { grid } = read('Schichtplan der Woche. Personen: Anke, Bo, Cem. Schichten: früh, spät, frei').spec;
    expect([grid?.rows, grid?.marks.map(({ label }) => label)]).toEqual([
      ['Anke', 'Bo', 'Cem'],
      ['Früh', 'Spät', 'Frei'],
    ]);
  });
});

describe('a board', () => {
  test('has what its cards have as fields, not as cards', () => {
    const { entity, seed } = read(
      'Board der Werkstatt: Angenommen, In Arbeit, Fertig. Karten mit Kennzeichen, Kunde und Abholtermin',
    ).spec;
    expect(entity?.fields.map(({ label }) => label)).toEqual([
      'Kennzeichen',
      'Status',
      'Kunde',
      'Abholtermin',
      'Notizen',
    ]);
    expect(seed).toEqual([]);
  });
});

describe('a dashboard', () => {
  test('has the day that is listed as its period, and choices as choices', () => {
    const { entity } = read('dashboard for my stall. date, takings, jars sold, sky (sun, rain)').spec;
    expect(entity?.fields.map(({ label, type }) => [label, type])).toEqual([
      ['Date', 'date'],
      ['Takings', 'currency'],
      ['Jars sold', 'number'],
      ['Sky', 'select'],
    ]);
  });
});

describe('habits', () => {
  test('are what is ticked off every day, and are not called by the day', () => {
    const { sections, name } = read('Every day I want to tick off stretching, vitamin C and a walk outside', {
      kind: 'habits',
    }).spec;
    expect(sections[0]?.items.map(({ title }) => title)).toEqual([
      'Stretching',
      'Vitamin C',
      'A walk outside',
    ]);
    expect(name).toBe('Habit Tracker');
  });
});
