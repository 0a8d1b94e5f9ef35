import { describe, expect, test } from 'vitest';
import { read } from '../../../../src/factory/read/read.ts';
import type { FieldType } from '../../../../src/factory/spec.ts';

type Expected = readonly [label: string, type: FieldType, options?: readonly string[]];

const fieldsIn = (prompt: string): Expected[] =>
  (read(prompt, { kind: 'tracker' }).spec.entity?.fields ?? []).map(({ label, type, options }) =>
    options ? [label, type, options] : [label, type],
  );

describe('fields', () => {
  test.each([
    'a log where I can see the totals, the average and the best',
    'an app for people who run when it rains',
  ])('are none of what relative clauses and wishes hold: %s', (prompt) => {
    const labels = fieldsIn(prompt).map(([label]) => label.toLowerCase());
    expect(labels.filter((label) => /where|who|when/.test(label))).toEqual([]);
  });
});

describe('the types of fields', () => {
  test.each<[string, Expected]>([
    ['log with name, harvest in kg and plot', ['Harvest (kg)', 'number']],
    ['log with name, deposit (€) and plot', ['Deposit (€)', 'currency']],
    ['Liste mit Name, Breite in cm und Ort', ['Breite (cm)', 'number']],
    ['lista con nombre, altura en metros y lugar', ['Altura (metros)', 'number']],
    ['liste avec nom, prix de la place en € et lieu', ['Prix de la place (€)', 'currency']],
    ['lista com nome, caução em R$ e lugar', ['Caução (R$)', 'currency']],
    ['log with name, batch (number) and plot', ['Batch', 'number']],
    ['log with name, story (long text) and plot', ['Story', 'longtext']],
    ['log with name, tasting (1-5) and plot', ['Tasting', 'rating']],
    ['Liste mit Name, Prüfung (Datum) und Ort', ['Prüfung', 'date']],
    ['liste avec nom, emprunteur (texte) et lieu', ['Emprunteur', 'text']],
    ['lista com nome, lugar, emprestado a', ['Emprestado a', 'text']],
    ['liste de mes vinyles : artiste, album, prêté à', ['Prêté à', 'text']],
    ['inventory with part number, location and stock', ['Part number', 'text']],
    ['Liste mit Name, Ort, darf schwimmen ja/nein', ['Schwimmen', 'checkbox']],
    ['a list of books I lent: title, who, back yet? (yes/no)', ['Who', 'text']],
    ['a list of books I lent: title, who, back yet?', ['Back yet', 'checkbox']],
    ['Bücherliste: Titel, wer, zurück?', ['Wer', 'text']],
    ['recipes with difficulty (easy, medium, hard)', ['Difficulty', 'select', ['easy', 'medium', 'hard']]],
    [
      'applications with stages: applied, interview, offer',
      ['Stage', 'select', ['applied', 'interview', 'offer']],
    ],
    [
      'Bewerbungen mit Status: beworben, Gespräch, Absage',
      ['Status', 'select', ['beworben', 'Gespräch', 'Absage']],
    ],
  ])('%s', (prompt, field) => {
    expect(fieldsIn(prompt)).toContainEqual(field);
  });

  test('a noun that only lacks an accent of a participle stays a noun', () => {
    expect(fieldsIn('noter quel livre, quel élève et quelle classe')[0]).toEqual(['Livre', 'text']);
  });
});

describe('fields in lines', () => {
  test('with choices behind a colon', () => {
    expect(fieldsIn('Kayak shed\n- kayak\n- state: dry, wet, broken\n- size: S / L\n- last used')).toEqual([
      ['Kayak', 'text'],
      ['State', 'select', ['dry', 'wet', 'broken']],
      ['Size', 'select', ['S', 'L']],
      ['Last used', 'date'],
    ]);
  });
});

describe('lists in other forms', () => {
  test.each<[string, readonly string[]]>([
    [
      'control del viaje con concepto, importe, fecha y categoría: comida, hotel, otros',
      ['Concepto', 'Importe', 'Fecha', 'Categoría'],
    ],
  ])('%s', (prompt, labels) => {
    expect(
      fieldsIn(prompt)
        .map(([label]) => label)
        .toSorted(),
    ).toEqual(labels.toSorted());
  });
});

describe('fields that must be filled in', () => {
  const required = (prompt: string) =>
    (read(prompt, { kind: 'form' }).spec.entity?.fields ?? [])
      .filter((field) => field.required)
      .map(({ label }) => label);

  test.each<[string, readonly string[]]>([
    ['Anmeldung mit Name (Pflicht), Alter, Telefon (Pflicht)', ['Name', 'Telefon']],
  ])('%s', (prompt, labels) => {
    expect(required(prompt)).toEqual(labels);
  });
});
