import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { buildApp, buildFromSpec } from '../../../src/factory/build-app.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';
import { launch, type Watched, watchedPage } from '../../helpers/browser.ts';
import { type BuiltAppServer, type Setting, serveBuiltApps } from './settings.ts';

export interface BuiltApps {
  /** Builds an app, from a prompt or a spec, and opens it in a window of this width. */
  opened(what: string | AppSpec, width?: number, setting?: Setting): Promise<Page>;
  /** A window without an app. */
  blank(): Promise<Watched>;
  /** Where an app that is built for it can be opened. */
  addressOf(what: string | AppSpec, setting?: Setting): Promise<string>;
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
  const addressOf = async (what: string | AppSpec, setting: Setting = 'origin') =>
    apps.address(await (typeof what === 'string' ? buildApp(what) : buildFromSpec(what)), setting);
  return {
    addressOf,
    blank: () => watchedPage(browser),
    async opened(what, width = 1280, setting = 'origin') {
      const { page } = await watchedPage(browser, width, 740);
      await page.goto(await addressOf(what, setting));
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}
