import { describe, expect, it } from 'vitest';
import { read, read as readPrompt } from '../../../../src/factory/read/read.ts';

describe('the numbers of a timer', () => {
  it.each([
    ['countdown 1h30', 'countdown', { minutes: 90 }],
    ["minuteur de cuisine d'une demi-heure", 'countdown', { minutes: 30 }],
    ['Plank timer 90 seconds', 'countdown', { minutes: 1.5 }],
    ['kitchen timer 5 minutes, 10 minutes', 'countdown', { minutes: 5 }],
    ['metronome 92 bpm in 6/8', 'metronome', { beats: 92, bar: 6 }],
    [
      'pomodoro with 50 min work, 10 min break and a 30 min long break after 3 rounds',
      'pomodoro',
      { work: 50, shortBreak: 10, longBreak: 30, rounds: 3 },
    ],
    [
      'minuteur de sport, 8 fois 30 secondes vite 15 secondes lent',
      'intervals',
      { effort: 30, rest: 15, rounds: 8 },
    ],
    ['Schachuhr 15+10', 'chess', { minutes: 15, increment: 10 }],
  ])('are set from “%s”', (prompt, variant, settings) => {
    expect(read(prompt).spec).toMatchObject({ kind: 'timer', variant, settings });
  });

  it('are not listed as missing in another unit', () => {
    expect(read('Plank timer 90 seconds').notTakenUp).toEqual([]);
  });
});

describe('what chance chooses from', () => {
  it.each([
    ['seating chart for 5 tables of 6', { groups: 5, each: 6 }],
    ['gruppi a caso, gruppi da tre: Aurora, Elia, Yassin, Giada, Pietro, Mei', { groups: 2, each: 3 }],
    ['zufällige Gruppen bilden aus Ada, Bela, Cem, Dunja, immer zu zweit', { groups: 2, each: 2 }],
  ])('goes into groups of the size that “%s” says', (prompt, settings) => {
    expect(read(prompt).spec).toMatchObject({ kind: 'picker', variant: 'groups', settings });
  });

  it.each([
    ['dice roller with 3d6', { dice: 3, sides: 6 }],
    ['Würfel mit 2 W12', { dice: 2, sides: 12 }],
    ['password generator with 20 characters, no symbols', { length: 20, signs: 0, digits: 1 }],
    ['Passwortgenerator, 12 Zeichen, ohne Sonderzeichen', { length: 12, signs: 0 }],
    ['générateur de mot de passe, 24 caractères sans chiffres', { length: 24, digits: 0, signs: 1 }],
  ])('is made as “%s” says', (prompt, settings) => {
    const { spec, notTakenUp } = read(prompt);
    expect(spec).toMatchObject({ kind: 'picker', settings, choices: [] });
    expect(notTakenUp).toEqual([]);
  });
});

describe('the words of a game', () => {
  it.each([['Treino de digitação, palavras: casa, bola, mesa', ['casa', 'bola', 'mesa']]])(
    'are typed from “%s”',
    (prompt, choices) => {
      expect(read(prompt).spec).toMatchObject({ kind: 'game', variant: 'typing', choices });
    },
  );

  it.each([
    ['memory 6x4', 12],
    ['memory game with 20 cards', 10],
  ])('come in the pairs of “%s”', (prompt, pairs) => {
    const { spec, notTakenUp } = read(prompt);
    expect(spec).toMatchObject({ kind: 'game', variant: 'memory', settings: { pairs } });
    expect(notTakenUp).toEqual([]);
  });
});

describe('what a site tells', () => {
  const siteOf = (prompt: string) => read(prompt).spec;

  it.each([
    [
      "Portfolio d'une tailleuse de pierre, Maëlle Cotonnec, à Quimper. Projets : fontaine (2021), escalier (2023)",
      'Tailleuse de pierre · Quimper',
    ],
    [
      'Portfolio of Jonas Wirth, furniture maker in Graz: oak table (2021), walnut chair (2022)',
      'Furniture maker · Graz',
    ],
  ])('are what somebody does and where: “%s”', (prompt, role) => {
    const { copy, sections } = siteOf(prompt);
    expect(copy['role']).toBe(role);
    expect(
      sections[0]?.items.every(({ meta, price }) => /^20\d\d$/.test(meta ?? '') && price === undefined),
    ).toBe(true);
  });
});

describe('chapters and notes', () => {
  it('are answers in documentation', () => {
    const faq = read(
      'FAQ für den Kleingarten: Wann ist Ruhezeit? Von 13 bis 15 Uhr. Darf man grillen? Ja, mit Gas.',
    );
    expect(faq.spec.sections).toMatchObject([
      {
        type: 'faq',
        items: [{ title: 'Wann ist Ruhezeit?', text: 'Von 13 bis 15 Uhr' }, { title: 'Darf man grillen?' }],
      },
    ]);
  });

  it('are titles with their texts in notes', () => {
    const { spec } = read('notas: Wifi: casa2020; Fontanero: 600 111 222; Lista: pan y leche');
    expect(spec.sections[0]?.items).toEqual([
      { title: 'Wifi', text: 'casa2020' },
      { title: 'Fontanero', text: '600 111 222' },
      { title: 'Lista', text: 'pan y leche' },
    ]);
  });

  it.each([
    ['blocco note con etichette casa, lavoro e viaggi', '#casa #lavoro #viaggi'],
    ['Bloc de notas para una partida de rol, con etiquetas (PNJ, lugar, pista)', '#PNJ #lugar #pista'],
  ])('are tagged with the words of “%s”', (prompt, tags) => {
    expect(read(prompt).spec.sections[0]?.items.at(-1)?.text).toContain(tags);
  });
});

describe('a converter', () => {
  it.each([
    ['convertisseur pouces et pieds vers centimetres', 'inch', 'cm'],
    ['converter for stones to kg', 'st', 'kg'],
    ['Umrechner in Liter aus Gallonen', 'gal', 'l'],
  ])('of “%s” goes to the unit behind the word for it', (prompt, from, to) => {
    expect(read(prompt).spec).toMatchObject({ kind: 'converter', copy: { from, to } });
  });
});

describe('what an app would be for', () => {
  it('is not told of what no kind serves', () => {
    const { spec, unserved, notTakenUp } = read('Vorleseprogramm für Webseiten mit natürlicher Stimme');
    expect(unserved?.head).toBe('Vorleseprogramm für Webseiten');
    expect(spec.tagline).not.toContain('Webseiten');
    expect([unserved?.head, ...notTakenUp].join(' ')).toContain('Webseiten');
  });
});

const questionsOf = (prompt: string) => readPrompt(prompt).spec.questions;
const pairsOf = (prompt: string) => questionsOf(prompt).map(({ prompt: front, answer }) => [front, answer]);

describe('questions with their answers', () => {
  it.each([
    ['quiz: capital of France? Paris; capital of Spain? Madrid', 'Capital of France?', 'Paris', 2],
    [
      'Quiz über Pilze: Welcher Pilz ist giftig? Fliegenpilz. Welcher nicht? Austernpilz.',
      'Welcher Pilz ist giftig?',
      'Fliegenpilz',
      2,
    ],
    [
      'trivial de cine: ¿quién dirigió Tiburón? Spielberg; ¿en qué año? 1975',
      '¿Quién dirigió Tiburón?',
      'Spielberg',
      2,
    ],
    [
      'quiz sur le vélo : quelle pièce entraîne la roue ? la chaîne ; combien de roues ? deux',
      'Quelle pièce entraîne la roue ?',
      'la chaîne',
      2,
    ],
    ['quiz: capital of France - Paris; capital of Spain - Madrid', 'capital of France', 'Paris', 2],
    ['Quiz on chess\nHow many squares? 64\nWho moves first? White', 'How many squares?', '64', 2],
  ])('are taken from “%s”', (prompt, front, answer, count) => {
    const questions = questionsOf(prompt);
    expect(questions).toHaveLength(count);
    expect(questions[0]).toMatchObject({ prompt: front, answer });
    expect(readPrompt(prompt).notTakenUp).toEqual([]);
  });

  it('are not seen in a question to whoever builds it', () => {
    const { spec, notTakenUp } = readPrompt('Can you make a quiz about Rome? 10 questions please');
    expect(spec.questions).toEqual([]);
    expect(notTakenUp).toEqual(['10 questions']);
  });
});

describe('words with what they mean', () => {
  it.each([
    [
      'Flashcards for Dutch: hond - dog, kat - cat and boom - tree',
      [
        ['hond', 'dog'],
        ['kat', 'cat'],
        ['boom', 'tree'],
      ],
    ],
    [
      'Karteikarten für die Prüfung: Bradykardie: langsamer Puls; Dyspnoe: Atemnot',
      [
        ['Bradykardie', 'langsamer Puls'],
        ['Dyspnoe', 'Atemnot'],
      ],
    ],
    [
      'tarjetas de inglés: dog/perro, cat/gato',
      [
        ['dog', 'perro'],
        ['cat', 'gato'],
      ],
    ],
    [
      'cartes mémoire : fémur → cuisse, tibia → jambe',
      [
        ['fémur', 'cuisse'],
        ['tibia', 'jambe'],
      ],
    ],
    [
      'flashcard di latino: puella = ragazza, aqua = acqua',
      [
        ['puella', 'ragazza'],
        ['aqua', 'acqua'],
      ],
    ],
    [
      'flashcards de química: Na = sódio\nK = potássio',
      [
        ['Na', 'sódio'],
        ['K', 'potássio'],
      ],
    ],
    [
      'Flashcards: mitosis (cell division), osmosis (water movement)',
      [
        ['mitosis', 'cell division'],
        ['osmosis', 'water movement'],
      ],
    ],
  ])('are the two sides of the cards of “%s”', (prompt, pairs) => {
    expect(pairsOf(prompt)).toEqual(pairs);
  });

  it('are fewer than were asked for, which is said', () => {
    const { spec, notTakenUp } = readPrompt('I need 20 flashcards of elements: Na = sodium, K = potassium');
    expect(spec.questions).toHaveLength(2);
    expect(spec.assumptions.join(' ')).toContain('Fewer cards');
    expect(notTakenUp.join(' ')).toContain('20');
  });
});
