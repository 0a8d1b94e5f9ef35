import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factoryKinds } from '../../../../src/factory/read/kinds.ts';
import { languageOf } from '../../../../src/factory/read/language.ts';
import { read } from '../../../../src/factory/read/read.ts';
import { revise } from '../../../../src/factory/revise/revise.ts';
import { wordsOf } from '../../../../src/factory/revise/words.ts';
import { langs, specProblems } from '../../../../src/factory/spec.ts';

describe('names', () => {
  test.each([
    ['a reading list called Paper Trail with title and author', 'Paper Trail'],
    ['notes app, call it quiet corner', 'quiet corner'],
    ['eine Einkaufsliste namens Korb', 'Korb'],
    ['una lista de libros llamada Estante', 'Estante'],
    ['un carnet de notes appelé Plume', 'Plume'],
    ['un diario chiamato Sera', 'Sera'],
    ['um diário chamado Maré', 'Maré'],
    ['a timer "Tock" for tea', 'Tock'],
  ])('%s', (prompt, name) => {
    expect(read(prompt).spec.name).toBe(name);
  });

  test('a naming word is no part of what the app is about', () => {
    expect(read('Gewohnheiten namens "Haushalt"').spec.tagline).not.toContain('namens');
  });

  test.each([
    ['shopping list', 'Shopping List', 'item', 'shopping-cart'],
    ['Einkaufsliste', 'Einkäufe', 'Artikel', 'shopping-cart'],
    ['lista de la compra', 'Lista: compras', 'producto', 'shopping-cart'],
    ['liste de courses', 'Liste : courses', 'article', 'shopping-cart'],
  ])('%s is of things to buy', (prompt, name, singular, icon) => {
    const { spec } = read(prompt);
    expect([spec.name, spec.entity?.singular, spec.icon]).toEqual([name, singular, icon]);
  });

  test('a name that says nothing of the subject leaves the subject in the spec', () => {
    const { spec, notTakenUp } = read('a list of vinyl records called Groove');
    expect(spec.name).toBe('Groove');
    expect(JSON.stringify(spec).toLowerCase()).toContain('vinyl record');
    expect(notTakenUp).toEqual([]);
  });
});

describe('kinds', () => {
  test.each([
    ['FAQ page for our library', 'docs'],
    ['help page for our library', 'docs'],
    ['quadro com colunas A desenhar, A cortar, Pronto', 'board'],
  ])(
    'a cue of several words is not as general as its last one, and what is listed is none: %s',
    (prompt, kind) => {
      expect(read(prompt).spec.kind).toBe(kind);
    },
  );
});

describe('languages', () => {
  test.each([
    ['en', 'a list of my plants with name and last watered'],
    ['de', 'eine Liste meiner Pflanzen mit Name und Standort'],
    ['es', 'una lista de mis plantas con nombre y ubicación'],
    ['fr', 'une liste de mes plantes avec le nom et le lieu'],
    ['it', 'un elenco delle mie piante con nome e luogo'],
    ['pt', 'uma lista das minhas plantas com nome e local'],
    ['it', 'registro visite: paziente, data prenotato, data pagato, importo'],
  ])('%s: %s', (lang, prompt) => {
    expect(read(prompt).spec.lang).toBe(lang);
  });

  test.each([
    'timer',
    'a timer',
    'pomodoro timer',
    'a pomodoro timer',
    'movies: title, director, year, rating',
  ])('words that several have speak for none, so it is English: %s', (prompt) => {
    const { lang, assumptions } = read(prompt).spec;
    expect([lang, assumptions.join(' ')]).toEqual(['en', expect.not.stringContaining('another language')]);
  });

  test.each([
    'een lijst van mijn planten met naam en datum erbij graag',
    'lista moich roślin z nazwą i datą ostatniego podlewania',
    '植物のリストを作ってください、名前と日付',
    'список моих растений с датой полива',
  ])('one that we do not write is said: %s', (prompt) => {
    const { spec } = read(prompt);
    expect(spec.lang).toBe('en');
    expect(spec.assumptions.join(' ')).toContain('another language');
    expect(specProblems(spec)).toEqual([]);
  });

  test.each([
    ['a reading list in German', 'de', 'Reading List'],
    ['recipe collection with name and time, in french please', 'fr', 'My Recipes'],
    ['A list of my plants. Everything in Italian please.', 'it', 'My Plants'],
    ['eine Leseliste auf Englisch', 'en', 'Leseliste'],
    ['Einkaufsliste in spanischer Sprache', 'es', 'Einkäufe'],
    ['une liste de courses en anglais', 'en', 'Liste : courses'],
    ['una lista de la compra en inglés', 'en', 'Lista: compras'],
    ['un diario in tedesco', 'de', 'Diario'],
    ['um quiz sobre planetas em alemão', 'de', 'Quiz: planetas'],
    ['list of films in French with title and year', 'en', 'My Films'],
    ['French history quiz', 'en', 'French History Quiz'],
    ['flashcards in French: dog, cat, cow', 'en', 'French Flashcards'],
    ['lavori in corso con data e costo', 'it', 'Lavori'],
  ])('another than that of the prompt may be asked for: %s', (prompt, lang, name) => {
    const { spec, unserved } = read(prompt);
    expect([spec.lang, spec.name, unserved]).toEqual([lang, name, null]);
    if (languageOf(prompt, factoryKinds).lang !== lang)
      expect(spec.assumptions[0]).toMatch(
        /^The app speaks (?:German|French|Italian)\.|Sprache|idioma|langue|lingua/,
      );
  });

  test('names the language as it is called, and has the tagline of its kind in it', () => {
    const { spec } = read('a mood calendar, all of it in german');
    expect(spec.assumptions[0]).toContain('The app speaks German. ');
    expect(spec.tagline).toBe('Tag für Tag');
    // “The colour was not given.” is wrong once it is.
    const list = read('a reading list in German').spec;
    const { spec: red } = revise(list, 'make it red and in spanish, add a price');
    expect([list.assumptions.length, red.assumptions]).toEqual([3, []]);
    expect(revise(list, 'call it Zap').spec.assumptions).toEqual(list.assumptions);
  });

  test.each([
    ['a reading list in Esperanto', 'in Esperanto', 'Reading List'],
    ['ein Quiz auf Latein', 'auf Latein', 'Quiz'],
    ['un diario en japonés', 'en japonés', 'Diario'],
    ['une liste de courses en breton', 'en breton', 'Liste : courses'],
    ['un quiz in svedese', 'in svedese', 'Quiz'],
    ['um diário em japonês', 'em japonês', 'Diário'],
  ])('one that no app has is said where it is asked for: %s', (prompt, head, name) => {
    const { spec, unserved, notTakenUp } = read(prompt);
    expect([spec.name, unserved, notTakenUp]).toEqual([name, null, [head]]);
    expect(spec.assumptions[0]).toContain(`${head}: `);
  });
});

describe('colours', () => {
  test.each([
    ['expense list, dark green', '#1f8a5b', 'auto'],
    ['expense list in blue', '#2563eb', 'auto'],
    ['habit tracker with a dark theme', null, 'dark'],
    ['a dark reading list', null, 'dark'],
    ['Ausgabenliste in Grün', '#1f8a5b', 'auto'],
    ['lista de gastos, color rojo', '#c8372d', 'auto'],
    ['recipes for green beans with title and time', null, 'auto'],
    ['an app called Red Rooster to log runs', null, 'auto'],
    ['notes #ff8800', '#ff8800', 'auto'],
  ])('%s', (prompt, accent, mode) => {
    const { palette, assumptions } = read(prompt).spec;
    if (accent !== null) expect(palette.accent).toBe(accent);
    expect(assumptions.some((text) => /colour|Farbe|color/.test(text))).toBe(accent === null);
    expect(palette.mode).toBe(mode);
  });
});

describe('currencies', () => {
  test.each([
    ['expenses in yen', 'JPY'],
    ['expenses in £', 'GBP'],
    ['Ausgaben in Yen', 'JPY'],
    ['Ausgaben in Franken', 'CHF'],
    ['gastos en yenes', 'JPY'],
    ['dépenses en yens', 'JPY'],
    ['spese in dollari', 'USD'],
    ['despesas em ienes', 'JPY'],
  ])('one that is named without an amount is taken: %s', (prompt, currency) => {
    const { spec, notTakenUp } = read(prompt);
    expect(spec.currency).toBe(currency);
    expect(spec.assumptions.join('\n')).not.toContain(currency);
    expect(notTakenUp).toEqual([]);
  });

  test('pounds of weight are none', () => {
    expect(read('weight log in pounds').spec.currency).toBe('USD');
  });
});

describe('what no kind serves', () => {
  test.each([
    ['a barcode scanner for my shop', 'scanner'],
    ['weather radar for sailors', 'radar'],
    ['Chat für unser Team', 'chat'],
    ['un editor de vídeo', 'editor'],
    ['un traducteur automatique', 'traducteur'],
    ['un registratore vocale per le lezioni', 'registratore'],
    ['uma rede social para corredores', 'rede'],
  ])('is said outright: %s', (prompt, head) => {
    const { unserved, spec } = read(prompt);
    expect(unserved?.head.toLowerCase()).toContain(head);
    expect(unserved?.message).toContain(unserved?.head);
    expect(unserved?.nearest).toContain(spec.kind);
  });

  test('is asked about where no word is known', () => {
    const { unserved, doubt } = read('a zeppelin with rudder');
    expect([unserved, doubt?.head]).toEqual([null, 'zeppelin']);
  });

  test.each([
    ['a PayPal checkout', 'PayPal checkout', 'Tracker'],
    ['an app that takes card payments with Stripe', 'takes card payments with Stripe', 'Tracker'],
    ['paiement PayPal', 'paiement PayPal', 'Liste'],
    ['Passwörter meiner Kunden speichern', 'Passwörter meiner Kunden speichern', 'Passwortgenerator'],
    ['mots de passe de mes clients', 'mots de passe de mes clients', 'Générateur de mots de passe'],
    ['contraseñas de mis clientes', 'contraseñas de mis clientes', 'Generador de contraseñas'],
    ["un'app che accetta pagamenti con carta", 'accetta pagamenti con carta', 'Elenco'],
    ['um app que aceita pagamentos com Pix', 'aceita pagamentos com Pix', 'Lista'],
  ])('is said to be impossible where no app does it, and names none: %s', (prompt, head, name) => {
    const { unserved, spec } = read(prompt);
    expect([unserved?.head, spec.name]).toEqual([head, name]);
    expect(unserved?.message).toBe(`${head}: ${wordsOf(spec.lang).file.refused.notServed}.`);
  });

  test.each([
    'metronome app',
    'password generator',
    'website for my bakery with online payment',
    'a quiz about the weather',
    'a log of radio programmes with title and date',
  ])('is not said of what one serves: %s', (prompt) => {
    expect(read(prompt).unserved).toBeNull();
  });

  test.each([
    ['books with author and rating, sorted by author', 'sorted by author'],
    ['a list of books sorted by year and title with title, author and year', 'sorted by year and title'],
    ['Bücherliste mit Autor und Bewertung, sortiert nach Autor', 'sortiert nach Autor'],
    ['Bücherliste mit Autor und Bewertung, nach Autor sortiert', 'nach Autor sortiert'],
    ['liste de livres avec auteur et note, triée par auteur', 'triée par auteur'],
    ['lista de libros con autor y valoración, ordenada por autor', 'ordenada por autor'],
    ['lista di libri con autore e voto, ordinata per autore', 'ordinata per autore'],
    ['lista de livros com autor e avaliação ordenada por autor', 'ordenada por autor'],
  ])('is listed where it is an order, which no plan has: %s', (prompt, order) => {
    const { spec, unserved, notTakenUp } = read(prompt);
    expect([spec.kind, unserved, notTakenUp]).toEqual(['tracker', null, [order]]);
    expect(spec.entity?.fields).toHaveLength(3);
  });

  test.each([
    ['a shopping list that is not red', 'not red'],
    ['eine Liste meiner Pflanzen, nicht rot', 'nicht rot'],
    ['a reading list without a rating', 'without a rating'],
    ['a reading list without author and pages', 'without author and pages'],
    ['eine Liste meiner Bücher ohne Autor und Seiten', 'ohne Autor und Seiten'],
    ['a todo list with no due date', 'no due date'],
    ['liste de livres sans note', 'sans note'],
    ['lista de tareas sin fecha', 'sin fecha'],
    ['lista di libri senza voto', 'senza voto'],
    ['lista de livros sem nota', 'sem nota'],
  ])('is listed where it is denied, and not done: %s', (prompt, denied) => {
    const { spec, doubt, notTakenUp } = read(prompt);
    expect([spec.kind, doubt, notTakenUp.join()]).toEqual(['tracker', null, expect.stringContaining(denied)]);
    expect(spec.palette.accent).not.toBe('#c8372d');
  });

  test.each([
    ['a diary for my cats with date and weight', 'date and weight'],
    ['Tagebuch mit Stimmung und Wetter', 'Stimmung und Wetter'],
  ])('is listed of the entries of a journal, and is none of them: %s', (prompt, left) => {
    const { spec, notTakenUp } = read(prompt);
    expect([spec.variant, spec.sections[0]?.items, notTakenUp]).toEqual(['journal', [], [left]]);
  });

  test('is listed where it is only a part', () => {
    const { unserved, notTakenUp } = read(
      'expense list with amount and date, with login and push notifications',
    );
    expect(unserved).toBeNull();
    expect(notTakenUp.join(' ')).toMatch(/login.*push notifications/);
  });
});

describe('coverage', () => {
  const invented = fc.array(
    fc.constantFrom('zorblat', 'quimple', 'Vexonia', 'drathe', 'mullick', '4711', 'ühlbrax'),
    {
      minLength: 1,
      maxLength: 8,
    },
  );
  const frames: readonly ((words: readonly string[]) => string)[] = [
    (words) => `an expense list for ${words.join(' ')}`,
    (words) => `website for the bakery ${words.join(', ')} please`,
    (words) => `ein Quiz mit ${words.join(' und ')} bitte`,
    (words) => `un carnet avec ${words.join(', ')} pour nous`,
    (words) => words.join(' '),
  ];

  test('every word of a prompt is in the spec or listed, in order and as it is written', () => {
    fc.assert(
      fc.property(invented, fc.constantFrom(...frames), (words, frame) => {
        const prompt = frame(words);
        const { spec, notTakenUp } = read(prompt);
        const { assumptions: _, ...held } = spec;
        const text = `${JSON.stringify(held)} ${notTakenUp.join(' ')}`.toLowerCase();
        for (const word of words) expect(text, prompt).toContain(word.toLowerCase());
        let at = 0;
        for (const phrase of notTakenUp) {
          at = prompt.indexOf(phrase, at);
          expect(at, `${phrase} in ${prompt}`).toBeGreaterThanOrEqual(0);
          at += phrase.length;
        }
      }),
      { numRuns: 200 },
    );
  });

  test('does not let the words of assumptions count', () => {
    const { notTakenUp } = read('stopwatch with colour animations');
    expect(notTakenUp.join(' ')).toContain('animations');
  });
});

describe('any prompt', () => {
  test('gives a valid spec, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 3, maxLength: 400 }), (text) => {
        const reading = read(text);
        expect(specProblems(reading.spec)).toEqual([]);
        expect(read(text)).toEqual(reading);
      }),
      { numRuns: 150 },
    );
  });

  test.each(['constructor', '__proto__ with toString, valueOf', 'hasOwnProperty list with constructor'])(
    'may hold names of the language that we are written in: %s',
    (prompt) => {
      expect(specProblems(read(prompt).spec)).toEqual([]);
    },
  );

  test.each(langs)('has its messages in its language: %s', (lang) => {
    const prompts = {
      en: 'a karaoke machine',
      de: 'eine Karaoke Maschine für die Feier',
      es: 'un karaoke para la fiesta',
      fr: 'un karaoké pour la fête',
      it: 'un karaoke per la festa',
      pt: 'um karaokê para a festa de anos',
    };
    const { unserved, spec } = read(prompts[lang]);
    expect(spec.lang).toBe(lang);
    expect(unserved?.message.length).toBeGreaterThan(20);
  });
});
