import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '../../../src/factory/build-app.ts';
import { launch, type Watched, watchedPage } from '../../helpers/browser.ts';
import { type BuiltAppServer, type Setting, serveBuiltApps } from './settings.ts';

export interface BuiltApps {
  /** Builds an app and opens it in a window of this width. */
  opened(prompt: string, width?: number, setting?: Setting): Promise<Page>;
  /** A window without an app. */
  blank(): Promise<Watched>;
  /** Where an app that is built for it can be opened. */
  addressOf(prompt: string, setting?: Setting): Promise<string>;
}

/** A browser, and built apps in it, for the tests of the suite that calls this. */
export function builtApps(): BuiltApps {
  let browser: Browser;
  let apps: BuiltAppServer;
  beforeAll(async () => {
    [browser, apps] = await Promise.all([launch(), serveBuiltApps()]);
  });
  afterAll(async () => {
    await browser.close();
    await apps.close();
  });
  const addressOf = async (prompt: string, setting: Setting = 'origin') =>
    apps.address(await buildApp(prompt), setting);
  return {
    addressOf,
    blank: () => watchedPage(browser),
    async opened(prompt, width = 1280, setting = 'origin') {
      const { page } = await watchedPage(browser, width, 740);
      await page.goto(await addressOf(prompt, setting));
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}
