/** Calculators and converters reckon with what stands in their fields, or say what is wrong with it. */

import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { read } from '../../../src/factory/read/read.ts';
import { barriers, hasBrowser } from '../../helpers/browser.ts';
import { builtApps, type Entry, specApps, withEntries } from './built-apps.ts';

vi.setConfig({ testTimeout: 30_000 });

describe.skipIf(!hasBrowser)('calculators in Chromium (skipped where there is none)', () => {
  const { opened } = builtApps();

  it.each([
    ['tip calculator', 'people', ['0', '2.5'], ['At least 1.', 'Only whole numbers.']],
    ['tip calculator', 'bill', ['-20', ''], ['At least 0.', 'Write a number here.']],
    ['Trinkgeldrechner', 'people', ['0', '2.5'], ['Mindestens 1.', 'Nur ganze Zahlen.']],
    ['calculadora de propinas', 'people', ['0', '2.5'], ['Como mínimo, 1.', 'Solo números enteros.']],
    ['calculateur de pourboire', 'people', ['0', '2.5'], ['Au moins 1.', 'Seulement des nombres entiers.']],
    ['BMI calculator', 'height', ['20', '300'], ['From 50 to 260.', 'From 50 to 260.']],
    ['loan calculator', 'years', ['0', '2.1'], ['From 1 to 100.', 'In steps of 0.25.']],
    ['discount calculator', 'discount', ['101', '-1'], ['From 0 to 100.', 'From 0 to 100.']],
    ['VAT calculator', 'rate', ['-5', '1e300'], ['At least 0.', 'At most 1,000,000,000,000.']],
    ['fuel cost calculator', 'people', ['1.5', '0'], ['Only whole numbers.', 'At least 1.']],
    ['age calculator', 'birth', ['2999-01-01', ''], ['From Jan 1, 1900 to ', 'Choose a day here.']],
  ])('%s claims nothing about a wrong value: %s', async (prompt, key, wrong, hints) => {
    const page = await opened(prompt);
    const field = page.locator(`#in-${key}`);
    const right = await field.inputValue();
    const before = await page.locator('.figure').textContent();
    for (const [at, value] of wrong.entries()) {
      await field.fill(value);
      expect(await page.locator(`#in-${key}-hint`).textContent()).toContain(hints[at]);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('.figure').count()).toBe(0);
    }
    await field.fill(right);
    expect(await field.getAttribute('aria-invalid')).toBe('false');
    expect(await page.locator('.field-hint:visible').count()).toBe(0);
    expect(await page.locator('.figure').textContent()).toBe(before);
    await page.close();
  });

  it('a quote claims nothing of a negative quantity or a discount of more than everything', async () => {
    const items = [
      { title: 'Walls', price: '$120' },
      { title: 'Ceiling', price: '$85.50' },
    ];
    const page = await opened({
      ...read('quote calculator for a painter').spec,
      sections: [{ type: 'items', title: 'Work', items }],
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const quantity = page.getByRole('spinbutton', { name: 'Quantity' }).first();
    const discount = page.getByRole('spinbutton', { name: 'Discount' });
    for (const [field, value, right] of [
      [quantity, '-2', '2'],
      [quantity, '', '2'],
      [discount, '120', '10'],
    ] as const) {
      await field.fill(value);
      await field.blur();
      await page.locator('.field-hint:visible').waitFor();
      expect(await field.inputValue()).toBe(value);
      expect(await page.locator('.totals .figure').count()).toBe(0);
      for (const theme of ['light', 'dark']) {
        await page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
        expect(await barriers(page), theme).toEqual([]);
      }
      await field.fill(right);
      await field.blur();
      await page.locator('.totals .figure').waitFor();
    }
    await page.close();
  });

  it('a converter claims nothing below nought, below the coldest, and with a rate of nought', async () => {
    const page = await opened('unit converter');
    const value = page.getByRole('spinbutton', { name: 'Value' });
    const result = page.locator('output');
    const hint = page.locator('.field-hint:visible');
    await value.fill('-3');
    expect(await hint.textContent()).toBe('At least 0.');
    expect(await result.textContent()).toBe('–');
    await page.getByRole('button', { name: 'Temperature' }).click();
    expect(await result.textContent()).not.toBe('–');
    await value.fill('-300');
    expect(await hint.textContent()).toBe('At least -273.15.');
    expect(await result.textContent()).toBe('–');
    await value.fill('0.001');
    expect(await page.getByRole('heading', { name: '0.001' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Currency' }).click();
    await page.getByLabel(/^Rate/).fill('0');
    expect(await hint.textContent()).toBe('More than 0.');
    expect(await result.textContent()).toBe('–');
    await page.close();
  });
});

/** Calculators that reckon by a formula of their plan. */

vi.setConfig({ testTimeout: 60_000 });

const paint = {
  inputs: [
    { key: 'width', label: 'Width', unit: 'm', value: 4, min: 0 },
    { key: 'height', label: 'Height', unit: 'm', value: 2.5, min: 0 },
    { key: 'coverage', label: 'Square metres a litre', value: 8, min: 0 },
    { key: 'price', label: 'Price of a litre', unit: 'EUR', value: 9.5, min: 0 },
  ],
  results: [
    { key: 'litres', label: 'Paint', expression: 'width * height / coverage', unit: 'l', decimals: 2 },
    { key: 'cans', label: 'Cans of 2.5 litres', expression: 'ceil(litres / 2.5)' },
    { key: 'cost', label: 'Cost', expression: 'litres * price', unit: 'EUR' },
  ],
};

describe.skipIf(!hasBrowser)('formulas in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  it.each(['en', 'de', 'es', 'fr'] as const)(
    'in %s reckon with what is typed, and say what is wrong',
    async (lang) => {
      const { page, sound } = await opened({
        kind: 'calculator',
        variant: 'formula',
        name: 'Paint',
        currency: 'EUR',
        lang,
        formula: paint,
      });
      const digits = async () => (await page.locator('.calc-result').textContent())?.replace(/,/g, '.');
      expect(await digits()).toContain('1.25 l');
      expect(await digits()).toMatch(/11\.8[78]/);
      await sound();
      await page.getByLabel('Width (m)').fill('40');
      expect(await digits()).toContain('12.50 l');
      expect(await digits()).toMatch(/Cans of 2.5 litres5/);
      await page.getByLabel('Square metres a litre').fill('0');
      expect(await digits()).toContain('–');
      await page.getByLabel('Width (m)').fill('-1');
      expect(await page.getByLabel('Width (m)').getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('.figure').count()).toBe(0);
      await sound();
      await page.close();
    },
  );

  it('keeps a result over a reload', async () => {
    const { page } = await opened({
      kind: 'calculator',
      variant: 'formula',
      name: 'Paint',
      currency: 'EUR',
      formula: paint,
    });
    await page.getByLabel('Width (m)').fill('8');
    await page.getByRole('button', { name: 'Keep this result' }).click();
    await page.reload();
    expect(await page.getByLabel('Width (m)').inputValue()).toBe('8');
    expect(await page.locator('.kept li').textContent()).toContain('2.50 l');
    await page.close();
  });
});

/** What built apps say in figures and colours is the same in each place. */

vi.setConfig({ testTimeout: 30_000 });

const invoices: readonly Entry[] = [
  { Number: '2026-001', Client: 'Ardent Ltd', Amount: 1240.5, Status: 'Paid', Due: '2026-01-15' },
  { Number: '2026-002', Client: 'Bakery Lane', Amount: 380, Status: 'Sent', Due: '2026-02-20' },
  { Number: '2026-003', Client: 'Crane & Co', Amount: 2100, Status: 'Overdue', Due: '2026-02-01' },
  { Number: '2026-004', Client: 'Dover House', Amount: 95.75, Status: 'Draft', Due: '2026-03-10' },
];
const expenses: readonly Entry[] = [
  { What: 'Weekly shop', Amount: 84.2, Category: 'Groceries', Date: '2026-01-09' },
  { What: 'Rent', Amount: 950, Category: 'Housing', Date: '2026-02-01' },
  { What: 'Bus pass', Amount: 49, Category: 'Transport', Date: '2026-02-03' },
  { What: 'Cinema', Amount: 23.5, Category: 'Leisure', Date: '2026-03-12' },
];
const ausgaben: readonly Entry[] = [
  { Was: 'Wocheneinkauf', Betrag: 84.2, Kategorie: 'Lebensmittel', Datum: '2026-01-09' },
  { Was: 'Miete', Betrag: 950, Kategorie: 'Wohnen', Datum: '2026-02-01' },
  { Was: 'Monatskarte', Betrag: 49, Kategorie: 'Verkehr', Datum: '2026-02-03' },
  { Was: 'Kino', Betrag: 23.5, Kategorie: 'Freizeit', Datum: '2026-03-12' },
];
const yen: readonly Entry[] = [
  { Was: 'Reis', Betrag: 480.4, Kategorie: 'Lebensmittel' },
  { Was: 'Bento', Betrag: 120.4, Kategorie: 'Lebensmittel' },
  { Was: 'Zug', Betrag: 210.4, Kategorie: 'Verkehr' },
];
const weights: readonly Entry[] = [
  { Date: '2026-03-01', 'Weight (kg)': 72.4 },
  { Date: '2026-03-08', 'Weight (kg)': 71.9 },
  { Date: '2026-03-15', 'Weight (kg)': 71.2 },
];
const sales: readonly Entry[] = [
  { Month: 'January', Sales: 12400 },
  { Month: 'February', Sales: 15100 },
  { Month: 'March', Sales: 13800 },
];

describe.skipIf(!hasBrowser)('figures of built apps in Chromium (skipped where there is none)', () => {
  const { opened } = builtApps();

  /** The colours in which each word is marked, by the word. */
  const marks = (page: Page, selector: string, pseudo = '') =>
    page.evaluate<Record<string, string>>(`Object.fromEntries(
      [...document.querySelectorAll('${selector}')].map((mark) => [
        (mark.classList.contains('swatch') ? mark.nextSibling : mark).textContent,
        getComputedStyle(mark, '${pseudo}').backgroundColor,
      ]))`);

  it.each([
    ['invoice tracker with VAT', invoices],
    ['an expense tracker', expenses],
    ['Haushaltsbuch mit Kategorien', ausgaben],
  ] as const)('an option has one colour in the table and in the chart: %s', async (prompt, entries) => {
    const page = await opened(withEntries(prompt, entries));
    const chips = await marks(page, 'td .chip[class*=" c"]', '::before');
    const legend = await marks(page, '.legend .swatch');
    const shared = Object.keys(legend).filter((option) => option in chips);
    expect(shared.length).toBeGreaterThan(1);
    for (const option of shared) expect(legend[option], option).toBe(chips[option]);
    expect(new Set(Object.values(legend)).size).toBe(Object.keys(legend).length);
    const filter = page.locator('.toolbar select').first();
    await filter.selectOption(shared[0] ?? '');
    expect(
      await page.evaluate<string>("getComputedStyle(document.querySelector('.toolbar select')).boxShadow"),
    ).toContain(chips[shared[0] ?? '']);
    await page.close();
  });

  it('money has the decimals of its currency everywhere, in the middle of a ring as well', async () => {
    const page = await opened(withEntries('Haushaltsbuch mit Kategorien', ausgaben));
    await page.getByRole('button', { name: 'hinzufügen' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=text]').first().fill('Klavier');
    await dialog.locator('input[type=number]').fill('2000');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /Klavier/ });
    await row.getByText('2.000,00\u00a0€').waitFor();
    expect(await page.locator('.donut-sum').textContent()).toMatch(/^\d\.\d{3},\d\d\s€$/);
    await page.close();
  });

  it('money is kept in no smaller parts than its currency has', async () => {
    const page = await opened(withEntries('an expense tracker', expenses));
    await page.getByRole('button', { name: /^Add / }).first().click();
    expect(await page.getByRole('dialog').locator('input[type=number]').getAttribute('step')).toBe('0.01');
    await page.keyboard.press('Escape');
    const heads = await page.locator('thead th').allTextContents();
    await page.locator('.menu summary').click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import a file' }).click(),
    ]);
    const money = heads.indexOf('Amount');
    const cells = heads.map((_, at) =>
      at === money ? '1.2345' : at === heads.indexOf('What') ? 'Nail' : '',
    );
    const text = `${heads.join(',')}\n${cells.join(',')}`;
    await chooser.setFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByText('1 entry imported').waitFor();
    const stored = await page.evaluate<string>('JSON.stringify(localStorage)');
    expect(stored).not.toContain('1.2345');
    expect(stored).toContain(':1.23');
    await page.close();
  });

  it('first entries in a currency without cents add up to what is shown of them', async () => {
    const page = await opened(withEntries('Ausgaben in Yen', yen));
    const amounts = await page.locator('td.number').allTextContents();
    expect(amounts).toHaveLength(yen.length);
    const sum = amounts.reduce((all, text) => all + Number(text.replace(/\D/g, '')), 0);
    expect(await page.locator('.donut-sum').textContent()).toBe(`${sum}\u00a0¥`);
    await page.close();
  });

  it('a number with three decimals is not taken for thousands', async () => {
    const page = await opened(withEntries('weight log', weights));
    await page.getByRole('button', { name: /^Add / }).first().click();
    await page.getByRole('dialog').locator('input[type=number]').first().fill('71.125');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).toContain(':71.125');
    await page.close();
  });

  it.each([
    ['an expense tracker', 1280, expenses],
    ['an expense tracker', 375, expenses],
    ['weight log', 1280, weights],
    ['weight log', 375, weights],
    ['sales dashboard', 1280, sales],
    ['sales dashboard', 375, sales],
  ] as const)('labels of a scale are of one readable size: %s at %i', async (prompt, width, entries) => {
    const page = await opened(withEntries(prompt, entries), width);
    const sizes = await page.evaluate<number[]>(`[...document.querySelectorAll('.plot text')].map((text) =>
      parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)`);
    expect(sizes.length).toBeGreaterThan(3);
    for (const size of sizes) {
      expect(size).toBeGreaterThanOrEqual(11);
      expect(size).toBeLessThanOrEqual(13);
    }
    await page.close();
  });

  it('on a phone a row shows what it has, not dashes for what it has not', async () => {
    const prompt = 'Haushaltsbuch mit Betrag, Kategorie, Zahler, Datum';
    const gaps: readonly Entry[] = [
      { Betrag: 84.2, Kategorie: 'Lebensmittel', Zahler: 'Ana' },
      { Betrag: 950, Datum: '2026-02-01' },
      { Betrag: 49 },
    ];
    const page = await opened(withEntries(prompt, gaps), 375);
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(1);
    expect(await page.getByRole('cell', { name: '–', exact: true }).count()).toBe(0);
    await page.close();
  });
});
