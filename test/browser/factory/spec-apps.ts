import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildFromSpec } from '../../../src/factory/build-app.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';
import { barriers, launch, shoot, watchedPage } from '../../helpers/browser.ts';
import { wholeSpec } from '../../helpers/whole-spec.ts';
import { type BuiltAppServer, type Setting, serveBuiltApps } from './settings.ts';

export interface OpenedApp {
  readonly page: Page;
  /** What the page asked for and complained about so far. */
  readonly problems: readonly string[];
  /** The page is sound as it stands: no complaint, no barrier in light or dark, nothing wider than the window. */
  sound(): Promise<void>;
}

export interface SpecApps {
  opened(parts: Partial<AppSpec>, width?: number, setting?: Setting): Promise<OpenedApp>;
}

/** Apps built from specs, in a browser, for the tests of the suite that calls this. */
export function specApps(): SpecApps {
  let browser: Browser;
  let apps: BuiltAppServer;
  beforeAll(async () => {
    [browser, apps] = await Promise.all([launch(), serveBuiltApps()]);
  });
  afterAll(async () => {
    await browser.close();
    await apps.close();
  });
  return {
    async opened(parts, width = 375, setting = 'origin') {
      const spec = wholeSpec(parts);
      const { page, problems } = await watchedPage(browser, width, 740);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.goto(apps.address(await buildFromSpec(spec), setting));
      await page.getByRole('heading', { level: 1, name: spec.name }).waitFor();
      const sound = async () => {
        for (const theme of ['light', 'dark']) {
          await page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
          expect(await barriers(page), theme).toEqual([]);
        }
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
        expect(problems).toEqual([]);
        expect(apps.strays.filter((path) => path !== '/favicon.ico')).toEqual([]);
        await shoot(page, `${spec.kind}-${spec.variant}-${spec.lang}`);
      };
      return { page, problems, sound };
    },
  };
}
