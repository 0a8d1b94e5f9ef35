import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BuiltApp, buildApp } from '../../../src/factory/build-app.ts';
import { hasBrowser, launch } from '../../helpers/browser.ts';
import { type BuiltAppServer, type Setting, serveBuiltApps } from './built-apps.ts';
import { journeys } from './journeys.ts';
import { appOf, fullMatrix, sample, toolOf } from './prompts.ts';

describe('builds', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // FACTORY_MATRIX=1 tries every prompt in every setting; else each family is tried once, in one of them, in turn.
  const full = Boolean(process.env['FACTORY_MATRIX']);
  const settings: readonly Setting[] = ['preview', 'origin', 'file'];
  const prompts = (full ? fullMatrix : sample).map((entry, index) => ({
    ...entry,
    tried: full ? settings : settings.slice(index % 3, (index % 3) + 1),
    themes: full ? ['light', 'dark'] : [index % 2 ? 'dark' : 'light'],
  }));

  let browser: Browser;
  let apps: BuiltAppServer;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  /** Serious findings of axe, in the mode that is shown. The script is injected, so it needs a page without a policy. */
  async function seriousFindings(): Promise<string[]> {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(): Promise<{
            violations: {
              id: string;
              impact: string;
              nodes: { target: string[]; failureSummary: string }[];
            }[];
          }>;
        };
      };
      const { violations } = await axe.run();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map((node) => `${node.target.join(' ')} ${node.failureSummary}`)
              .join(' | ')}`,
        );
    });
  }

  /** What is to be seen and what is kept, where a journey has failed. */
  async function leftOf(failed: Page): Promise<string> {
    const seen = await failed.evaluate<string>('document.body.innerText').catch(String);
    const kept = await failed.evaluate<string>('JSON.stringify(localStorage)').catch(String);
    return `${failed.url()} shows:\n${seen.slice(0, 2000)}\nand keeps: ${kept.slice(0, 2000)}`;
  }

  const sideways = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

  async function showsName(app: BuiltApp) {
    expect(await page.title()).toContain(app.spec.name);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(app.spec.name);
  }

  describe.skipIf(!hasBrowser)('builds in Chromium (skipped where there is none)', () => {
    beforeAll(async () => {
      [browser, apps] = await Promise.all([launch(), serveBuiltApps()]);
    });
    afterAll(async () => {
      await browser.close();
      await apps.close();
    });
    beforeEach(async () => {
      faults.length = 0;
      context = await browser.newContext({
        viewport: { width: 1200, height: 800 },
        locale: 'en-GB',
        acceptDownloads: true,
        reducedMotion: 'reduce',
      });
      page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(String(error)));
      await page.addInitScript(
        "addEventListener('securitypolicyviolation', (violation) => console.error('policy: ' + violation.violatedDirective))",
      );
    });
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') console.error(await leftOf(page));
      await context.close();
    });

    describe.each(prompts)('$prompt', ({ tried, themes, ...entry }) => {
      let app: BuiltApp;
      beforeAll(async () => {
        app = await appOf(entry);
      });

      test.each(tried)('does its work: %s', async (setting) => {
        await page.goto(apps.address(app, setting));
        await showsName(app);
        if (entry.journey) await journeys[entry.journey]?.(page, setting !== 'preview');
        expect(faults).toEqual([]);
        expect(apps.strays).toEqual([]);
      });

      test('can be read and used by everybody, on a phone as well', async () => {
        await page.goto(apps.address(app, 'origin'));
        for (const theme of themes) {
          await page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
          expect(await seriousFindings(), theme).toEqual([]);
        }
        await page.setViewportSize({ width: 375, height: 740 });
        expect(await sideways()).toBeLessThanOrEqual(0);
        await page.reload();
        expect(await sideways()).toBeLessThanOrEqual(0);
        expect(faults).toEqual([]);
      });
    });

    test('a day without a year is the next such day, of the same bytes each year', async () => {
      const app = await buildApp('tech meetup in Berlin on May 4');
      const shown = async (now: string) => {
        await page.clock.setFixedTime(new Date(now));
        await page.goto(apps.address(app, 'origin'));
        return page.locator('.event-facts').innerText();
      };
      expect(await shown('2026-05-03T12:00:00')).toContain('4 May 2026');
      expect(await shown('2026-05-04T12:00:00')).toContain('4 May 2026');
      expect(await shown('2026-05-05T12:00:00')).toContain('4 May 2027');
      expect((await buildApp('tech meetup in Berlin on May 4')).html).toBe(app.html);
      const leap = await buildApp('party on 29 February');
      await page.goto(apps.address(leap, 'origin'));
      expect(await page.locator('.event-facts').innerText()).toContain('29 Feb 2028');
      expect(faults).toEqual([]);
    });
  });
});

describe('mutation', () => {
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
});
