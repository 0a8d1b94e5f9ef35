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

/** Of a prompt whose kind is not chosen. */
const labelled = (prompt: string) =>
  (read(prompt).spec.entity?.fields ?? []).map(({ label, type }) => [label, type] as [string, FieldType]);

describe('fields that a prompt lists', () => {
  test.each<[string, [string, FieldType][]]>([
    [
      'kiln log with kiln, date, cone temperature, number of pieces and cracked yes or no',
      [
        ['Kiln', 'text'],
        ['Date', 'date'],
        ['Cone temperature', 'number'],
        ['Number of pieces', 'number'],
        ['Cracked', 'checkbox'],
      ],
    ],
    [
      'Werkzeugliste mit Gerät, Kaufdatum, Preis, Zustand (gut, mittel, kaputt) und ob es verliehen ist',
      [
        ['Gerät', 'text'],
        ['Kaufdatum', 'date'],
        ['Preis', 'currency'],
        ['Zustand', 'select'],
        ['Verliehen', 'checkbox'],
      ],
    ],
    [
      'registro de visitas: visitante, fecha, hora, teléfono y motivo',
      [
        ['Visitante', 'text'],
        ['Fecha', 'date'],
        ['Hora', 'time'],
        ['Teléfono', 'phone'],
        ['Motivo', 'longtext'],
      ],
    ],
    [
      'inventaire de ma cave : cuvée, année, prix, nombre de bouteilles, note de 1 à 5',
      [
        ['Cuvée', 'text'],
        ['Année', 'number'],
        ['Prix', 'currency'],
        ['Nombre de bouteilles', 'number'],
        ['Note', 'rating'],
      ],
    ],
    [
      'elenco dei prestiti con persona, oggetto, data, restituito sì o no',
      [
        ['Persona', 'text'],
        ['Oggetto', 'text'],
        ['Data', 'date'],
        ['Restituito', 'checkbox'],
      ],
    ],
    [
      'lista de obras com título, autor, ano, preço e comentários',
      [
        ['Título', 'text'],
        ['Autor', 'text'],
        ['Ano', 'number'],
        ['Preço', 'currency'],
        ['Comentários', 'longtext'],
      ],
    ],
    [
      'shopping list with quantity, shop and price',
      [
        ['What', 'text'],
        ['Quantity', 'number'],
        ['Shop', 'text'],
        ['Price', 'currency'],
        ['Done', 'checkbox'],
      ],
    ],
    [
      'plants with location, last watered',
      [
        ['Name', 'text'],
        ['Location', 'text'],
        ['Last watered', 'date'],
      ],
    ],
    [
      'screws with length, diameter and head',
      [
        ['Name', 'text'],
        ['Length', 'number'],
        ['Diameter', 'text'],
        ['Head', 'text'],
      ],
    ],
    [
      'Einkaufsliste mit Menge, Laden und Preis',
      [
        ['Was', 'text'],
        ['Menge', 'number'],
        ['Laden', 'text'],
        ['Preis', 'currency'],
        ['Erledigt', 'checkbox'],
      ],
    ],
    [
      'liste de vins avec cépage, année et note',
      [
        ['Nom', 'text'],
        ['Cépage', 'text'],
        ['Année', 'number'],
        ['Note', 'rating'],
      ],
    ],
    [
      'plantas con ubicación y último riego',
      [
        ['Nombre', 'text'],
        ['Ubicación', 'text'],
        ['Último riego', 'date'],
      ],
    ],
    [
      'lista di vini con vitigno e anno',
      [
        ['Nome', 'text'],
        ['Vitigno', 'text'],
        ['Anno', 'number'],
      ],
    ],
    [
      'lista de vinhos com uva e ano',
      [
        ['Nome', 'text'],
        ['Uva', 'text'],
        ['Ano', 'number'],
      ],
    ],
    [
      'fuel log: litres, price, shop',
      [
        ['Litres', 'number'],
        ['Price', 'currency'],
        ['Shop', 'text'],
      ],
    ],
  ])('%s', (prompt, fields) => {
    expect(labelled(prompt)).toEqual(fields);
  });

  test('have the options that stand behind them', () => {
    const { entity } = read('job list with company, status (applied, interview, offer) and link').spec;
    expect(entity?.fields.find(({ label }) => label === 'Status')?.options).toEqual([
      'applied',
      'interview',
      'offer',
    ]);
  });

  test('end where a clause begins', () => {
    const labels = labelled('plot list with number, holder and notes so the treasurer can see who owes').map(
      ([label]) => label,
    );
    expect(labels).toEqual(['Number', 'Holder', 'Notes']);
  });

  test('hold no verb, article or possessive', () => {
    const labels = labelled('a log with our hive, the date, my frames and what we can').map(([label]) =>
      label.toLowerCase(),
    );
    expect(labels).toEqual(expect.arrayContaining(['hive', 'date', 'frames']));
  });
});
