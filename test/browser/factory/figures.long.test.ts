/** What built apps say in figures and colours is the same in each place. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../../helpers/browser.ts';
import { builtApps } from './built-apps.ts';

vi.setConfig({ testTimeout: 30_000 });

describe.skipIf(!hasBrowser)('figures of built apps in Chromium (skipped where there is none)', () => {
  const { opened } = builtApps();

  /** The colours in which each word is marked, by the word. */
  const marks = (page: Page, selector: string, pseudo = '') =>
    page.evaluate<Record<string, string>>(`Object.fromEntries(
      [...document.querySelectorAll('${selector}')].map((mark) => [
        (mark.classList.contains('swatch') ? mark.nextSibling : mark).textContent,
        getComputedStyle(mark, '${pseudo}').backgroundColor,
      ]))`);

  it.each(['invoice generator with VAT', 'an expense tracker', 'Haushaltsbuch mit Kategorien'])(
    'an option has one colour in the table and in the chart: %s',
    async (prompt) => {
      const page = await opened(prompt);
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
    },
  );

  it('money has the decimals of its currency everywhere, in the middle of a ring as well', async () => {
    const page = await opened('Haushaltsbuch mit Kategorien');
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
    const page = await opened('an expense tracker');
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
    const cells = heads.map((_, at) => (at === money ? '1.2345' : at === 1 ? 'Nail' : ''));
    const text = `${heads.join(',')}\n${cells.join(',')}`;
    await chooser.setFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByText('1 entry imported').waitFor();
    const stored = await page.evaluate<string>('JSON.stringify(localStorage)');
    expect(stored).not.toContain('1.2345');
    expect(stored).toContain(':1.23');
    await page.close();
  });

  it('first entries in a currency without cents add up to what is shown of them', async () => {
    const page = await opened('Ausgaben in Yen');
    const amounts = await page.locator('td.number').allTextContents();
    const sum = amounts.reduce((all, text) => all + Number(text.replace(/\D/g, '')), 0);
    expect(await page.locator('.donut-sum').textContent()).toBe(`${sum}\u00a0¥`);
    await page.close();
  });

  it('a number with three decimals is not taken for thousands', async () => {
    const page = await opened('weight log');
    await page.getByRole('button', { name: /^Add / }).first().click();
    await page.getByRole('dialog').locator('input[type=number]').first().fill('71.125');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).toContain(':71.125');
    await page.close();
  });

  it.each([
    ['an expense tracker', 1280],
    ['an expense tracker', 375],
    ['weight log', 1280],
    ['weight log', 375],
    ['sales dashboard', 1280],
    ['sales dashboard', 375],
  ])('labels of a scale are of one readable size: %s at %i', async (prompt, width) => {
    const page = await opened(prompt, width);
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
    const page = await opened('Haushaltsbuch mit Betrag, Kategorie, wer bezahlt hat, Datum', 375);
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(1);
    expect(await page.getByRole('cell', { name: '–', exact: true }).count()).toBe(0);
    await page.close();
  });
});
