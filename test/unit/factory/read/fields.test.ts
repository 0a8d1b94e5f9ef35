import { describe, expect, test } from 'vitest';
import { read } from '../../../../src/factory/read/read.ts';
import type { FieldType } from '../../../../src/factory/spec.ts';

type Expected = readonly [label: string, type: FieldType, options?: readonly string[]];

const fieldsIn = (prompt: string): Expected[] =>
  (read(prompt, { kind: 'tracker' }).spec.entity?.fields ?? []).map(({ label, type, options }) =>
    options ? [label, type, options] : [label, type],
  );

describe('fields that indirect questions tell', () => {
  test.each<[string, Expected[]]>([
    [
      'Seed swap box: who gave it, what variety, how many packets and when it expires',
      [
        ['Who gave it', 'text'],
        ['Variety', 'text'],
        ['Packets', 'number'],
        ['When it expires', 'date'],
      ],
    ],
    [
      'i want to write down which canoe, where it lies, how much we paid and whether it leaks',
      [
        ['Canoe', 'text'],
        ['Where it lies', 'text'],
        ['How much we paid', 'currency'],
        ['Leaks', 'checkbox'],
      ],
    ],
    [
      'Für unsere Imkerei: welches Volk, wann es kontrolliert wurde, wie viele Waben und ob es gefüttert wurde',
      [
        ['Volk', 'text'],
        ['Wann kontrolliert', 'date'],
        ['Waben', 'number'],
        ['Gefüttert', 'checkbox'],
      ],
    ],
    [
      'apuntar qué vaca, cuántos litros dio, a qué hora y si tiene fiebre',
      [
        ['Vaca', 'text'],
        ['Litros', 'number'],
        ['Hora', 'time'],
        ['Fiebre', 'checkbox'],
      ],
    ],
    [
      "je veux noter quel vin, l'année, où je l'ai acheté et combien je l'ai payé",
      [
        ['Vin', 'text'],
        ['Année', 'number'],
        ["Où je l'ai acheté", 'text'],
        ["Combien je l'ai payé", 'currency'],
      ],
    ],
    [
      'mi serve sapere quale arnia, quando è stata aperta, quanto ho speso e se ha la regina',
      [
        ['Arnia', 'text'],
        ['Aperta', 'date'],
        ['Speso', 'currency'],
        ['Regina', 'checkbox'],
      ],
    ],
    [
      'quero anotar qual planta, quando reguei, quem podou e se floriu',
      [
        ['Planta', 'text'],
        ['Quando reguei', 'date'],
        ['Quem podou', 'text'],
        ['Floriu', 'checkbox'],
      ],
    ],
  ])('%s', (prompt, fields) => {
    expect(fieldsIn(prompt)).toEqual(fields);
  });

  test('without any comma, as one who dictates says them', () => {
    expect(
      fieldsIn('i need to note what boat it is who took it their phone number when it left and if its back'),
    ).toEqual([
      ['Boat', 'text'],
      ['Who took it', 'text'],
      ['Phone number', 'phone'],
      ['When it left', 'date'],
      ['Back', 'checkbox'],
    ]);
  });

  test.each([
    'a log where I can see the totals, the average and the best',
    'an app for people who run when it rains',
  ])('but not those that relative clauses and wishes hold: %s', (prompt) => {
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
    ['log with name, leash size S/M/L and plot', ['Leash size', 'select', ['S', 'M', 'L']]],
    ['log with name, plot, cash or card', ['Cash or card', 'select', ['cash', 'card']]],
    [
      'Liste mit Name, Ort, essbar / giftig / unsicher',
      ['Essbar / giftig / unsicher', 'select', ['essbar', 'giftig', 'unsicher']],
    ],
    ["noter le nom, le lieu et si c'est le matin ou le soir", ['Matin ou soir', 'select', ['matin', 'soir']]],
    ['elenco con nome, luogo, uscito il', ['Uscito il', 'date']],
    ['lista com nome, lugar, emprestado a', ['Emprestado a', 'text']],
    ['Liste mit Name, Ort, darf schwimmen ja/nein', ['Darf schwimmen', 'checkbox']],
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
    ['A log of bird sightings. I need species, place, date and count', ['Species', 'Place', 'Date', 'Count']],
    [
      'control del viaje con concepto, importe, fecha y categoría: comida, hotel, otros',
      ['Concepto', 'Importe', 'Fecha', 'Categoría'],
    ],
    [
      'Stundenzettel: Datum, Kunde, von, bis, Pause in Minuten',
      ['Datum', 'Kunde', 'Von', 'Bis', 'Pause (Minuten)'],
    ],
    [
      'tool list: name of tool, neighbour, day it left, day it is due back',
      ['Name of tool', 'Neighbour', 'Day it left', 'Day it is due back'],
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
