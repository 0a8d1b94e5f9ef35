import { describe, expect, test } from 'vitest';
import { shownIn } from '../../../../src/factory/read/coverage.ts';
import { read } from '../../../../src/factory/read/read.ts';

describe('an event', () => {
  const event = (prompt: string) => read(prompt, { kind: 'event' }).spec;

  test('has the year that stands in its name', () => {
    const { copy } = event(
      'FESTA DEL RADICCHIO 2027 - Asolo\nsabato 16 ottobre\nore 12:00 apertura\nore 15:30 corsa dei sacchi\nore 21:00 ballo',
    );
    expect(copy['day']).toBe('2027-10-16');
  });

  test.each([
    [
      'Boda de Inés y Bruno, 3 de octubre de 2026 a las 18:30 en la Finca El Olivar, Segovia',
      'Boda de Inés y Bruno',
      'Finca El Olivar',
    ],
    [
      'Sommerfest der Kita Igel am Samstag, 12. Juni 2027 ab 14 Uhr auf dem Spielplatz Lindenhof',
      'Sommerfest',
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

  test.each([
    ['una festa di compleanno per Mia il 12 maggio alle 15', 'Compleanno: Mia', '@05-12'],
    ['uma festa de aniversário para a Mia no dia 12 de maio às 15h', 'Aniversário: Mia', '@05-12'],
    ['Einladung zur Hochzeit von Anna und Tom am 20. Juni', 'Hochzeit von Anna und Tom', '@06-20'],
    ['Hochzeitsseite für Anna und Tom mit Ablauf', 'Anna und Tom', '@+60'],
    ['Countdown bis Silvester', 'Silvester', '@12-31'],
    ["a countdown to New Year's Eve", "New Year's Eve", '@12-31'],
    ["compte à rebours jusqu'à Noël", 'Noël', '@12-25'],
    ['countdown to Christmas 2027', 'Christmas', '2027-12-25'],
    ['countdown to our Christmas party', 'Christmas Party', '@+60'],
  ])('is called by whom or what it is for, on the day that is known: %s', (prompt, name, day) => {
    const { spec } = read(prompt);
    expect([spec.kind, spec.name, spec.copy['day']]).toEqual(['event', name, day]);
  });

  test.each([
    ['Garden party on 5 June 2027. Dress code: something sparkly', 'Something sparkly'],
    ['Grillfest am 5. Juni 2027. Bitte mitbringen: Decke, Sonnenhut', 'Decke, Sonnenhut'],
  ])('says what to wear and to bring: %s', (prompt, text) => {
    expect(event(prompt).sections.map((section) => section.text)).toContain(text);
  });
});

describe('a site', () => {
  test.each([
    ['a hairdresser website: cut 30 €, colour 55 €, open Tue-Sat 9am-6pm', ['Cut', 'Colour'], ['Tue–Sat']],
    [
      'Eine Website für meinen Friseursalon in Köln mit Preisen und Öffnungszeiten, Mo-Fr 9-18 Uhr, Tel. 0221 123456',
      [],
      ['Mo–Fr'],
    ],
    ['un site pour un coiffeur avec les prix et les horaires', [], []],
  ])('offers no hours, telephone or word for prices: %s', (prompt, titles, days) => {
    const { sections, hours } = read(prompt).spec;
    expect(sections.flatMap(({ items }) => items.map(({ title }) => title))).toEqual(titles);
    expect(hours.map((entry) => entry.days)).toEqual(days);
  });

  test('speaks the language that it is asked to be in', () => {
    const { spec } = read('eine Website für meinen Verein, auf Englisch');
    expect([spec.lang, spec.copy['action']]).toEqual(['en', 'Get in touch']);
  });

  test.each([
    ['landing page for my bakery', 'Bakery'],
    ['Dr. Meyer, dentist', 'Dr. Meyer Tracker'],
  ])('is called by the whole of whom it is of: %s', (prompt, name) => {
    expect(read(prompt).spec.name).toBe(name);
  });
});

describe('a checklist', () => {
  test.each([
    ['packing list for Japan: passport, tickets, charger', 'What', ['Passport', 'Tickets', 'Charger']],
    ['Packliste für den Urlaub mit Kindern', 'Was', []],
    ['una lista della spesa', 'Cosa', []],
    ['a todo list for admin with login, email reminders and sync across devices', 'Task', []],
  ])('keeps what it says it is a list of: %s', (prompt, label, entries) => {
    const { entity, seed } = read(prompt).spec;
    expect(entity?.fields[0]?.label).toBe(label);
    expect(entity?.fields.map(({ type }) => type)).not.toContain('currency');
    expect(seed.map(({ f0 }) => f0)).toEqual(entries);
  });
});

describe('what is taken up', () => {
  test.each([
    ['a reading list where I can rate books', []],
    ['a website for my bakery, phone 555-1234', []],
    ['a birthday page', []],
    ['a bakery website with bread 3 €, rolls 1 €, opening hours Mo-Fr 7-18', []],
    ['landing page for my bakery', []],
    [
      'a todo list for admin with login, email reminders and sync across devices',
      ['login', 'email reminders and sync across devices'],
    ],
  ])('is not listed as missing: %s', (prompt, missing) => {
    expect(read(prompt).notTakenUp).toEqual(missing);
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
      ['Swim', 'checkbox'],
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
    const { entity } = read('dashboard for my stall with date, takings, jars sold, sky (sun, rain)').spec;
    expect(entity?.fields.map(({ label, type }) => [label, type])).toEqual([
      ['Date', 'date'],
      ['Takings', 'currency'],
      ['Jars sold', 'number'],
      ['Sky', 'select'],
    ]);
  });
});

describe('what an app would be is said to be of no kind', () => {
  test.each([
    ['a pinball machine', 'pinball machine'],
    ['détecteur de fausses notes', 'détecteur'],
    ['simulador de vuelo con tres aviones', 'simulador de vuelo'],
    ['un accordatore per il mio violino', 'accordatore'],
    ['um tradutor de libras', 'tradutor'],
    ['a dungeon map generator', 'dungeon map generator'],
    ['Wortsuchrätsel-Generator', 'Wortsuchrätsel'],
  ])('by its head: %s', (prompt, head) => {
    expect(read(prompt).unserved?.head).toContain(head);
  });

  test.each([
    ['an app that tells me which mushroom this is', 'mushroom'],
    ['an app to split a song into vocals and instruments', 'song'],
    ["un'app che accende le luci di casa", 'luci'],
    ['something that reads my emails and answers them', 'emails'],
    ['eine App, die Vögel am Gesang erkennt', 'Gesang erkennt'],
  ])('by what it would do, where the head says nothing: %s', (prompt, words) => {
    const { unserved, doubt } = read(prompt);
    expect((unserved ?? doubt)?.head).toContain(words);
  });

  test.each([
    'a tracker that shows live flights over my house',
    'a quiz where players join from their phones',
    'seguimiento de autobuses en tiempo real',
    'ein Tracker, der Schiffe in Echtzeit zeigt',
    'a GPS tracker',
    'multiplayer snake',
  ])('by a trait that makes another thing of what a kind serves: %s', (prompt) => {
    expect(read(prompt).unserved).not.toBeNull();
  });

  test('though words of kinds stand elsewhere', () => {
    const { unserved } = read('Sudoku with a timer, a list of my best times and notes');
    expect(unserved?.head).toBe('Sudoku');
  });

  test('and the nearest kinds are those of its field', () => {
    expect(read('a racing game').unserved?.nearest[0]).toBe('game');
    expect(read('weather radar').unserved?.nearest[0]).toBe('dashboard');
  });
});

describe('what a kind serves is not said to be of none', () => {
  test.each([
    ['metronome', 'timer'],
    ['seating plan for a wedding with 8 tables', 'picker'],
    ['my vinyl records', 'tracker'],
    ['weather log with date, temperature and rain', 'tracker'],
    ['le vaccinazioni del mio cane', 'tracker'],
    ['an app to keep track of my podcasts', 'tracker'],
    ['a website for my taxi firm', 'landing'],
    ['Webseite für eine Übersetzerin', 'landing'],
    ['Rezepte-App', 'tracker'],
    ['expense list with date, amount and a map', 'tracker'],
    ['Dienstplan für die Rettungswache', 'calendar'],
    ['we are a choir and I want to note who comes to rehearsals', 'tracker'],
  ])('%s', (prompt, kind) => {
    const { unserved, spec } = read(prompt);
    expect(unserved).toBeNull();
    expect(spec.kind).toBe(kind);
  });

  test.each([
    ['booking log with date, customer, price and online payment', 'online payment'],
    ['lista de socios con nombre, cuota y inicio de sesión', 'inicio de sesión'],
    ['Timer mit Push-Nachricht', 'Push-Nachricht'],
    ['elenco dei soci con nome, data e vendita dei biglietti online', 'vendita dei biglietti online'],
    ['habitudes : lire, courir, avec synchronisation', 'synchronisation'],
  ])('with what is only a part of it listed: %s', (prompt, part) => {
    const { unserved, notTakenUp } = read(prompt);
    expect(unserved).toBeNull();
    expect(notTakenUp.join('\n')).toContain(part);
  });

  test('a field may be called by a group of words with a part in it', () => {
    const labels = (prompt: string) => read(prompt).spec.entity?.fields.map(({ label }) => label);
    expect(labels('sales log with date, customer and payment method')).toContain('Payment method');
    expect(labels('registo de vendas com data, cliente e forma de pagamento')).toContain(
      'Forma de pagamento',
    );
  });

  test('a field may be called by a word for something that no kind does', () => {
    const labels = read('fishing log with date, weather, catch and weight').spec.entity?.fields.map(
      ({ label }) => label,
    );
    expect(labels).toContain('Weather');
  });
});

describe('kinds', () => {
  test.each([
    ['an app to track workouts with a timer', 'tracker'],
    ['something to spin: Tom, Priya, Baz', 'picker'],
    ['notebook of truffles: date, place, weight in grams, price', 'tracker'],
    ['stone to kilos converter. my gran only thinks in stone', 'converter'],
    ['we moved house. Sign-up for the housewarming with name and date of birth', 'form'],
    ['Our cat is lost and I need a page for the village', 'landing'],
    ['Notizen-App', 'notes'],
  ])('what is said of it first decides: %s', (prompt, kind) => {
    expect(read(prompt).spec.kind).toBe(kind);
  });
});

describe('the name of an app that the prompt does not name', () => {
  test.each([
    ['shopping list', 'Shopping List'],
    // As the quick start prints it.
    ['a reading list where I can rate books', 'Reading List'],
    ['I want a list of my bikes with frame number and brand', 'Bike Tracker'],
    ['a birthday page for Mia', 'Birthday Page: Mia'],
    ['birthday party for Mia', 'Birthday Party: Mia'],
    ['página de cumpleaños para Lucía', 'Cumpleaños: Lucía'],
    ['habit tracker for 12 habits', 'Habit Tracker'],
    ['my notes', 'Notes'],
  ])('is made of what it is about, where that says all: %s', (prompt, name) => {
    expect(read(prompt).spec.name).toBe(name);
  });

  test.each([
    "I'm a farrier. Note horse, owner, last shod",
    'Sono un capo scout e vorrei scrivere il prodotto e quando scade',
  ])('is not what somebody tells of himself: %s', (prompt) => {
    expect(read(prompt).spec.name).not.toMatch(/farrier|scout/i);
  });
});

describe('names that are told', () => {
  test.each([
    ['una lista de clientes con nombre, teléfono y deuda', /^(?!teléfono$)/],
    ["cellar log, name it 'Barrel & Oak', columns wine, vintage and bottles left", /^Barrel & Oak$/],
    ['bird log with species and date, name Featherlog', /^Featherlog$/],
  ])('%s', (prompt, name) => {
    expect(read(prompt).spec.name).toMatch(name);
  });

  test('are no fields', () => {
    const { entity } = read(
      "cellar log, name it 'Barrel & Oak', columns wine, vintage and bottles left",
    ).spec;
    expect(entity?.fields.map(({ label }) => label)).toEqual(['Wine', 'Vintage', 'Bottles left']);
  });
});

const shown = (prompt: string) => shownIn(read(prompt).spec).texts.join('\n').toLowerCase();

describe('the words that ask for an app', () => {
  test.each([
    ['beehive inspection log', 'log'],
    ['Sammlung meiner Kronkorken', 'sammlung'],
    ['boxing round timer 12 rounds of 3 minutes', 'boxing round timer'],
    ['questionnaire for our kindergarten', 'questionnaire'],
  ])('are shown by the app: %s', (prompt, words) => {
    expect(shown(prompt)).toContain(words);
  });

  test('are not shown where no kind serves them, nor the part that none does', () => {
    expect(shown('a pinball machine')).not.toContain('pinball');
    expect(shown('expense list with live chat')).not.toContain('chat');
  });
});

describe('what is not taken up', () => {
  test.each([
    ['timer. my eyes are not what they were', 'eyes are not what'],
    ['stopwatch, and show the moon over the harbour', 'moon over the harbour'],
    ['Stoppuhr, dazu die vier Strecken', 'vier Strecken'],
  ])('is listed with the small words within it: %s', (prompt, entry) => {
    expect(read(prompt).notTakenUp.join(' ')).toContain(entry);
  });

  test('is listed whole where it is a time, a date or quoted', () => {
    const { notTakenUp } = read('stopwatch for the 3rd of May 2027 at 18:45, “slow and steady”');
    const listed = notTakenUp.join('\n');
    expect(listed).toContain('18:45');
    expect(listed).toContain('slow and steady');
  });

  test('is cut into entries of a few words', () => {
    const { notTakenUp } = read(
      'karaoke machine that turns every wooden horse of the merry old fairground into singing golden parrots',
    );
    expect(notTakenUp.length).toBeGreaterThan(1);
    for (const entry of notTakenUp) expect(entry.split(' ').length).toBeLessThan(9);
  });

  test('does not count numbers that the app has for another reason', () => {
    expect(read('a list of books, also 3 zorblats').notTakenUp.join(' ')).toContain('3 zorblats');
  });

  test.each([
    'please make me a timer, thanks a lot',
    'Guten Tag, ich hätte gern bitte einen Timer, vielen Dank',
    'Buenos días, quiero un temporizador, por favor, gracias',
    'Bonjour, je voudrais un minuteur, merci',
    'Ciao, vorrei un timer, grazie',
    'Bom dia, queria um temporizador, por favor, obrigado',
  ])('has no word of politeness: %s', (prompt) => {
    expect(read(prompt).notTakenUp).toEqual([]);
  });

  test('has the words of a day, though greetings have them too', () => {
    expect(read('Timer, abends und nachts').notTakenUp.join(' ')).toContain('abends');
  });
});
