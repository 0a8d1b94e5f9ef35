/** What built apps say in figures and colours is the same in each place. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../../helpers/browser.ts';
import { builtApps } from './built-apps.ts';
import { type Entry, withEntries } from './entries.ts';

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
    const prompt = 'Haushaltsbuch mit Betrag, Kategorie, wer bezahlt hat, Datum';
    const gaps: readonly Entry[] = [
      { Betrag: 84.2, Kategorie: 'Lebensmittel', 'Wer bezahlt hat': 'Ana' },
      { Betrag: 950, Datum: '2026-02-01' },
      { Betrag: 49 },
    ];
    const page = await opened(withEntries(prompt, gaps), 375);
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(1);
    expect(await page.getByRole('cell', { name: '–', exact: true }).count()).toBe(0);
    await page.close();
  });
});
