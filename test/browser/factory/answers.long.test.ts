/** Forms whose answers can be posted, and a typing test. */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { buildFromSpec } from '../../../src/factory/build-app.ts';
import { hasBrowser } from '../../helpers/browser.ts';
import { wholeSpec } from '../../helpers/factory-build.ts';
import { specApps } from './built-apps.ts';

vi.setConfig({ testTimeout: 60_000 });

const newsletter = {
  kind: 'form',
  variant: 'signup',
  name: 'Newsletter',
  entity: {
    singular: 'sign-up',
    plural: 'sign-ups',
    fields: [
      { key: 'f0', label: 'Name', type: 'text' },
      { key: 'f1', label: 'E-mail', type: 'email', required: true },
    ],
  },
} as const;
const endpoint = 'https://owner.example/hooks/newsletter';

describe.skipIf(!hasBrowser)('forms in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  async function signUp(page: Awaited<ReturnType<typeof opened>>['page']) {
    await page.getByLabel('Name').fill('Ana <b>');
    await page.getByLabel('E-mail').fill('ana@example.org');
    await page.locator('button[type=submit]').click();
  }

  it('a sign-up stays on the device and reaches nobody without an address to post to', async () => {
    const { page, sound } = await opened(newsletter);
    await sound();
    await signUp(page);
    await page.getByText('The answer is kept on this device.').waitFor();
    await sound();
    await page.reload();
    await page.getByRole('button', { name: 'Answers' }).click();
    await page.getByText('ana@example.org').waitFor();
    await page.close();
  });

  it('with an address it is posted there as JSON, and the page says so before and after', async () => {
    const { page, sound } = await opened({ ...newsletter, contact: { endpoint } });
    const posted: unknown[] = [];
    await page.route('https://owner.example/**', async (route) => {
      if (route.request().method() === 'POST') posted.push(route.request().postDataJSON());
      await route.fulfill({
        status: 204,
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' },
      });
    });
    await page.getByText('sent to owner.example').waitFor();
    await signUp(page);
    await page.getByText('The answer has been sent').waitFor();
    expect(posted).toEqual([
      expect.objectContaining({
        form: 'Newsletter',
        answers: { Name: 'Ana <b>', 'E-mail': 'ana@example.org' },
      }),
    ]);
    await sound();
    await page.close();
  });

  it('that cannot be posted is kept, and the page says so', async () => {
    const { page } = await opened({ ...newsletter, contact: { endpoint } });
    await page.route('https://owner.example/**', (route) => route.abort());
    await signUp(page);
    await page.getByText('could not be sent').waitFor();
    await page.getByRole('button', { name: 'Answers' }).click();
    expect(await page.getByText('ana@example.org').count()).toBe(1);
    await page.close();
  });

  it('nothing is posted from a preview, which says so', async () => {
    const { html } = await buildFromSpec(wholeSpec({ ...newsletter, contact: { endpoint } }));
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        request.url === '/app'
          ? html
          : '<!doctype html><title>Preview</title><iframe src="/app" width="375" height="700"></iframe>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { page } = await opened(newsletter);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
    const frame = page.frameLocator('iframe');
    await frame.getByText('nothing is sent to owner.example').waitFor();
    await frame.getByLabel('E-mail').fill('ana@example.org');
    await frame.locator('button[type=submit]').click();
    await frame.getByText('The answer is kept on this device.').waitFor();
    expect(asked.filter((url) => url.includes('owner.example'))).toEqual([]);
    await page.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('a typing test counts right letters, tells wrong ones, and keeps the best', async () => {
    const { page, sound } = await opened({
      kind: 'game',
      variant: 'typing',
      name: 'Type',
      settings: { seconds: 30 },
    });
    await sound();
    const wanted = (await page.locator('.typing-text').textContent()) ?? '';
    await page.getByLabel('Type here').pressSequentially(wanted.slice(0, 10));
    expect(await page.locator('.right').count()).toBe(10);
    await page.getByLabel('Type here').press('#');
    expect(await page.locator('.wrong').count()).toBe(1);
    expect(await page.locator('.stats').textContent()).toContain('90 %');
    await sound();
    await page.getByRole('button', { name: 'New game' }).click();
    expect(await page.getByLabel('Type here').inputValue()).toBe('');
    await page.close();
  });

  it('a typing test of own words has no others', async () => {
    const words = ['cutlass', 'doubloon', 'scurvy'];
    const { page, sound } = await opened({
      kind: 'game',
      variant: 'typing',
      name: 'Pirates',
      choices: words,
    });
    const shown = (await page.locator('.typing-text').textContent()) ?? '';
    const whole = shown.trim().split(' ').slice(0, -1);
    expect(whole.length).toBeGreaterThan(10);
    expect([...new Set(whole)].sort()).toEqual(words);
    await sound();
    await page.close();
  });

  it('a round of the typing test ends with its time', async () => {
    const { page } = await opened({
      kind: 'game',
      variant: 'typing',
      name: 'Type',
      settings: { seconds: 15 },
    });
    await page.clock.install();
    await page.reload();
    const wanted = (await page.locator('.typing-text').textContent()) ?? '';
    await page.getByLabel('Type here').pressSequentially(wanted.slice(0, 20));
    await page.clock.runFor(16_000);
    await page.getByText('A new record').waitFor();
    expect(await page.getByLabel('Type here').isDisabled()).toBe(true);
    await page.close();
  });

  it.each(['de', 'es', 'fr'] as const)('all are sound in %s, under the policy of a preview', async (lang) => {
    for (const parts of [
      newsletter,
      { ...newsletter, variant: 'contact' },
      { kind: 'game', variant: 'typing' } as const,
    ]) {
      const { page, sound } = await opened({ ...parts, name: 'App', lang }, 375, 'preview');
      await sound();
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
      await page.close();
    }
  });
});

/** A month of marks, and a week of rows and days. */

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
