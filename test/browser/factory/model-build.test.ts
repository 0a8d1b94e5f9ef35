import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launch } from '../../helpers/browser.ts';
import { noticesIn } from '../../helpers/factory-build.ts';
import { modelSetup } from '../../unit/factory/model/market-app.ts';
import { type BuiltAppServer, serveBuiltApps } from './built-apps.ts';

let browser: Browser;
let apps: BuiltAppServer;

describe.skipIf(!hasBrowser)(
  'an app that a model has written, in Chromium (skipped where there is none)',
  () => {
    beforeAll(async () => {
      [browser, apps] = await Promise.all([launch(), serveBuiltApps()]);
    });
    afterAll(async () => {
      await browser.close();
      await apps.close();
    });

    test('works in the preview, on its own origin and from a file', async () => {
      const { build } = await modelSetup();
      const { app, reports } = await build();
      expect(noticesIn(reports)).toEqual([]);
      const faults: string[] = [];
      for (const setting of ['preview', 'origin', 'file'] as const) {
        const page = await browser.newPage();
        page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
        page.on('pageerror', (error) => faults.push(String(error)));
        await page.goto(apps.address(app, setting));
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
      expect(apps.strays).toEqual([]);
    });

    test('reaches nothing, not even from a file that somebody has saved', async () => {
      const { build } = await modelSetup();
      const { app } = await build();
      const page = await browser.newPage();
      await page.goto(apps.address(app, 'origin'));
      const before = apps.strays.length;
      const reached = await page.evaluate<boolean[]>(`(async () => {
      const picture = document.createElement('img');
      picture.src = '/picture';
      navigator.sendBeacon('/send');
      const tries = [fetch('/beacon').then(() => true), picture.decode().then(() => true)];
      return Promise.all(tries.map((attempt) => attempt.catch(() => false)));
    })()`);
      expect(reached).toEqual([false, false]);
      expect(apps.strays.length).toBe(before);
      await page.close();
    });
  },
);
