import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BuiltApp } from '../../../src/factory/build-app.ts';
import { hasBrowser, launch } from '../../helpers/browser.ts';
import { journeys } from './journeys.ts';
import { appOf, toolOf } from './prompts.ts';
import { type BuiltAppServer, serveBuiltApps } from './settings.ts';

let browser: Browser;
let apps: BuiltAppServer;
let app: BuiltApp;

/** @param patience for one act, in milliseconds: short where one is expected to fail */
async function walk(html: string, patience: number) {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1200, height: 800 } });
  page.setDefaultTimeout(patience);
  try {
    await page.goto(apps.address({ ...app, html }, 'origin'));
    await journeys['tracker']?.(page, true);
  } finally {
    await page.close();
  }
}

/** Faults that a person would notice, made in the bundled page. */
const faults: readonly (readonly [string, string | RegExp, string])[] = [
  ['undo takes nothing back', 'state = before;', ''],
  ['nothing is stored', /\.setItem\(keyOf\(name\)/, '.getItem(keyOf(name)'],
  ['the search finds everything', /!search\d* \|\|/, 'true ||'],
  ['deleting deletes nothing', /\(other\) => other\.id !== row\.id/, '() => true'],
  ['a changed entry is not changed', /other\.id === row\.id \? row : other/, 'other'],
  ['the export is empty', '...store2.get().map(cells)', ''],
];

describe.skipIf(!hasBrowser)('the journeys notice (skipped without Chromium)', () => {
  beforeAll(async () => {
    [browser, apps, app] = await Promise.all([
      launch(),
      serveBuiltApps(),
      appOf(toolOf('an expense tracker')),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await apps.close();
  });

  test('a sound template passes', async () => {
    await expect(walk(app.html, 10_000)).resolves.toBeUndefined();
  });

  // FACTORY_MATRIX=1 makes all of them; else the first ones stand for the rest.
  test.each(process.env['FACTORY_MATRIX'] ? faults : faults.slice(0, 2))(
    'a broken template fails: %s',
    async (_what, from, to) => {
      const broken = app.html.replace(from, () => to);
      expect(broken).not.toBe(app.html);
      await expect(walk(broken, 1500)).rejects.toThrow();
    },
  );
});
