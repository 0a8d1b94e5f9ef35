import { describe, expect, test } from 'vitest';
import { plan } from '../../../../src/factory/plan/complete-spec.ts';
import { isSure } from '../../../../src/factory/read/draft.ts';
import { read } from '../../../../src/factory/read/read.ts';

const kindOf = (prompt: string) => (isSure(read(prompt)) ? read(prompt).spec.kind : 'asks');

describe('the reader is sure of', () => {
  test.each([
    ['a reading list where I can rate books', 'tracker'],
    ['a landing page', 'landing'],
    ['countdown to Christmas', 'event'],
    ['Pomodoro timer, 50 minutes work and 10 minutes break', 'timer'],
    ['Umfrage: Pizza oder Pasta?', 'form'],
    ['calculadora de propinas', 'calculator'],
    ['a list called "Shelf" with title and author', 'tracker'],
    [
      'Ich möchte meine Bienenvölker verwalten: Volk, Standort, letzte Durchsicht, Honigertrag in kg',
      'tracker',
    ],
  ])('%s', (prompt, kind) => {
    expect(kindOf(prompt)).toBe(kind);
  });
});

describe('the reader asks rather than builds something else', () => {
  test.each([
    'a drum machine I can tap on',
    'minesweeper',
    'how many tiles do I need: room length, width, tile size, plus 10 % waste',
    'Stripe checkout for my shop',
    'login page',
    'sign in with Google',
    'send SMS to my customers',
    'SMS an meine Kunden schicken',
    'une page de paiement',
    'Website for Hollis & Daughter, clock repairs in Whitby, open Tue to Sat 10-4, closed August, call 01947 555012',
    'live bus departures for my stop',
    'surprise me',
    'Un cuestionario sobre ríos de Europa',
    'Dr. Meyer, dentist',
    'a website for a hairdresser with prices and opening hours',
    'a todo list for admin with login, email reminders and sync across devices',
    '読書リスト、評価付き',
  ])('%s', (prompt) => {
    const { unserved, doubt } = read(prompt);
    const asked = unserved ?? doubt;
    expect(asked?.nearest.length).toBeGreaterThanOrEqual(3);
    expect(asked?.message).toContain(asked?.head);
  });
});

test('what a person has chosen is never doubted', () => {
  expect(read('minesweeper', { kind: 'game' }).doubt).toBeNull();
  expect(plan('minesweeper', { spec: { kind: 'game' } }).doubt).toBeNull();
});

test('one word alone does not tell the language, unless only one language has it', () => {
  expect(read('minesweeper').spec.lang).toBe('en');
  expect(['landing page', 'a landing page'].map((prompt) => read(prompt).spec.lang)).toEqual(['en', 'en']);
  expect(read('Einkaufsliste').spec.lang).toBe('de');
});

describe('what was taken for something else', () => {
  const specOf = (prompt: string) => read(prompt).spec;

  test('sign-in and payment are told, also where the name has them', () => {
    expect(read('password-protected diary').notTakenUp.join()).toMatch(/password-protected/i);
    expect(read('task board for our club where everybody logs in').notTakenUp.join()).toContain('logs');
    expect(read('list of my customers with sign in and payments').notTakenUp.join()).toContain('payments');
  });

  test('choices stand in brackets, too', () => {
    const [, borrower] =
      specOf('loans with tool, borrower [neighbour, family, club] and date').entity?.fields ?? [];
    expect(borrower).toMatchObject({ type: 'select', options: ['neighbour', 'family', 'club'] });
  });

  test('a name keeps its article', () => {
    expect(specOf('Web de la panadería La Espiga, calle Mayor 3, Toledo').name).toBe('La Espiga');
  });

  test('a card of a board is called a task, whatever the board is about', () => {
    const { entity } = specOf('kanban board for our wedding planning with columns Idea, Booked, Paid');
    expect([entity?.singular, entity?.plural]).toEqual(['task', 'tasks']);
  });
});

describe('what stands on buttons', () => {
  test.each([
    ["track my mum's blood pressure", 'reading'],
    ["Track mum's blood pressure: date, systolic, diastolic, pulse", 'reading'],
    ['guitar pedal collection with brand, model, year', 'entry'],
    ['wedding planning tracker', 'entry'],
    ['Log when somebody rings up: caller, time, message', 'entry'],
    ['Impfbuch für unsere Pferde: Pferd, Impfstoff, Datum, Tierarzt', 'Eintrag'],
    ['Ausgabenliste', 'Ausgabe'],
    ['suivi de la rédaction du journal', 'entrée'],
    ['Suivi des arbres du verger communal : variété, date de plantation', 'arbre'],
    ['Registro de palomas mensajeras: anilla, nombre, color', 'paloma'],
    ['Inventario del bar: producto, categoría, unidades, precio', 'entrada'],
    ['spese di casa: data, descrizione, importo', 'spesa'],
    ['Cadastro de alunos da academia: nome, plano, valor', 'aluno'],
  ])('is the head noun or a word for any entry: %s', (prompt, one) => {
    expect(read(prompt).spec.entity?.singular).toBe(one);
  });
});

describe('the line below the name', () => {
  test.each([
    ['Register for our u3a walking group: name, phone', 'Register for our u3a walking group'],
    ["D&D night sign-up sheet for the party's players: name, class", /D&D|^(?!.*D)/],
    ['Magic item ledger for our D&D party. Item (text), Carried by (text)', /D&D party$|^(?!.*D)/],
    ["i'd like to put down which hive, when i looked, and the weight", /^(?!Put)/],
    [
      'ok so when somebody rings up i need to get down the callers name, phone and what bird it is',
      /^(?!.*rings)/,
    ],
    ['Bloc de notas para ir soltando cosas de nuestra partida de rol', /^(?!.*para ir$)/],
    ['mi serve segnare per ogni lezione allievo, giorno e ora', /^(?!Segnare)/],
    ['il me faudrait noter quel livre, quel enfant et quand il revient', /^(?!Noter)/],
  ])('is whole or none: %s', (prompt, line) => {
    expect(read(prompt).spec.tagline).toMatch(line);
  });

  test('of a long wish ends with a whole word, as the question does', () => {
    const long =
      'an app that counts extraordinarily complicated constellations of neighbourhoods while walking';
    const { unserved, doubt } = read(long);
    const head = (unserved ?? doubt)?.head.replace(/…$/, '') ?? '';
    expect(`${long} `).toContain(`${head} `);
  });
});

describe('what no app does', () => {
  const refusal = 'no app from here can do that';

  test('is said of sign-in and payment, and in no name', () => {
    const names = [
      'a password-protected diary',
      'a shared chores list where everybody logs in',
      'Stripe checkout for my shop',
    ].map((prompt) => {
      const { spec, notTakenUp } = read(prompt);
      expect(notTakenUp, prompt).not.toEqual([]);
      expect(
        spec.assumptions.filter((line) => line.includes(refusal)),
        prompt,
      ).not.toEqual([]);
      return spec.name;
    });
    expect(names).toEqual(['Journal', 'Shared Chore List', 'Shop']);
    expect(read('weight log in pounds').spec.assumptions.join()).not.toContain(refusal);
  });

  test('is to make up the passwords of others, but no new ones', () => {
    const messageFor = (prompt: string) => read(prompt).unserved?.message ?? 'none';
    expect(
      [
        "show me the passwords of my ex-girlfriend's instagram, and her messages",
        "my neighbour's wifi password",
        'the passwords of her accounts',
      ].filter((prompt) => !messageFor(prompt).includes(refusal)),
    ).toEqual([]);
    expect(
      ['a password generator', 'generate a password for my wifi', 'a password for her birthday account'].map(
        messageFor,
      ),
    ).toEqual(['none', 'none', 'none']);
  });
});

test('the scale of a rating and the emoji of a name are taken up', () => {
  const prompts = ['Filmliste: Titel, Bewertung 1 bis 5', 'inventaire : cuvée, année, note de 1 à 5'];
  const inName = 'a reading list named "Tom 🎉" where I can rate books';
  expect([...prompts, inName].map((prompt) => read(prompt).notTakenUp)).toEqual([[], [], []]);
});
