import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { launch } from './browser.ts';

/** The application and the browser of a group of tests; they are there as soon as its first test runs. */
export interface Opened {
  readonly app: TestApp;
  readonly browser: Browser;
}

/** Opens both before the tests of the group that it is called in, and closes them after. */
export function openForAll(): Opened {
  let opened: Opened | null = null;
  beforeAll(async () => {
    const [app, browser] = await Promise.all([startApp(), launch()]);
    opened = { app, browser };
  });
  afterAll(async () => {
    await opened?.browser.close();
    await opened?.app.close();
  });
  const there = () => {
    if (opened === null) throw new Error('It is only there while tests run.');
    return opened;
  };
  return {
    get app() {
      return there().app;
    },
    get browser() {
      return there().browser;
    },
  };
}
