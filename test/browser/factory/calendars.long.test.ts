/** A month of marks, and a week of rows and days. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../../helpers/browser.ts';
import { specApps } from './spec-apps.ts';

vi.setConfig({ testTimeout: 60_000 });

const moods = {
  rows: [],
  marks: [{ label: 'Great', colour: '#2f9e44' }, { label: 'Okay' }, { label: '<b>Bad</b>' }],
};
const meals = { rows: ['Breakfast', 'Lunch / snack', 'Dinner'], marks: [] };

describe.skipIf(!hasBrowser)('calendars in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  it('marks days, counts them, and keeps and takes back what was marked', async () => {
    const { page, sound } = await opened({ kind: 'calendar', variant: 'month', name: 'Moods', grid: moods });
    await sound();
    for (const [day, mood] of [
      ['01', 'Great'],
      ['02', 'Great'],
      ['03', '<b>Bad</b>'],
    ] as const) {
      await page.locator(`[data-day$="-${day}"]`).press('Enter');
      await page.getByRole('radio', { name: mood }).check();
      await page.getByRole('button', { name: 'Save' }).click();
    }
    expect(await page.locator('.legend strong').allTextContents()).toEqual(['2 days', '0 days', '1 day']);
    await sound();
    await page.keyboard.press('Control+z');
    expect(await page.locator('.legend strong').allTextContents()).toEqual(['2 days', '0 days', '0 days']);
    await page.reload();
    expect(await page.locator('[data-day$="-01"]').getAttribute('aria-label')).toContain(': Great');
    await page.getByRole('button', { name: 'Next month' }).click();
    expect(await page.locator('.legend strong').allTextContents()).toEqual(['0 days', '0 days', '0 days']);
    await page.getByRole('button', { name: 'Today' }).click();
    expect(await page.locator('[aria-current="date"]').count()).toBe(1);
    await page.close();
  });

  it('writes into a week, exports it and imports it again', async () => {
    const { page, sound } = await opened({ kind: 'calendar', variant: 'week', name: 'Meals', grid: meals });
    await sound();
    await page
      .getByRole('button', { name: /^Lunch \/ snack/ })
      .first()
      .click();
    await page.getByLabel('Entry').fill('=Soup, with "bread"');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /: =Soup, with "bread"$/ }).waitFor();
    await sound();
    const menu = async (name: string) => {
      await page.locator('.menu summary').click();
      await page.getByRole('button', { name, exact: true }).click();
    };
    const [download] = await Promise.all([page.waitForEvent('download'), menu('Export as CSV')]);
    const file = await download.path();
    expect(await readFile(file, 'utf8')).toContain('Lunch / snack');
    await page.evaluate('localStorage.clear()');
    await page.reload();
    expect(await page.getByText('Soup').count()).toBe(0);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), menu('Import CSV')]);
    await chooser.setFiles(file);
    await page.getByRole('button', { name: /: =Soup, with "bread"$/ }).waitFor();
    await page.close();
  });

  it.each([
    ['en', 1280],
    ['de', 375],
    ['es', 375],
    ['fr', 375],
  ] as const)('is sound in %s at %d pixels, under the policy of a preview', async (lang, width) => {
    for (const [variant, grid] of [
      ['month', moods],
      ['week', meals],
    ] as const) {
      const { page, sound } = await opened(
        { kind: 'calendar', variant, name: 'Plan', lang, grid },
        width,
        'preview',
      );
      await sound();
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
      await page.close();
    }
  });
});
