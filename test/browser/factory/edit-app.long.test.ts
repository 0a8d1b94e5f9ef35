/** In a built app its owner changes the app itself: its name, its fields, its headings and texts. */
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AppSpec } from '../../../src/factory/spec.ts';
import { barriers, hasBrowser } from '../../helpers/browser.ts';
import { wholeSpec } from '../../helpers/factory-build.ts';
import { builtApps } from './built-apps.ts';

const plain = wholeSpec({
  variant: 'table',
  name: 'Loans',
  tagline: 'Who has which book',
  palette: { accent: '#2f7d4f', mode: 'light', look: 'soft' },
  currency: 'EUR',
});
const loans: AppSpec = {
  ...plain,
  entity: {
    singular: 'loan',
    plural: 'loans',
    fields: [
      { key: 'f0', label: 'Book', type: 'text', required: true },
      { key: 'f1', label: 'Lent to', type: 'text' },
      { key: 'f2', label: 'Status', type: 'select', options: ['out', 'back'] },
      { key: 'f3', label: 'Due date', type: 'date' },
    ],
  },
};
const board: AppSpec = {
  ...plain,
  kind: 'board',
  variant: '',
  entity: {
    singular: 'article',
    plural: 'articles',
    fields: [
      { key: 'f0', label: 'Title', type: 'text', required: true },
      { key: 'f1', label: 'Stage', type: 'select', options: ['Idea', 'Draft', 'Done'] },
    ],
  },
};

/** Opens the form, changes something in it and saves. */
async function edited(page: Page, change: () => Promise<void>): Promise<void> {
  const inMenu = page.locator('.menu summary');
  if (await inMenu.isVisible()) await inMenu.click();
  await page.getByRole('button', { name: 'Edit this app' }).click();
  await change();
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const row = (page: Page, n: number) => page.locator('.edit-row').nth(n);
const heads = async (page: Page) =>
  (await page.locator('thead th').allInnerTexts()).map((text) => text.trim()).filter(Boolean);

async function addLoan(page: Page, book: string, status: string): Promise<void> {
  await page.getByRole('button', { name: /^Add/ }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Book').fill(book);
  await dialog.getByLabel('Status').selectOption(status);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
}

describe.skipIf(!hasBrowser)('the edit mode of built apps (skipped without Chromium)', () => {
  const { opened, addressOf, blank } = builtApps();

  it('changes names, adds, renames, orders and removes fields, and keeps what the entries say', async () => {
    const page = await opened(loans);
    await addLoan(page, 'Dune', 'back');
    await edited(page, async () => {
      await page.getByLabel('Name', { exact: true }).fill('Lent out');
      await row(page, 0).getByLabel('Name of the field').fill('Title');
      const choice = page.getByLabel('Choices, one on each line');
      await choice.fill('with somebody\nreturned');
      await page.getByRole('button', { name: 'Add a field' }).click();
      await page.keyboard.type('Pages');
      await page.locator('.edit-row').last().getByLabel('Type').selectOption('number');
      await page.getByRole('button', { name: 'Move up: Pages' }).press('Enter');
      await page.getByRole('button', { name: /^Delete: Lent to/i }).click();
    });
    expect(await page.title()).toBe('Lent out');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Lent out');
    expect(await heads(page)).toEqual(['Title', 'Status', 'Pages', 'Due date']);
    const dune = page.getByRole('row', { name: /Dune/ });
    expect(await dune.innerText()).toContain('returned');
    await page.reload();
    expect(await heads(page)).toEqual(['Title', 'Status', 'Pages', 'Due date']);
  });

  it('takes it all back', async () => {
    const page = await opened(loans);
    const before = await heads(page);
    await edited(page, () => page.getByLabel('Name', { exact: true }).fill('Other'));
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Take all edits back' }).click();
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('dialog').getByRole('button', { name: 'Take all edits back' }).click(),
    ]);
    expect(await page.title()).toContain('Loans');
    expect(await heads(page)).toEqual(before);
  });

  it('says what is missing and keeps what was typed', async () => {
    const page = await opened(loans);
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Edit this app' }).click();
    await row(page, 1).getByLabel('Name of the field').fill('');
    await page.getByLabel('Name', { exact: true }).fill('Half done');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    expect(await page.getByRole('alert').innerText()).toContain('Name of the field');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half done');
  });

  it('keeps the columns of a board', async () => {
    const page = await opened(board);
    await edited(page, async () => {
      const columns = page.locator('.edit-row', { has: page.getByLabel('Choices, one on each line') });
      expect(await columns.getByLabel('Type').isDisabled()).toBe(true);
      expect(await columns.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
      await columns.getByLabel('Choices, one on each line').fill('Idea\nWriting\nDone\nPublished');
    });
    const lanes = (await page.locator('.lane h2').allInnerTexts()).map((text) => text.toLowerCase());
    expect(lanes).toEqual(['idea', 'writing', 'done', 'published']);
  });

  it('holds in a preview, which may store nothing', async () => {
    const page = await opened(loans, 1280, 'preview');
    await addLoan(page, 'Emma', 'out');
    await edited(page, () => page.getByLabel('Name', { exact: true }).fill('In the preview'));
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('In the preview');
    expect(await page.getByRole('row', { name: /Emma/ }).count()).toBe(1);
  });

  it('goes with the data into a file and out of it, into an app that was not edited', async () => {
    const page = await opened(loans);
    await addLoan(page, 'Ulysses', 'out');
    await edited(page, async () => {
      await page.getByRole('button', { name: 'Add a field' }).click();
      await page.keyboard.type('Shelf');
    });
    await page.locator('.menu summary').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save a backup' }).click(),
    ]);
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
    for (const entry of saved.entries) entry.f4 = 'Left of the door';
    const file = path.join(tmpdir(), `edited-${process.pid}.json`);
    await writeFile(file, JSON.stringify(saved));

    const other = await opened(loans);
    await other.locator('.menu summary').click();
    const [chooser] = await Promise.all([
      other.waitForEvent('filechooser'),
      other.getByRole('button', { name: 'Import a file' }).click(),
    ]);
    await chooser.setFiles(file);
    await Promise.all([
      other.waitForEvent('load'),
      other.getByRole('button', { name: 'Go on with its fields' }).click(),
    ]);
    expect(await heads(other)).toContain('Shelf');
    expect(await other.getByRole('row', { name: /Ulysses/ }).innerText()).toContain('Left of the door');
  });

  it('takes no more from a file than an app can have', async () => {
    const page = await opened(loans);
    const fields = [
      { key: '__proto__', label: 'Bad', type: 'text' },
      { key: 'f0', label: '<img src=x onerror="document.title=1">', type: 'text' },
      { key: 'f1', label: 'Script', type: 'script' },
      { key: 'f2', label: 'None to choose', type: 'select', options: [] },
      { key: 'f0', label: 'Twice', type: 'text' },
    ];
    const file = path.join(tmpdir(), `hostile-${process.pid}.json`);
    await writeFile(file, JSON.stringify({ fields, entries: [{ f0: '<b>bold</b>' }, null, 7] }));
    await page.locator('.menu summary').click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import a file' }).click(),
    ]);
    await chooser.setFiles(file);
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('button', { name: 'Go on with its fields' }).click(),
    ]);
    expect(await heads(page)).toEqual(['<img src=x onerror="document.title=1">']);
    expect(await page.title()).toContain('Loans');
    expect(await page.getByRole('row', { name: '<b>bold</b>' }).count()).toBe(1);
  });

  it('saves the edited app as a page of its own', async () => {
    const page = await opened('website for the bakery "Crumb" at 12 Mill Street', 1280, 'file');
    await edited(page, async () => {
      await page.getByLabel('Name', { exact: true }).fill('Crumb & Sons');
      await page.getByLabel('Address').fill('14 Mill Street');
      await page.getByLabel(/^Opening hours/).fill('Tue–Sat: 7–13\nSun: 8–11');
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the app as a file' }).click(),
    ]);
    const { page: fresh, problems } = await blank();
    await download.saveAs(path.join(tmpdir(), `crumb-${process.pid}.html`));
    await fresh.goto(`file://${path.join(tmpdir(), `crumb-${process.pid}.html`)}`);
    expect(await fresh.getByRole('heading', { level: 1 }).innerText()).toBe('Crumb & Sons');
    const text = await fresh.locator('body').innerText();
    for (const fact of ['14 Mill Street', '7–13', '8–11']) expect(text).toContain(fact);
    expect(problems).toEqual([]);
  });

  it('is not offered to visitors of a page that was published', async () => {
    const { page } = await blank();
    await page.goto(await addressOf('website for the bakery "Crumb"'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Edit this app' }).count()).toBe(0);
  });

  it.each([375, 1280])('is accessible at %d px and needs no scrolling sideways', async (width) => {
    const page = await opened(loans, width);
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Edit this app' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await barriers(page)).toEqual([]);
    const wide = await page.locator('dialog').evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
    expect(wide).toBe(false);
  });
});
