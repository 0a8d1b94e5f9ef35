import { describe, expect, it } from 'vitest';
import { read as readPrompt } from '../../../../src/factory/read/read.ts';

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
    ['quiz di storia. D: Chi fondò Roma? R: Romolo D: Quando? R: 753 a.C.', 'Chi fondò Roma?', 'Romolo', 2],
    ['Quiz on chess\nHow many squares? 64\nWho moves first? White', 'How many squares?', '64', 2],
    [
      'quiz de rios: qual o rio de Lisboa? Tejo, qual o rio do Porto? Douro',
      'Qual o rio de Lisboa?',
      'Tejo',
      2,
    ],
  ])('are taken from “%s”', (prompt, front, answer, count) => {
    const questions = questionsOf(prompt);
    expect(questions).toHaveLength(count);
    expect(questions[0]).toMatchObject({ prompt: front, answer });
    expect(readPrompt(prompt).notTakenUp).toEqual([]);
  });

  it.each([
    ['quiz: Legs of a spider? (6, 8*, 10)', '8', ['6', '10']],
    ['Quiz für Kinder: Was ist 2+2? a) 3 b) 4 c) 5, richtig: b', '4', ['3', '5']],
    ['quiz de flores: ¿cuál es roja? amapola (correcta), girasol, lirio', 'amapola', ['girasol', 'lirio']],
    ['quiz vrai ou faux : le soleil est-il une étoile ? vrai', 'vrai', ['faux']],
    ['quiz di Torino: quale fiume? Po (sbagliate: Arno, Tevere)', 'Po', ['Arno', 'Tevere']],
  ])('have the wrong ones that are given with “%s”', (prompt, answer, wrong) => {
    expect(questionsOf(prompt)).toMatchObject([{ answer, wrong }]);
  });

  it('are not guessed where none of several answers is said to be right', () => {
    const { spec, notTakenUp } = readPrompt('Quiz: Which bird is it? a) wren b) robin c) dunnock');
    expect(spec.questions.map(({ answer }) => answer)).not.toContain('wren');
    expect(notTakenUp.join(' ')).toContain('dunnock');
  });

  it('are not seen in a question to whoever builds it', () => {
    const { spec, notTakenUp } = readPrompt('Can you make a quiz about Rome? 10 questions please');
    expect(spec.questions).toEqual([]);
    expect(notTakenUp).toEqual(['10']);
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
