/** Specs of quizzes and of the kinds that are about one thing each. */
import { describe, expect, it } from 'vitest';
import { composer, listIn, phraseIn, priceIn, quantityIn } from '../../../helpers/factory-build.ts';

const composed = await composer();

describe('what asks and teaches', () => {
  it.each([
    ['en', 'quiz about the solar system', 'Which planet is closest to the Sun?'],
    ['fr', 'quiz sur le cinéma', 'Qui a réalisé « Les Dents de la mer » et « E.T. » ?'],
    ['pt', 'quiz de anatomia', 'Que órgão bombeia o sangue?'],
  ] as const)('asks ready questions in %s', (lang, prompt, first) => {
    const { spec } = composed('quiz', prompt, { lang });
    expect(spec.questions?.[0]).toMatchObject({ prompt: first });
    expect(spec.questions?.every(({ wrong }) => wrong.length === 3)).toBe(true);
  });

  it('asks capitals of the part of the world that is named', () => {
    const african = composed('quiz', 'quiz sulla capitale in africa', { lang: 'it' }).spec.questions;
    expect(african?.[0]).toMatchObject({ prompt: 'Capitale di questo paese: Egitto', answer: 'Il Cairo' });
  });

  it('has no questions on what it knows nothing of, and says so', () => {
    const prompt = 'quiz about Kuiper';
    const { spec, assumptions } = composed('quiz', prompt, { subject: phraseIn(prompt, 'Kuiper') });
    expect([spec.questions, assumptions.length]).toEqual([[], 1]);
  });

  it('makes sums of the operation that is named, each with one right answer', () => {
    const { spec } = composed('quiz', 'einmaleins üben', { lang: 'de' });
    expect(spec.questions).toHaveLength(12);
    for (const { prompt, answer, wrong } of spec.questions ?? []) {
      const [a = 0, b = 0] = prompt.match(/\d+/g)?.map(Number) ?? [];
      expect(answer).toBe(String(a * b));
      expect(wrong).not.toContain(answer);
    }
  });
});

describe('the other kinds', () => {
  it('keep the habits that are listed, in their words', () => {
    const prompt = 'hábitos: correr 20 minutos, ler';
    const { spec, assumptions } = composed('habits', prompt, {
      lang: 'pt',
      lists: [listIn(prompt, 'hábito', ['correr 20 minutos', 'ler'])],
    });
    expect(spec.sections?.[0]?.items.map(({ title }) => title)).toEqual(['Correr 20 minutos', 'Ler']);
    expect(assumptions).toEqual([]);
  });

  it('begin a journal empty, and notes with how they work', () => {
    expect(composed('notes', 'diario', { lang: 'it', variant: 'journal' }).spec.sections?.[0]?.items).toEqual(
      [],
    );
    expect(composed('notes', 'appunti', { lang: 'it' }).spec.sections?.[0]?.items[0]?.title).toBe(
      'Ti diamo il benvenuto',
    );
  });

  it('fit the pairs of a memory game to a board', () => {
    const prompt = 'memory mit 7 Paaren';
    const { spec } = composed('game', prompt, {
      lang: 'de',
      variant: 'memory',
      quantities: [quantityIn(prompt, '7 Paaren', 7, 'paar')],
    });
    expect(spec.settings).toEqual({ pairs: 8 });
  });

  it('write chapters for what documentation lists, with what is said about it', () => {
    const prompt = 'guide de la maison: wifi (soleil123), poubelles';
    const lists = [listIn(prompt, 'maison', ['wifi', 'poubelles'], { wifi: { options: ['soleil123'] } })];
    const { spec } = composed('docs', prompt, { lang: 'fr', lists });
    expect(spec.sections?.map(({ title, items }) => [title, items[0]?.text])).toEqual([
      ['Wifi', 'soleil123'],
      ['Poubelles', 'Écrivez ici ce qui relève de ce chapitre.'],
    ]);
  });

  it('gather the questions of documentation', () => {
    const { spec } = composed('docs', 'faq page: How do I return it? ¿How long is delivery?');
    expect(spec.sections).toMatchObject([
      { type: 'faq', items: [{ title: 'How do I return it?' }, { title: 'How long is delivery?' }] },
    ]);
  });

  it.each([
    ['en', 'shift rota', ['Early', 'Late', 'Night']],
    ['de', 'Essensplan Mahlzeit', ['Frühstück', 'Mittagessen', 'Abendessen']],
    ['es', 'menú de la semana', ['Desayuno', 'Comida', 'Cena']],
  ] as const)('give a week the rows of its subject in %s', (lang, prompt, rows) => {
    expect(composed('calendar', prompt, { lang, variant: 'week' }).spec.grid).toEqual({
      rows,
      marks: [],
    });
  });

  it('mark the days of a month with what is listed', () => {
    const prompt = 'calendrier: super, bof';
    const { spec } = composed('calendar', prompt, {
      lang: 'fr',
      variant: 'month',
      lists: [listIn(prompt, 'calendrier', ['super', 'bof'])],
    });
    expect(spec.grid?.marks.map(({ label }) => label)).toEqual(['Super', 'Bof']);
    expect(new Set(spec.grid?.marks.map(({ colour }) => colour)).size).toBe(2);
  });

  it('choose from what is listed, or from numbers', () => {
    const prompt = 'Glücksrad: Anna, Ben';
    expect(
      composed('picker', prompt, { lang: 'de', lists: [listIn(prompt, 'glücksrad', ['Anna', 'Ben'])] }).spec
        .choices,
    ).toEqual(['Anna', 'Ben']);
    const numbers = 'bingo del 1 al 75';
    const quantities = [quantityIn(numbers, '1', 1), quantityIn(numbers, '75', 75)];
    expect(
      composed('picker', numbers, { lang: 'es', variant: 'bingo', quantities }).spec.choices,
    ).toHaveLength(75);
  });

  it.each([
    ['2d6', { dice: 2, sides: 6 }],
    ['d20', { dice: 1, sides: 20 }],
  ])('roll %s', (said, settings) => {
    expect(composed('picker', `dice roller ${said}`, { variant: 'dice' }).spec.settings).toEqual(settings);
  });

  it('divide people into the groups that are said', () => {
    const prompt = 'split the class into 5 teams';
    const { spec } = composed('picker', prompt, {
      variant: 'groups',
      quantities: [quantityIn(prompt, '5 teams', 5, 'team')],
    });
    expect(spec.settings).toEqual({ groups: 5 });
  });

  it('write the lines of an invoice with their prices, and other texts beside them', () => {
    const prompt = 'fattura: consulenza 300 €, partita IVA 0123';
    const lists = [
      listIn(prompt, 'fattura', ['consulenza', 'partita IVA 0123'], {
        consulenza: { price: priceIn(prompt, '300 €') },
      }),
    ];
    const { spec } = composed('document', prompt, { lang: 'it', variant: 'invoice', lists });
    expect(spec.sections).toEqual([
      { type: 'text', title: 'Fattura', text: 'Partita IVA 0123', items: [] },
      { type: 'prices', title: 'Fattura', items: [{ title: 'Consulenza', price: '300 €' }] },
    ]);
    const award = 'Urkunde: 1. Platz, Staffellauf';
    const text = composed('document', award, {
      lang: 'de',
      variant: 'certificate',
      lists: [listIn(award, 'urkunde', ['1. Platz', 'Staffellauf'])],
    });
    expect(text.spec.copy).toEqual({ subject: '1. Platz' });
    expect(text.spec.sections).toEqual([{ type: 'text', title: 'Urkunde', text: 'Staffellauf', items: [] }]);
  });

  it('give a drawing pad a name', () => {
    expect(composed('drawing', 'lavagnetta', { lang: 'it' }).spec.name).toBe('Album da disegno');
  });
});
