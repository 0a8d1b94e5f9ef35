import { describe, expect, test } from 'vitest';
import { shownIn } from '../../../../src/factory/read/coverage.ts';
import { read } from '../../../../src/factory/read/read.ts';

const shown = (prompt: string) => shownIn(read(prompt).spec).texts.join('\n').toLowerCase();

describe('the words that ask for an app', () => {
  test.each([
    ['beehive inspection log', 'log'],
    ['Sammlung meiner Kronkorken', 'sammlung'],
    ['boxing round timer 12 rounds of 3 minutes', 'boxing round timer'],
    ['an app to keep track of my puppets called Zap', 'keep track of my puppets'],
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
    ['timer. my eyes are not what they were', 'eyes are not what they were'],
    ['Timer, während wir auf den Zahnarzt warten', 'während wir auf den Zahnarzt warten'],
    ['stopwatch, and show the moon over the harbour', 'show the moon over the harbour'],
    ['Stoppuhr, dazu die vier Strecken', 'vier Strecken'],
  ])('is listed with the small words that belong to it: %s', (prompt, entry) => {
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
