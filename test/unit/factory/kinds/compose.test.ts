import { describe, expect, it } from 'vitest';
import {
  composer,
  draftOf,
  listIn,
  phraseIn,
  priceIn,
  quantityIn,
  spanIn,
} from '../../../helpers/factory-build.ts';

const composed = await composer();

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
