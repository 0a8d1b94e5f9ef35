/** Apps that a model has written; and what people have entered in an app, which is there again in its later builds. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildFromSpec } from '../../../src/factory/build-app.ts';
import { familyOf } from '../../../src/factory/render/app-data.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';
import { hasBrowser, watchedPage } from '../../helpers/browser.ts';
import { noticesIn, wholeSpec } from '../../helpers/factory-build.ts';
import { modelSetup } from '../../unit/factory/model/market-app.ts';
import { browserAndApps } from './built-apps.ts';

const book = { key: 'f0', label: 'Book', type: 'text', required: true } as const;
const friend = { key: 'f1', label: 'Lent to', type: 'text' } as const;
const pages = { key: 'f2', label: 'Pages', type: 'number' } as const;
const status = { key: 'f3', label: 'Status', type: 'select', options: ['out', 'back'] } as const;
type Fields = NonNullable<AppSpec['entity']>['fields'];
const loans = (fields: Fields, members: Partial<AppSpec> = {}) =>
  wholeSpec({
    variant: 'table',
    name: 'Loans',
    entity: { singular: 'loan', plural: 'loans', fields },
    ...members,
  });
const first = loans([book, friend, pages]);
const family = familyOf(first, 'bld_one');

describe.runIf(hasBrowser)('in Chromium (skipped where there is none)', () => {
  const opened = browserAndApps();

  describe('an app that a model has written', () => {
    it('works in the preview, on its own origin and from a file', async () => {
      const { build } = await modelSetup();
      const { app, reports } = await build();
      expect(noticesIn(reports)).toEqual([]);
      const faults: string[] = [];
      for (const setting of ['preview', 'origin', 'file'] as const) {
        const page = await opened.browser.newPage();
        page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
        page.on('pageerror', (error) => faults.push(String(error)));
        await page.goto(opened.apps.address(app, setting));
        await page.getByLabel('Thing').fill('Plums');
        await page.getByRole('button', { name: 'Add' }).click();
        await page.getByRole('checkbox', { name: 'Bought: Plums' }).check();
        const lost = page.getByText('Entries are lost when this page is closed.');
        expect(await lost.isVisible()).toBe(setting === 'preview');
        // The browser writes what is stored in its own time.
        const afterReload = async () => {
          await page.reload();
          await page.getByLabel('Thing').waitFor();
          return page.getByText('Plums').count();
        };
        await expect.poll(afterReload).toBe(setting === 'preview' ? 0 : 1);
        const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
        expect(background).not.toBe('rgba(0, 0, 0, 0)');
        await page.close();
      }
      expect(faults).toEqual([]);
      expect(opened.apps.strays).toEqual([]);
    });

    it('reaches nothing, not even from a file that somebody has saved', async () => {
      const { build } = await modelSetup();
      const { app } = await build();
      const page = await opened.browser.newPage();
      await page.goto(opened.apps.address(app, 'origin'));
      const before = opened.apps.strays.length;
      const reached = await page.evaluate<boolean[]>(`(async () => {
    const picture = document.createElement('img');
    picture.src = '/picture';
    navigator.sendBeacon('/send');
    const tries = [fetch('/beacon').then(() => true), picture.decode().then(() => true)];
    return Promise.all(tries.map((attempt) => attempt.catch(() => false)));
  })()`);
      expect(reached).toEqual([false, false]);
      expect(opened.apps.strays.length).toBe(before);
      await page.close();
    });
  });

  describe('entries', () => {
    /** Shows a build in the same browser, as one that a revision follows. */
    async function shown(page: Page, spec: AppSpec, of = family): Promise<void> {
      await page.goto(opened.apps.address(await buildFromSpec(spec, of), 'origin'));
      await page.getByRole('heading', { level: 1, name: spec.name }).waitFor();
    }
    async function begun(): Promise<{ page: Page; problems: readonly string[] }> {
      const watched = await watchedPage(opened.browser);
      await shown(watched.page, first);
      await entered(watched.page, { Book: 'Dune', 'Lent to': 'Ana', Pages: '412' });
      return watched;
    }
    async function entered(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
      await page.keyboard.press('n');
      const dialog = page.getByRole('dialog');
      for (const [label, value] of Object.entries(values)) {
        const control = dialog.getByLabel(label);
        if (label === 'Status') await control.selectOption(value);
        else await control.fill(value);
      }
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    const text = (page: Page) => page.locator('#app').innerText();

    it('are there in a revision with a new field, and can be edited there', async () => {
      const { page, problems } = await begun();
      await shown(page, loans([book, friend, pages, status]));
      expect(await text(page)).toMatch(/Dune[\s\S]*Ana[\s\S]*412/);
      await entered(page, { Book: 'Emma', Status: 'out' });
      await shown(page, loans([book, friend, pages, status], { tagline: 'Once more' }));
      expect(await text(page)).toMatch(/Emma[\s\S]*Dune/);
      // An earlier build shows what was entered in a later one.
      await shown(page, first);
      expect(await text(page)).toMatch(/Emma[\s\S]*Dune/);
      expect(problems).toEqual([]);
    });

    it('keep to their fields when those are renamed, moved or of another type', async () => {
      const { page, problems } = await begun();
      await shown(page, loans([{ ...friend, label: 'Friend' }, book, { ...pages, type: 'text' }]));
      expect(await text(page)).toMatch(/Ana[\s\S]*Dune[\s\S]*412/);
      await shown(page, loans([book, { ...friend, type: 'number' }, { ...pages, type: 'rating' }]));
      expect(await text(page)).toContain('Dune');
      expect(await text(page)).not.toContain('Ana');
      // Nobody has changed anything there, so nothing was lost.
      await shown(page, first);
      expect(await text(page)).toMatch(/Dune[\s\S]*Ana[\s\S]*412/);
      expect(problems).toEqual([]);
    });

    it('have the values of a field again that was gone, and no other field gets them', async () => {
      const { page, problems } = await begun();
      await shown(page, loans([book, pages]));
      expect(await text(page)).not.toContain('Ana');
      await entered(page, { Book: 'Emma', Pages: '474' });
      await shown(page, loans([book, { ...friend, label: 'Secret' }, pages]));
      expect(await text(page)).not.toContain('Ana');
      await shown(page, first);
      expect(await text(page)).toMatch(/Emma[\s\S]*Dune[\s\S]*Ana/);
      expect(problems).toEqual([]);
    });

    it('are there in a board, each card in a column, and back in the list', async () => {
      const { page, problems } = await begun();
      await shown(page, loans([book, friend, pages, status], { kind: 'board', variant: '' }));
      expect(await page.getByRole('region', { name: 'out' }).innerText()).toContain('Dune');
      await shown(page, {
        ...wholeSpec({ name: 'Loans' }),
        kind: 'calendar',
        variant: 'month',
        grid: { rows: [], marks: [{ label: 'Good' }] },
      });
      expect(await text(page)).not.toContain('Dune');
      await shown(page, first);
      expect(await text(page)).toMatch(/Dune[\s\S]*Ana[\s\S]*412/);
      expect(problems).toEqual([]);
    });

    it('of numbers do not reach into another variant, and are there again on the way back', async () => {
      const { page, problems } = await watchedPage(opened.browser);
      const tip = wholeSpec({ kind: 'calculator', variant: 'tip', name: 'Sums', entity: null });
      await shown(page, tip);
      const input = page.locator('main input').first();
      await input.fill('77');
      await input.blur();
      await shown(page, { ...tip, variant: 'discount' });
      expect(await text(page)).not.toContain('NaN');
      expect(await input.inputValue()).not.toBe('77');
      await shown(page, tip);
      expect(await input.inputValue()).toBe('77');
      expect(problems).toEqual([]);
    });

    it('of two apps that began as the same are apart', async () => {
      const { page } = await begun();
      const spec = loans([book, friend, pages, status]);
      await shown(page, spec);
      await entered(page, { Book: 'Emma', Status: 'out' });
      await shown(page, spec, familyOf(first, 'bld_two'));
      expect(await text(page)).not.toMatch(/Emma|Dune/);
    });

    it('stand beside what the owner has changed of the app, unless a revision has changed it too', async () => {
      const { page, problems } = await begun();
      await page.locator('.menu summary').click();
      await page.getByRole('button', { name: 'Edit this app' }).click();
      await page.getByLabel('Name', { exact: true }).fill('My loans');
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'My loans' }).waitFor();
      await page.goto(
        opened.apps.address(await buildFromSpec(loans([book, friend, pages, status]), family), 'origin'),
      );
      await page.getByRole('heading', { level: 1, name: 'My loans' }).waitFor();
      expect(await text(page)).toMatch(/Dune[\s\S]*Ana/);
      await page.keyboard.press('n');
      expect(await page.getByRole('dialog').getByLabel('Status').count()).toBe(1);
      await shown(page, { ...first, name: 'Lendings' });
      expect(problems).toEqual([]);
    });
  });
});
