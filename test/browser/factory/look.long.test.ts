/** What strangers stumbled over when they looked at built apps, on a phone above all. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { read } from '../../../src/factory/read/read.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';
import { barriers, hasBrowser } from '../../helpers/browser.ts';
import { wholeSpec } from '../../helpers/factory-build.ts';
import { builtApps } from './built-apps.ts';

vi.setConfig({ testTimeout: 30_000 });

const expenses = wholeSpec({
  name: 'Expenses',
  variant: 'table',
  entity: {
    singular: 'expense',
    plural: 'expenses',
    fields: [
      { key: 'f0', label: 'What', type: 'text', required: true },
      { key: 'f1', label: 'Amount', type: 'currency' },
      { key: 'f2', label: 'Category', type: 'select', options: ['Groceries', 'Housing', 'Leisure'] },
      { key: 'f3', label: 'Date', type: 'date' },
      { key: 'f4', label: 'Notes', type: 'longtext' },
    ],
  },
  features: ['search', 'filter', 'sort', 'totals', 'chart', 'csv', 'undo'],
  seed: [
    { f0: 'Market', f1: 23.4, f2: 'Groceries', f3: '2026-03-02', f4: 'Bread, "rye", and eggs' },
    { f0: 'Rent', f1: 900, f2: 'Housing', f3: '2026-03-01' },
    { f0: 'Cinema', f1: 12.5, f2: 'Leisure', f3: '2026-03-06' },
    { f0: 'Bakery', f1: 4.8, f2: 'Groceries', f3: '2026-03-07' },
  ],
});

/** What a prompt for a list asks for, with entries under its first field. */
const listOf = (prompt: string, entries: readonly string[]): AppSpec => {
  const { spec } = read(prompt);
  const key = spec.entity?.fields[0]?.key ?? '';
  return { ...spec, seed: entries.map((entry) => ({ [key]: entry })) };
};

describe.skipIf(!hasBrowser)('built apps in Chromium (skipped where there is none)', () => {
  const { opened, blank, addressOf } = builtApps();

  /** Text of the elements that are broken inside a word: more lines than its words can make. */
  const brokenWords = (page: Page) =>
    page.evaluate<string[]>(`[...document.querySelectorAll('h1')].flatMap((title) => {
      const text = title.firstChild;
      let from = 0;
      return title.textContent.split(/(?<=[\\s-])/).filter((word) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, from + word.trimEnd().length);
        from += word.length;
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      });
    })`);

  describe('a list to tick off', () => {
    it.each([
      ['todo list with due dates', 'Add todo', 'Add with details', ['Call the bank', 'Water the plants']],
      ['Einkaufsliste', 'Artikel hinzufügen', 'Mit Angaben hinzufügen', ['Brot', 'Milch', 'Äpfel']],
      ['lista de la compra', 'Añadir producto', 'Añadir con detalles', ['Pan', 'Leche', 'Manzanas']],
      ['liste de courses', 'Ajouter\u202f: article', 'Ajouter avec des détails', ['Pain', 'Lait', 'Pommes']],
    ])(
      'has one way to add that names the thing, and begins on the first screen: %s',
      async (prompt, add, details, entries) => {
        const page = await opened(listOf(prompt, entries), 375, 'preview');
        const line = page.getByPlaceholder(add, { exact: true });
        await line.waitFor();
        expect(await page.getByRole('button', { name: add }).count()).toBe(0);
        expect(await page.locator('main .button.primary').count()).toBe(1);
        const first = await page.locator('.task').first().boundingBox();
        expect((first?.y ?? 740) + (first?.height ?? 0)).toBeLessThan(740);
        await line.fill('Zebra');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Zebra', exact: true }).waitFor();
        await line.fill('Giraffe');
        await page.getByRole('button', { name: details }).click();
        expect(await page.getByRole('dialog').locator('input').first().inputValue()).toBe('Giraffe');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Giraffe', exact: true }).waitFor();
        await page.keyboard.press('n');
        expect(await page.evaluate('document.activeElement.placeholder')).toBe(add);
        await page.close();
      },
    );
  });

  describe('a title', () => {
    it.each([
      ['Lernkarten namens "Lernkarten Spanisch"', 315],
      ['encuesta de satisfacción', 320],
      ['Website für die Praxis "Physiotherapiezentrum Sonnenschein"', 320],
      ['Portfolio von "Maximiliane Oberhuber-Schattenhofer"', 320],
      ['Gewohnheiten namens "Haushaltsbuchführung"', 320],
      ['site pour la boulangerie "Boulangerie Saint-Barthélemy"', 900],
    ])('keeps its words whole: %s at %i', async (prompt, width) => {
      const page = await opened(prompt, width);
      expect(await brokenWords(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.close();
    });
  });

  it('an entry with a long name has a button to add it that fits on the page', async () => {
    for (const variant of ['table', 'cards']) {
      const entity = { ...expenses.entity, singular: 'Rindfleischetikettierungsüberwachungsaufgabe' };
      const page = await opened({ ...expenses, variant, entity } as AppSpec, 375);
      expect(await page.getByRole('button', { name: entity.singular }).count()).toBeGreaterThan(0);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.close();
    }
  });

  it.each([
    ['memory game', 4],
    ['memory game with 6 pairs', 4],
    ['memory game with 10 pairs', 5],
    ['memory game with 18 pairs', 6],
  ])('%s has whole rows of %i', async (prompt, columns) => {
    for (const width of [1280, 375]) {
      const page = await opened(prompt, width);
      const rows = await page.evaluate<number[]>(`Object.values(Object.groupBy(
        document.querySelectorAll('.memory .tile'), (tile) => Math.round(tile.getBoundingClientRect().top),
      )).map((row) => row.length)`);
      expect(new Set(rows)).toEqual(new Set([columns]));
      const figures = page.locator('.stat');
      const tops = await figures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(1);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.close();
    }
  });

  it.each(['website for the bakery "Crumb"', 'portfolio for Ana Gil, photographer'])(
    '%s begins everywhere at one line',
    async (prompt) => {
      const page = await opened(prompt, 1280);
      const edges = await page.evaluate<number[]>(
        `['.brand', '.hero-text, .portrait', '.part-head', '.contact-grid', '.site-foot > p'].map((selector) =>
          Math.round(document.querySelector(selector).getBoundingClientRect().left))`,
      );
      expect(new Set(edges).size, edges.join()).toBe(1);
      await page.close();
    },
  );

  describe('a contact form', () => {
    it.each([
      ['website for the bakery "Crumb"', 'This page has no server'],
      ['Website für die Bäckerei "Krume"', 'Diese Seite hat keinen Server'],
      ['página web para la panadería "Miga"', 'Esta página no tiene servidor'],
      ['site pour la boulangerie "Mie"', 'Cette page n’a pas de serveur'],
    ])(
      'without an address says before that the message stays, and shows it after: %s',
      async (prompt, said) => {
        const page = await opened(prompt, 1280);
        const form = page.locator('.contact-form');
        expect(await form.textContent()).toContain(said);
        for (const field of await form.locator('input, textarea').all()) await field.fill('A table for two');
        await form.getByRole('button').click();
        expect(await form.locator('li').textContent()).toContain('A table for two');
        await page.close();
      },
    );

    it('with an address opens a mail of the text, and leaves its link', async () => {
      const page = await opened('website for the bakery "Crumb", mail hello@crumb.example', 1280);
      const form = page.locator('.contact-form');
      expect(await form.textContent()).toContain(
        'Your mail program opens with this message to hello@crumb.example.',
      );
      for (const field of await form.locator('input, textarea').all()) await field.fill('A table & two');
      await page.evaluate(
        "addEventListener('click', (event) => event.target.closest('a') && event.preventDefault())",
      );
      await form.getByRole('button', { name: 'Send' }).click();
      const href = await form
        .getByRole('link', { name: 'Write to hello@crumb.example' })
        .getAttribute('href');
      expect(href).toContain('mailto:hello@crumb.example?subject=Crumb&body=A%20table%20%26%20two');
      expect(await form.locator('textarea').inputValue()).toBe('A table & two');
      await page.close();
    });
  });

  it('a file that was just exported changes nothing when it is imported', async () => {
    const page = await opened(expenses, 1280);
    const rows = page.locator('tbody tr');
    const before = await rows.count();
    expect(before).toBeGreaterThan(2);
    await page.locator('.menu summary').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const file = await download.path();
    const take = async () => {
      await page.locator('.menu summary').click();
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Import a file' }).click(),
      ]);
      await chooser.setFiles({ name: 'export.csv', mimeType: 'text/csv', buffer: await readFile(file) });
    };
    await take();
    await page.getByText(`0 entries imported; already there: ${before}`).waitFor();
    expect(await rows.count()).toBe(before);
    const [head, first = '', ...others] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    await writeFile(file, [head, first.replace(/[^,]+/, "'=1+1"), first, ...others].join('\r\n'));
    await take();
    await page.getByText(`1 entry imported; already there: ${before}`).waitFor();
    expect(await rows.count()).toBe(before + 1);
    await take();
    await page.getByText(`0 entries imported; already there: ${before + 1}`).waitFor();
    await page.close();
  });

  it.each(['todo list', 'FAQ page for our library', 'notes app'])(
    'what the preview says of itself stands in a landmark: %s',
    async (prompt) => {
      // Its own policy keeps axe out of a preview.
      const { page } = await blank();
      await page.addInitScript(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })",
      );
      await page.goto(await addressOf(prompt));
      await page.getByText('This browser window keeps nothing').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.close();
    },
  );
});
