import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formulaProblems } from '../../../../src/factory/formula.ts';
import { compile } from '../../../../src/factory/kinds/calculator/app/reckon.js';
import { costOf, decimal, totals } from '../../../../src/factory/kinds/document/app/reckon.js';
import { read } from '../../../../src/factory/read/read.ts';

/** What the formula of a prompt gives for these values of its inputs, by label. */
function reckoned(prompt: string, values: Readonly<Record<string, number>>): Record<string, number> {
  const { spec } = read(prompt);
  expect([spec.kind, spec.variant], prompt).toEqual(['calculator', 'formula']);
  expect(spec.formula && formulaProblems(spec.formula), prompt).toEqual([]);
  const { inputs = [], results = [] } = spec.formula ?? {};
  expect(
    inputs.map(({ label }) => label),
    prompt,
  ).toEqual(Object.keys(values));
  const known: Record<string, number> = Object.fromEntries(
    inputs.map(({ key, label }) => [key, values[label] ?? Number.NaN]),
  );
  for (const { key, expression } of results) known[key] = compile(expression, Object.keys(known))(known);
  return Object.fromEntries(results.map(({ key, label }) => [label, Number(known[key]?.toFixed(4))]));
}

describe('a calculator reckons', () => {
  it.each([
    ['calculator: price per kilo from price and weight', { Price: 6, Weight: 1.5 }, { 'Price per kilo': 4 }],
    ['Area calculator: length x width', { Length: 4, Width: 2.5 }, { Area: 10 }],
    ['calculator with distance and time, gives speed', { Distance: 120, Time: 1.5 }, { Speed: 80 }],
    ['margin in % from cost and price', { Cost: 8, Price: 10 }, { Margin: 20 }],
    [
      'calculate the cost per wear from price and number of wears',
      { Price: 90, 'Number of wears': 30 },
      { 'Cost per wear': 3 },
    ],
    ['calculator that works out pace from distance and time', { Distance: 10, Time: 0.75 }, { Pace: 4.5 }],
    [
      'Rechner: Verbrauch pro 100 km aus Litern und Kilometern',
      { Liter: 30, Kilometer: 500 },
      { 'Verbrauch pro 100 km': 6 },
    ],
    [
      'Betonrechner: Länge (m), Breite (m), Dicke in cm. Ergebnis: Kubikmeter und Säcke (ein Sack gibt 0,02 m³)',
      { Länge: 2, Breite: 3, Dicke: 10 },
      { Kubikmeter: 0.6, Säcke: 30 },
    ],
    [
      'calculadora: coste por ración a partir del coste total y el número de raciones',
      { 'Coste total': 18, 'Número de raciones': 6 },
      { 'Coste por ración': 3 },
    ],
    [
      'calculadora: número de gallinas, gramos por gallina al día y días. Que me diga los kilos totales y los sacos de 25 kg',
      { 'Número de gallinas': 10, 'Gramos por gallina al día': 120, Días: 50 },
      { 'Kilos totales': 60, Sacos: 3 },
    ],
    [
      'calculette : prix au mètre carré à partir du prix et de la surface',
      { Prix: 200, Surface: 50 },
      { 'Prix au mètre carré': 4 },
    ],
    [
      'calculateur de vitesse moyenne avec distance en km et durée en minutes',
      { Distance: 15, Durée: 30 },
      { 'Vitesse moyenne': 30 },
    ],
    [
      'calcolo delle piastrelle: larghezza stanza, lunghezza stanza, lato piastrella in cm, scarto 10%',
      { 'Larghezza stanza': 2, 'Lunghezza stanza': 3, 'Lato piastrella': 50, Scarto: 0 },
      { Piastrelle: 24 },
    ],
    [
      'calcolatrice del prezzo al litro dal prezzo e dai litri',
      { Prezzo: 9, Litri: 6 },
      { 'Prezzo al litro': 1.5 },
    ],
    [
      'calculadora de lucro: receita menos custo, e margem em %',
      { Receita: 200, Custo: 150 },
      { Lucro: 50, Margem: 25 },
    ],
  ])('what “%s” names', (prompt, values, results) => {
    expect(reckoned(prompt, values as unknown as Record<string, number>)).toEqual(results);
  });

  it.each([
    [
      'paint calculator: wall area divided by coverage per litre, times number of coats',
      { 'Wall area': 40, 'Coverage per litre': 8, 'Number of coats': 2 },
      10,
    ],
    [
      'yarn calculator: stitches times rows divided by stitches per gram',
      { Stitches: 30, Rows: 10, 'Stitches per gram': 5 },
      60,
    ],
    ['formula calculator: F = C * 1.8 + 32', { C: 100 }, 212],
    ['Rechner für Stoffbedarf: Breite mal Länge geteilt durch 140', { Breite: 70, Länge: 4 }, 2],
    ['calculadora de precios: precio más 21%', { Precio: 100 }, 121],
    ['calcolatrice: media di italiano, matematica e storia', { Italiano: 6, Matematica: 7, Storia: 8 }, 7],
    ['calculadora de idade do cão: idade vezes 7', { Idade: 3 }, 21],
    [
      'pay calculator: hours worked times hourly rate minus 20% tax',
      { 'Hours worked': 10, 'Hourly rate': 20, Tax: 25 },
      150,
    ],
  ])('what “%s” writes out', (prompt, values, result) => {
    expect(Object.values(reckoned(prompt, values as unknown as Record<string, number>))).toEqual([result]);
    expect(read(prompt).notTakenUp).toEqual([]);
  });

  it('costs and a price that is put on top of them', () => {
    const prompt =
      'Calculateur : argile en kg, prix du kilo, cuisson en €, marge en %. Résultat : prix de revient (argile × prix du kilo + cuisson) et prix de vente avec la marge.';
    expect(reckoned(prompt, { Argile: 2, 'Prix du kilo': 3, Cuisson: 4, Marge: 50 })).toEqual({
      'Prix de revient': 10,
      'Prix de vente': 15,
    });
  });

  it('in the units that the prompt says', () => {
    const { spec } = read('calculator: wax weight (g), fragrance load in %. Show the fragrance oil in grams');
    expect(spec.formula?.inputs.map(({ unit }) => unit)).toEqual(['g', '%']);
    expect(spec.formula?.results).toMatchObject([
      { expression: 'wax_weight * fragrance_load / 100', unit: 'grams' },
    ]);
  });

  it('nothing of which nobody said how', () => {
    const { spec, notTakenUp } = read(
      'dough calculator: number of pizzas, oven temperature. gives crispness',
    );
    expect(spec).toMatchObject({ variant: 'basic', formula: null });
    expect(notTakenUp.join(' ')).toContain('crispness');
  });

  it('nothing from what is too long to be a formula', () => {
    expect(read(`calculator: ${'a x '.repeat(490)}`).spec.formula).toBeNull();
  });

  it('as ever where a ready one is meant', () => {
    expect(read('tip calculator with 4 people and 18%').spec).toMatchObject({
      variant: 'tip',
      settings: { people: 4, tip: 18 },
    });
    expect(read('loan calculator: 12000 over 5 years at 4%').spec).toMatchObject({
      variant: 'loan',
      settings: { amount: 12000, rate: 4, years: 5 },
    });
  });
});

const line = (quantity: string, price: string) => ({ quantity, price });

describe('money on documents', () => {
  it.each([
    ['1', '1.005', 101n],
    ['3', '1.005', 302n],
    ['3', '0.1', 30n],
    ['', '12', 1200n],
    ['2.5', '80', 20_000n],
    ['0.333', '9.99', 333n],
    ['1000000', '0.0005', 50_000n],
    ['-1', '1.005', -101n],
    ['1', '-0.005', -1n],
    ['0', '5', 0n],
  ])('%s × %s is %s cents', (quantity, price, cents) => {
    expect(costOf(line(quantity, price), 2)).toBe(cents);
  });

  it.each(['', 'x', '1e9', '1,5', '.5', '1'.repeat(13), '--1', 'Infinity'])(
    'has no cost for a price of %j',
    (price) => {
      expect(decimal(price)).toBeNull();
      expect(costOf(line('2', price), 2)).toBeNull();
    },
  );

  it('rounds as the currency does', () => {
    expect(costOf(line('3', '0.5'), 0)).toBe(2n);
    expect(costOf(line('1', '0.0005'), 3)).toBe(1n);
  });

  it('taxes the sum once', () => {
    const lines = [line('1', '0.05'), line('1', '0.05'), line('1', '0.05')];
    expect(totals(lines, '10', 2)).toEqual({ sum: 15n, tax: 2n, total: 17n });
    expect(totals(lines, '', 2)).toEqual({ sum: 15n, tax: 0n, total: 15n });
    expect(totals([line('1', '19.99')], '8.25', 2)).toEqual({ sum: 1999n, tax: 165n, total: 2164n });
  });

  it('is never off by half a cent or more, whatever the numbers', () => {
    const number = fc.tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 9999 }));
    const typed = ([whole, part]: readonly [number, number]) => `${whole}.${String(part).padStart(4, '0')}`;
    const units = ([whole, part]: readonly [number, number]) => BigInt(whole) * 10_000n + BigInt(part);
    fc.assert(
      fc.property(number, number, (quantity, price) => {
        const cost = costOf(line(typed(quantity), typed(price)), 2) ?? -1n;
        const off = cost * 1_000_000n - units(quantity) * units(price);
        expect(2n * (off < 0n ? -off : off)).toBeLessThanOrEqual(1_000_000n);
      }),
    );
  });
});
