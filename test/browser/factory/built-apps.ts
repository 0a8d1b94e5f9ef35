import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '../../../src/factory/build-app.ts';
import { launch, type Watched, watchedPage } from '../../helpers/browser.ts';
import { openPlaces, type Places, type Setting } from './settings.ts';

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
  let places: Places;
  beforeAll(async () => {
    [browser, places] = await Promise.all([launch(), openPlaces()]);
  });
  afterAll(async () => {
    await browser.close();
    await places.close();
  });
  const addressOf = async (prompt: string, setting: Setting = 'origin') =>
    places.address(await buildApp(prompt), setting);
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
