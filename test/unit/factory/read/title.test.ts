import { describe, expect, test } from 'vitest';
import { read } from '../../../../src/factory/read/read.ts';

describe('the name of an app that the prompt does not name', () => {
  test.each([
    [
      'Gerätebuch Bergwacht Ammertal: Gerätenummer, Bezeichnung, letzte Prüfung',
      'Gerätebuch Bergwacht Ammertal',
    ],
    [
      'registro de préstamos de la biblioteca del barrio con libro, socio y fecha',
      'Registro de préstamos de la biblioteca del barrio',
    ],
  ])('is how it calls what it asks for, where a word would be lost otherwise: %s', (prompt, name) => {
    const { spec, notTakenUp } = read(prompt);
    expect(spec.name).toBe(name);
    expect(notTakenUp).toEqual([]);
  });

  test.each([
    ['shopping list', 'Shopping List'],
    ['I want a list of my bikes with frame number and brand', 'Bike Tracker'],
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
