import { describe, expect, test } from 'vitest';
import { read } from '../../../../src/factory/read/read.ts';

describe('what an app would be is said to be of no kind', () => {
  test.each([
    ['a pinball machine', 'pinball machine'],
    ['bridge with computer opponents', 'bridge'],
    ['ein Flipperautomat', 'Flipperautomat'],
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
    expect(read(prompt).unserved?.head).toContain(words);
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
