import { describe, expect, it } from 'vitest';
import type { Composition } from '../../../../src/factory/read/draft.ts';
import { kindsIn } from '../../../../src/factory/read/kinds.ts';
import { draftOf, listIn, phraseIn, priceIn, quantityIn, spanIn } from '../../../helpers/factory-build.ts';

const kinds = await kindsIn(new URL('../../../../src/factory/kinds/', import.meta.url), true);

function composed(kind: string, prompt: string, parts: Parameters<typeof draftOf>[1] = {}): Composition {
  const compose = kinds.compose(kind);
  if (!compose) throw new Error(`${kind} does not compose`);
  const draft = draftOf(prompt, parts);
  return compose(draft, kinds.content(kind, draft.lang));
}

const field = (
  prompt: string,
  text: string,
  label: string,
  type: 'text' | 'number' | 'date' | 'currency',
  options: string[] = [],
) => ({
  ...spanIn(prompt, text),
  label,
  type,
  options,
});

describe('a tracker', () => {
  it('has the usual fields of a thing that it knows', () => {
    const prompt = 'registro di libri';
    const { spec } = composed('tracker', prompt, {
      lang: 'it',
      subject: { ...phraseIn(prompt, 'libri'), head: 'libro', singular: 'libro' },
    });
    expect(spec.entity?.fields.map(({ label, type }) => [label, type])).toEqual([
      ['Titolo', 'text'],
      ['Autore', 'text'],
      ['Genere', 'select'],
      ['Stato', 'select'],
      ['Valutazione', 'rating'],
      ['Pagine', 'number'],
    ]);
    expect(spec).toMatchObject({ name: 'Libri', variant: 'cards', seed: [] });
  });

  it('has the fields that are listed and no others', () => {
    const prompt = 'Bücherliste mit Autor, Jahr und Wert';
    const fields = [
      field(prompt, 'Autor', 'Autor', 'text'),
      field(prompt, 'Jahr', 'Jahr', 'number'),
      field(prompt, 'Wert', 'Wert', 'currency'),
    ];
    const { spec } = composed('tracker', prompt, { lang: 'de', subject: phraseIn(prompt, 'Bücher'), fields });
    expect(spec.entity?.fields.map(({ label, total }) => [label, total])).toEqual([
      ['Titel', undefined],
      ['Autor', undefined],
      ['Jahr', 'none'],
      ['Wert', undefined],
    ]);
  });

  it('puts what an entry is called by in front of fields none of which is a text', () => {
    const prompt = 'liste de vins avec année et prix';
    const fields = [field(prompt, 'année', 'Année', 'number'), field(prompt, 'prix', 'Prix', 'currency')];
    const subject = { ...phraseIn(prompt, 'vins'), head: 'vin', singular: 'vin' };
    const { spec } = composed('tracker', prompt, { lang: 'fr', subject, fields });
    expect(spec.entity?.fields.map(({ label }) => label)).toEqual(['Nom', 'Année', 'Prix']);
  });

  it('begins with the entries that are listed', () => {
    const prompt = 'lista de compras: leite, pão e ovos';
    const lists = [listIn(prompt, 'compra', ['leite', 'pão', 'ovos'])];
    const { spec } = composed('tracker', prompt, { lang: 'pt', variant: 'checklist', lists });
    expect(spec.seed).toEqual([{ f0: 'Leite' }, { f0: 'Pão' }, { f0: 'Ovos' }]);
    expect(spec.entity?.fields.at(-1)).toMatchObject({ label: 'Feito', type: 'checkbox' });
  });

  it('says that its fields are general where it knows nothing', () => {
    const { spec, assumptions } = composed('tracker', 'zzz');
    expect(spec.entity?.fields.map(({ label }) => label)).toEqual(['Name', 'Notes']);
    expect(assumptions).toHaveLength(1);
  });
});

describe('a board', () => {
  it.each([
    ['en', 'board with columns Idea, Draft, Live', 'column', ['Idea', 'Draft', 'Live']],
    ['de', 'Tafel mit den Spalten Offen, Fertig', 'spalte', ['Offen', 'Fertig']],
    ['it', 'bacheca: Proposte, Bozze', 'bacheca', ['Proposte', 'Bozze']],
  ] as const)('has the columns that are listed in %s', (lang, prompt, intro, columns) => {
    const { spec, assumptions } = composed('board', prompt, {
      lang,
      lists: [listIn(prompt, intro, columns)],
    });
    expect(spec.entity?.fields[1]?.options).toEqual(columns);
    expect([assumptions, spec.seed]).toEqual([[], []]);
  });

  it('has the usual ones otherwise, and says so', () => {
    const { spec, assumptions } = composed('board', 'quadro', { lang: 'pt' });
    expect(spec.entity?.fields[1]?.options).toEqual(['A fazer', 'Em andamento', 'Feito']);
    expect(assumptions).toHaveLength(1);
  });

  it('takes listed tasks as cards', () => {
    const prompt = 'board with tasks paint the fence, mow the lawn';
    const { spec } = composed('board', prompt, {
      lists: [listIn(prompt, 'task', ['paint the fence', 'mow the lawn'])],
    });
    expect(spec.seed).toEqual([
      { f0: 'Paint the fence', f1: 'To do' },
      { f0: 'Mow the lawn', f1: 'To do' },
    ]);
  });
});

describe('a dashboard', () => {
  it('has a number for each figure, with money as such, and none made up', () => {
    const prompt = 'panel de ventas: ingresos, visitas en miles';
    const lists = [listIn(prompt, 'venta', ['ingresos', 'visitas'])];
    const tokens = draftOf(prompt).tokens.map((token) =>
      token.lower === 'ingresos' ? { ...token, lemma: 'ingreso' } : token,
    );
    const { spec } = composed('dashboard', prompt, { lang: 'es', lists, tokens });
    expect(spec.entity?.fields.map(({ label, type }) => [label, type])).toEqual([
      ['Mes', 'text'],
      ['Ingresos', 'currency'],
      ['Visitas', 'number'],
    ]);
    expect(spec.seed ?? []).toEqual([]);
  });
});

describe('a timer', () => {
  const minutes = (prompt: string, text: string, value: number) => quantityIn(prompt, text, value, 'minute');
  const seconds = (prompt: string, text: string, value: number) => quantityIn(prompt, text, value, 'second');

  it('knows effort from rest by the words beside the numbers', () => {
    const prompt = 'timer: 20 Sekunden Pause nach 45 Sekunden Arbeit, 6 Runden';
    const quantities = [
      seconds(prompt, '20 Sekunden', 20),
      seconds(prompt, '45 Sekunden', 45),
      quantityIn(prompt, '6 Runden', 6, 'runde'),
    ];
    const { spec } = composed('timer', prompt, { lang: 'de', variant: 'intervals', quantities });
    expect(spec.settings).toEqual({ effort: 45, rest: 20, rounds: 6 });
  });

  it('takes two numbers of minutes as work and break', () => {
    const prompt = 'pomodoro 50/10';
    const quantities = [quantityIn(prompt, '50', 50), quantityIn(prompt, '10', 10)];
    const { spec } = composed('timer', prompt, { variant: 'pomodoro', quantities });
    expect(spec.settings).toEqual({ work: 50, shortBreak: 10 });
  });

  it('adds hours and minutes up', () => {
    const prompt = 'conto alla rovescia di 1 ora e 30 minuti';
    const quantities = [quantityIn(prompt, '1 ora', 1, 'hour'), minutes(prompt, '30 minuti', 30)];
    const { spec } = composed('timer', prompt, { lang: 'it', variant: 'countdown', quantities });
    expect(spec.settings).toEqual({ minutes: 90 });
  });

  it('has a tempo as a metronome, and minutes with an increment as a chess clock', () => {
    const beats = 'métronome 96 bpm';
    const { spec } = composed('timer', beats, {
      lang: 'fr',
      variant: 'metronome',
      quantities: [quantityIn(beats, '96 bpm', 96, 'bpm')],
    });
    expect(spec.settings).toEqual({ beats: 96 });
    const clock = 'chess clock 3+2';
    const quantities = [quantityIn(clock, '3', 3), quantityIn(clock, '2', 2)];
    expect(composed('timer', clock, { variant: 'chess', quantities }).spec.settings).toEqual({
      minutes: 3,
      increment: 2,
    });
  });
});

describe('a calculator', () => {
  it.each([
    ['en', 'paint calculator', 'Paint Calculator'],
    ['de', 'Farbe ausrechnen', 'Farbrechner'],
    ['it', 'quanta vernice serve', 'Calcolo della pittura'],
  ] as const)('has the formula for what it is about in %s', (lang, prompt, name) => {
    const { spec } = composed('calculator', prompt, { lang, variant: 'formula', currency: 'GBP' });
    expect(spec).toMatchObject({ variant: 'formula', name });
    expect(spec.formula?.results.map(({ expression }) => expression)).toContain('area * coats / coverage');
  });

  it('counts formulas in the currency of the prompt', () => {
    const { spec } = composed('calculator', 'margin calculator', { variant: 'formula', currency: 'GBP' });
    expect(spec.formula?.inputs.map(({ unit }) => unit)).toEqual(['GBP', 'GBP']);
  });

  it('begins with the numbers that the prompt says', () => {
    const prompt = '20 % Trinkgeld, 4 Personen, Rechnung 60 €';
    const { spec } = composed('calculator', prompt, {
      lang: 'de',
      variant: 'tip',
      quantities: [quantityIn(prompt, '20 %', 20, 'percent'), quantityIn(prompt, '4 Personen', 4, 'person')],
      facts: { prices: [priceIn(prompt, '60 €')] },
    });
    expect(spec.settings).toEqual({ tip: 20, people: 4, bill: 60 });
  });

  it('says that it knows no formula', () => {
    const prompt = 'calculadora de vatios de guitarra';
    const { spec, assumptions } = composed('calculator', prompt, {
      lang: 'es',
      subject: phraseIn(prompt, 'vatios de guitarra'),
    });
    expect(spec.variant).toBe('basic');
    expect(assumptions).toHaveLength(1);
  });
});

describe('a converter', () => {
  it.each([
    ['en', 'square metres to acres', 'area', 'm2', undefined],
    ['de', 'Tasse in Gramm oder ml', 'volume', 'cup', 'ml'],
    ['pt', 'milha para km', 'length', 'mi', 'km'],
  ] as const)('opens on the units that are named in %s', (lang, prompt, variant, from, to) => {
    const lemmaOf = (lower: string) => lower.replace(/(?<=metre|acre)s$/, '');
    const tokens = draftOf(prompt).tokens.map((token) => ({ ...token, lemma: lemmaOf(token.lower) }));
    const { spec } = composed('converter', prompt, { lang, tokens });
    expect(spec).toMatchObject({ variant, copy: { from, ...(to ? { to } : {}) } });
  });
});

describe('a site', () => {
  it('has hours and ways to reach it', () => {
    const prompt = 'Padaria em Lisboa: pão 2 €, bolo 3,50 €, aberto seg–sex 7–13, tel 210 000 000';
    const { spec } = composed('landing', prompt, {
      lang: 'pt',
      facts: {
        prices: [priceIn(prompt, '2 €'), priceIn(prompt, '3,50 €')],
        hours: [{ ...spanIn(prompt, 'seg–sex 7–13'), days: 'seg–sex', time: '07:00–13:00' }],
        phones: [spanIn(prompt, '210 000 000')],
        places: [spanIn(prompt, 'Lisboa')],
      },
    });
    expect(spec.hours).toEqual([{ days: 'Seg–sex', time: '07:00–13:00' }]);
    expect(spec.contact).toEqual({ phone: '210 000 000' });
    expect(spec.copy).toMatchObject({ kicker: 'Padaria · Lisboa' });
  });

  it('says that it offers nothing yet', () => {
    const { spec, assumptions } = composed('landing', 'Webseite', { lang: 'de' });
    expect([spec.sections, assumptions.length]).toEqual([[], 1]);
  });

  it('of a portfolio shows works, skills and what somebody does', () => {
    const prompt =
      'portfolio of Ana Ruiz, photographer: projects Dunes, Harbour and skills Retouching, Print';
    const lists = [
      listIn(prompt, 'project', ['Dunes', 'Harbour']),
      listIn(prompt, 'skill', ['Retouching', 'Print']),
    ];
    const { spec } = composed('portfolio', prompt, { lists, name: 'Ana Ruiz' });
    expect(spec.name).toBe('Ana Ruiz');
    expect(spec.copy).toMatchObject({ role: 'Photographer' });
    expect(spec.sections?.map(({ type, items }) => [type, items.map(({ title }) => title)])).toEqual([
      ['items', ['Dunes', 'Harbour']],
      ['tags', ['Retouching', 'Print']],
    ]);
  });
});

describe('an event', () => {
  it('says that no day was given', () => {
    expect(composed('event', 'festa', { lang: 'it' }).assumptions).toEqual([
      'Non era indicata una data; è tra sessanta giorni.',
    ]);
  });

  it('lists what to bring', () => {
    const prompt = 'summer party, bring salad, cushions';
    const { spec } = composed('event', prompt, { lists: [listIn(prompt, 'bring', ['salad', 'cushions'])] });
    expect(spec.sections).toEqual([
      { type: 'text', title: 'Please bring', text: 'salad, cushions', items: [] },
    ]);
  });
});

describe('a form', () => {
  it.each([
    ['en', 'Pizza, sushi or tacos?', ['Pizza', 'sushi', 'tacos']],
    ['de', 'Wandern, Kanu oder Klettern?', ['Wandern', 'Kanu', 'Klettern']],
    ['pt', 'praia, campo ou cidade?', ['praia', 'campo', 'cidade']],
  ] as const)('lets one choose where the answers are told in %s', (lang, prompt, options) => {
    const { spec } = composed('form', prompt, {
      lang,
      variant: 'form',
      lists: [listIn(prompt, '', options)],
    });
    expect(spec.variant).toBe('poll');
    expect(spec.entity?.fields[0]?.options?.map((option) => option.toLowerCase())).toEqual(
      options.map((option) => option.toLowerCase()),
    );
    expect(spec.copy?.['question']).toContain(prompt.slice(1));
  });

  it('asks who comes, also where only other fields are listed', () => {
    const prompt = 'RSVP with number of children';
    const fields = [field(prompt, 'number of children', 'Number of children', 'number')];
    const { spec } = composed('form', prompt, { variant: 'rsvp', fields });
    expect(spec.entity?.fields.map(({ label }) => label)).toEqual(['Name', 'Answer', 'Number of children']);
  });

  it.each(['form', 'rsvp', 'signup', 'contact'])('has usual fields as %s, and says so', (variant) => {
    const { spec, assumptions } = composed('form', 'modulo', { lang: 'it', variant });
    expect(spec.entity?.fields[0]?.label).toBe('Nome');
    expect(assumptions).toHaveLength(1);
  });
});

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
