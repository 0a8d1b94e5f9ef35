/** Invoices, certificates and letters: filled in, reckoned, kept and printed. */
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { read } from '../../../src/factory/read/read.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';
import { hasBrowser } from '../../helpers/browser.ts';
import { downloaded, imported, menu, specApps } from './built-apps.ts';

vi.setConfig({ testTimeout: 60_000 });

const invoice: Partial<AppSpec> = {
  kind: 'document',
  variant: 'invoice',
  name: 'Invoice',
  currency: 'EUR',
  copy: { sender: 'Atelier Plume', recipient: 'Bakery Crumb', number: '2026-009', date: '2026-11-22' },
  settings: { tax: 19 },
  contact: { address: '4 rue des Lilas, Lyon', email: 'bonjour@plume.example' },
  sections: [
    {
      type: 'prices',
      title: 'Invoice',
      items: [
        { title: 'Logo', price: '€450' },
        { title: 'Cards', meta: '250', price: '€0.12' },
        { title: 'Advice', meta: '2.5 h', price: '1,080.00 €' },
      ],
    },
    { type: 'text', title: 'Payment', text: 'Within 14 days.', items: [] },
  ],
};

/** What stands in controls. */
const valuesIn = (controls: Locator) =>
  controls.evaluateAll((found) => (found as unknown as { value: string }[]).map(({ value }) => value));

const sums = (page: Page) => page.locator('.sums dd').allTextContents();
const column = (page: Page, name: string) => page.locator(`tbody .of-${name} :is(textarea, input)`);

describe.skipIf(!hasBrowser)('documents in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  it('begins an invoice as the plan has it and reckons it to the cent', async () => {
    const { page, sound } = await opened(invoice, 1200);
    await sound();
    expect(await page.locator('.sender textarea').inputValue()).toBe(
      'Atelier Plume\n4 rue des Lilas, Lyon\nbonjour@plume.example',
    );
    expect(await page.getByLabel('To: name, address').inputValue()).toBe('Bakery Crumb');
    expect(await page.getByLabel('Date').inputValue()).toBe('2026-11-22');
    expect(await page.locator('.notes textarea').inputValue()).toBe('Payment\nWithin 14 days.');
    expect(await valuesIn(column(page, 'description'))).toEqual(['Logo', 'Cards', 'Advice (h)']);
    expect(await page.locator('.amount').allTextContents()).toEqual(['€450.00', '€30.00', '€2,700.00']);
    expect(await sums(page)).toEqual(['€3,180.00', '€604.20', '€3,784.20']);
    // 0.1 × 3 and 1.005 × 1 are no such numbers in a computer; halves of a cent are rounded up.
    await page.getByRole('button', { name: 'Delete: line 3' }).click();
    await page.getByRole('button', { name: 'Delete: line 2' }).click();
    await column(page, 'price').fill('1.005');
    await column(page, 'quantity').fill('3');
    await page.getByRole('button', { name: 'Add a line' }).click();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await column(page, 'description').nth(1).fill('Stamp');
    await column(page, 'price').nth(1).fill('0.1');
    await column(page, 'quantity').nth(1).fill('3');
    await page.getByLabel('Tax').fill('8.25');
    await page.getByLabel('Tax').blur();
    expect(await page.locator('.amount').allTextContents()).toEqual(['€3.02', '€0.30']);
    expect(await sums(page)).toEqual(['€3.32', '€0.27', '€3.59']);
    expect(await column(page, 'price').nth(1).inputValue()).toBe('0.10');
    await sound();
    await page.reload();
    expect(await sums(page)).toEqual(['€3.32', '€0.27', '€3.59']);
    await menu(page, 'Undo');
    expect(await page.locator('.toast').textContent()).toContain('nothing to undo');
    await page.close();
  });

  it('makes up nothing where nothing is said', async () => {
    const { page, sound } = await opened(
      { kind: 'document', variant: 'invoice', name: 'Rechnung', lang: 'de' },
      375,
    );
    const said = await valuesIn(page.locator('.paper :is(textarea, input:not([type="date"]))'));
    expect(said.filter((text) => text !== '')).toEqual(['Rechnung']);
    expect(await page.getByPlaceholder('Von: Name, Anschrift').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.paper').innerText()).not.toContain('Anschrift');
    expect(await page.locator('.sums .tax-row').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await sound();
    await page.close();
  });

  it('puts the document alone on paper, as text', async () => {
    const { page } = await opened(invoice, 1200);
    await page.getByRole('button', { name: 'Add a line' }).click();
    await page.emulateMedia({ media: 'print' });
    for (const other of ['.top', '.toolbar', '.add-line', '.of-button', '.paper textarea', '.paper input'])
      for (const part of await page.locator(other).all()) expect(await part.isVisible(), other).toBe(false);
    const text = await page.locator('body').innerText();
    for (const fact of ['Atelier Plume', 'Bakery Crumb', '2026-009', 'Nov 22, 2026', 'Within 14 days.'])
      expect(text).toContain(fact);
    expect(text).toMatch(/Logo\s+450\.00\s+€450\.00/);
    expect(text).toMatch(/Tax\s+19\s+%\s+€604\.20/);
    expect(await page.locator('tbody tr:visible').count()).toBe(3);
    const pdf = await page.pdf({ preferCSSPageSize: true, format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
    await page.close();
  });

  it('keeps several documents, numbers them on, takes one away and brings it back', async () => {
    const { page, sound } = await opened(invoice, 375);
    const list = page.getByLabel('Documents');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    expect(await page.getByLabel('Number').inputValue()).toBe('2026-010');
    expect(await page.getByLabel('To: name, address').inputValue()).toBe('');
    expect(await page.locator('.sender textarea').inputValue()).toContain('Atelier Plume');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'To: name, address',
    );
    await page.keyboard.type('<img src=x onerror=alert(1)>\nsecond line');
    await page.getByLabel('Number').fill('"><script>alert(2)</script>');
    await page.getByLabel('Number').blur();
    expect(await list.locator('option').allTextContents()).toEqual([
      'Invoice 2026-009 · Bakery Crumb',
      'Invoice "><script>alert(2)</script> · <img src=x onerror=alert(1)>',
    ]);
    await page.reload();
    expect(await page.getByLabel('To: name, address').inputValue()).toBe(
      '<img src=x onerror=alert(1)>\nsecond line',
    );
    expect(await page.locator('.paper :is(img, script)').count()).toBe(0);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    expect(await list.locator('option').count()).toBe(1);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    expect(await list.locator('option').count()).toBe(2);
    await list.selectOption({ index: 0 });
    expect(await page.getByLabel('Number').inputValue()).toBe('2026-009');
    await page.getByRole('button', { name: 'Make a copy' }).click();
    expect(await list.locator('option').count()).toBe(3);
    await sound();
    await page.close();
  });

  it('brings a backup back beside what is there, and takes nothing from files that are none', async () => {
    const { page, problems } = await opened(invoice, 1200);
    await page.getByLabel('To: name, address').fill('Ana Lima');
    const file = await downloaded(page, () => menu(page, 'Save a backup'));
    await imported(page, file);
    await page.getByText('0 entries imported; already there: 1').waitFor();
    await page.getByLabel('To: name, address').fill('Ben Okri');
    await page.getByLabel('To: name, address').blur();
    await imported(page, file);
    await page.getByText('1 entry imported').waitFor();
    expect(await page.getByLabel('To: name, address').inputValue()).toBe('Ana Lima');
    expect(await sums(page)).toEqual(['€3,180.00', '€604.20', '€3,784.20']);
    const backup = JSON.parse(await readFile(file, 'utf8'));
    const hostile = path.join(tmpdir(), `documents-${process.pid}.json`);
    await writeFile(
      hostile,
      JSON.stringify({
        ...backup,
        documents: [
          {
            heading: { toString: 1 },
            recipient: '<b>bold</b>',
            date: 'tomorrow',
            tax: '1e9',
            lines: [{ text: 7, quantity: 'NaN', price: '9'.repeat(40) }, null],
          },
        ],
      }),
    );
    await imported(page, hostile);
    await expect.poll(() => page.getByLabel('To: name, address').inputValue()).toBe('<b>bold</b>');
    expect(await sums(page)).toEqual(['€0.00', '€0.00', '€0.00']);
    expect(await page.getByLabel('Date').inputValue()).toBe('');
    await writeFile(hostile, JSON.stringify({ ...backup, variant: 'letter' }));
    await imported(page, hostile);
    await page.getByText('Nothing in this file fits').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('holds texts and amounts of any length at 375 px, and none that is no number', async () => {
    const { page, sound } = await opened(invoice, 375);
    await column(page, 'quantity').first().fill('999999999999');
    await column(page, 'price').first().fill('999999999999.99');
    await column(page, 'description').first().fill('Donaudampfschifffahrt'.repeat(12));
    await page.getByLabel('To: name, address').fill('x'.repeat(300));
    await page.getByLabel('Heading').fill('Y'.repeat(60));
    await page.getByLabel('Tax').fill('50');
    await page.getByLabel('Tax').blur();
    expect(await page.locator('.amount').first().textContent()).toMatch(/^€999,999,999,/);
    await sound();
    await column(page, 'price').first().fill('1e400');
    await column(page, 'price').first().blur();
    expect(await page.locator('.amount').first().textContent()).toBe('');
    await page.close();
  });

  it('edits the app without its documents', async () => {
    const { page } = await opened(invoice, 1200);
    await menu(page, 'Edit this app');
    expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(2);
    await page.getByLabel('Name', { exact: true }).fill('Plume bills');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save' }).click()]);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Plume bills');
    expect(await page.getByLabel('Number').inputValue()).toBe('2026-009');
    await page.close();
  });

  it.each([
    [
      'invoice for Bright Homes Ltd: 3 hours of gardening at £35, hedge trimming £80, 20% VAT, from Tom Field',
      { '.facts textarea': 'Bright Homes Ltd', '.sender textarea': 'Tom Field' },
      ['£185.00', '£37.00', '£222.00'],
    ],
    [
      'Rechnung an Müller GmbH: 5 Stunden Beratung 90 €, Fahrtkosten 42,50 €, 19 % MwSt., Rechnungsnummer 2026-014',
      { '.facts textarea': 'Müller GmbH', '.dated textarea': '2026-014' },
      ['132,50 €', '25,18 €', '157,68 €'],
    ],
    [
      'certificate of completion for Maria Gomez for the beginner sewing course, signed by Anna Bell, 12 June 2026',
      {
        '.title textarea': 'Certificate of completion',
        '.name textarea': 'Maria Gomez',
        '.reason textarea': 'Beginner sewing course',
        '.foot textarea': 'Anna Bell',
        '.foot input': '2026-06-12',
      },
      [],
    ],
    [
      'carta de agradecimiento a los voluntarios de la biblioteca, firmada por Lucía Pérez',
      { '.to textarea': 'Voluntarios de la biblioteca', '.signed textarea': 'Lucía Pérez' },
      [],
    ],
  ])('has on paper what the prompt says: %s', async (prompt, places, wanted) => {
    const { spec, notTakenUp } = read(prompt);
    expect(notTakenUp).toEqual([]);
    const { page, sound } = await opened(spec, 375);
    for (const [place, text] of Object.entries(places))
      expect(await page.locator(place).first().inputValue(), place).toBe(text);
    expect((await sums(page)).map((text) => text.replaceAll('\u00a0', ' '))).toEqual(wanted);
    await sound();
    await page.close();
  });

  it.each(
    (['en', 'de', 'es', 'fr', 'it', 'pt'] as const).flatMap((lang) =>
      ['certificate', 'letter', 'invoice'].map((variant) => [variant, lang] as const),
    ),
  )('a %s in %s is sound at 375 px, under the policy of a preview', async (variant, lang) => {
    const { page, sound } = await opened(
      { kind: 'document', variant, name: 'Sheet', lang, currency: 'EUR' },
      375,
      'preview',
    );
    await sound();
    await page.setViewportSize({ width: 1200, height: 800 });
    await sound();
    await page.close();
  });

  it('prints a certificate across on one page', async () => {
    const { page } = await opened({ kind: 'document', variant: 'certificate', name: 'Award' }, 1200);
    const pdf = (await page.pdf({ preferCSSPageSize: true, format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)/.exec(pdf) ?? [];
    expect(Number(width)).toBeGreaterThan(Number(height));
    await page.close();
  });
});
