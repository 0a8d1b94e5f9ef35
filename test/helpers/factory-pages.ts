import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { FactoryJob } from '../../generated/types.gen.ts';
import { startApp, type TestApp, type TestAppOptions } from './app.ts';
import { barriers, type Front, launch, openFront, type Watched, watchedPage } from './browser.ts';

/** Each waits for several builds. */
export const patient = { timeout: 30_000 };

/** The pages of the factory in a browser behind a front, with a page and a visitor's address of its own for each test. */
export function openFactoryPages(options: TestAppOptions) {
  let app: TestApp;
  let browser: Browser;
  let front: Front;
  let watched: Watched;
  let page: Page;
  let visitors = 0;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp({ trustedProxies: 1, ...options }), launch()]);
    front = await openFront(app.url);
  });
  afterAll(async () => {
    await browser.close();
    await front.close();
    await app.close();
  });
  beforeEach(async () => {
    front.client = `192.0.2.${++visitors}`;
    front.answer = () => false;
    front.asked.length = 0;
    watched = await watchedPage(browser);
    page = watched.page;
  });
  afterEach(() => page.close());

  const form = (on = page) => on.getByRole('form', { name: 'The plan of this app' });
  const label = (name: string, on = page) => form(on).getByLabel(name, { exact: true });
  const told = (on = page) => on.locator('#side-change [data-form-message]');
  const heading = (name: string, on = page) => on.getByRole('heading', { name, exact: true });
  const send = (on = page) => on.getByRole('button', { name: 'Build the changes' });
  const tab = (name: string, on = page) => on.getByRole('tab', { name });
  const said = () => page.locator('[data-announcements]').textContent();
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.dataset.path ?? document.activeElement.textContent',
    );
  const shownId = (on = page) => new URL(on.url()).hash.slice(1);
  const labelsShown = (on = page) =>
    form(on)
      .locator('[data-items="/entity/fields"] > li [data-path$="/label"]')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
  const preview = (): FrameLocator => page.frameLocator('.window iframe:not([data-coming])');
  const inPreview = (name: string) => preview().getByRole('heading', { level: 1, name, exact: true });

  const record = async (id: string): Promise<FactoryJob> =>
    (await fetch(`${app.url}/api/factory/public-demo/${id}`)).json() as Promise<FactoryJob>;

  async function build(prompt: string, on = page): Promise<void> {
    await on.goto(front.url);
    await on.getByLabel('What should it be?').fill(prompt);
    await on.getByRole('button', { name: 'Build it' }).click();
    await unfold(on);
  }

  async function unfold(on = page): Promise<void> {
    await on.getByText('Edit the plan', { exact: true }).click();
    await label('Name', on).first().waitFor();
  }

  async function instruct(text: string): Promise<void> {
    await page.getByLabel('Say what to change').fill(text);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
  }

  async function expectToBeReadable(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await barriers(page), colorScheme).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
  }

  /** After which what a build has made can be taken. */
  const done = () => page.getByRole('link', { name: 'Download .zip' }).waitFor();

  /** What the page says of a build, each line once. */
  async function expectWholeBuild(): Promise<void> {
    const states = await page
      .locator('.station')
      .evaluateAll((all) => all.map((one) => one.dataset['state']));
    expect(states).toEqual(['done', 'done', 'done', 'done']);
    const files = await page.locator('.files code').allTextContents();
    expect(files).toContain('index.html');
    expect(new Set(files).size).toBe(files.length);
    expect(await page.locator('[data-part="files"] .amount').textContent()).toBe(String(files.length));
    const checks = await page.locator('.checks li').allTextContents();
    expect(new Set(checks).size).toBe(checks.length);
    expect(await page.locator('[data-part="checks"] .amount').textContent()).toBe(
      `${checks.length} of ${checks.length} passed`,
    );
  }

  function expectNoTrouble(): void {
    expect(watched.problems).toEqual([]);
    expect(watched.requests.filter((url) => !url.startsWith(`${front.url}/`))).toEqual([]);
  }

  return {
    /** What each test has; only there while tests run. */
    now: () => ({ app, browser, front, watched, page }),
    form,
    label,
    told,
    heading,
    send,
    tab,
    said,
    focused,
    shownId,
    labelsShown,
    preview,
    inPreview,
    record,
    build,
    unfold,
    instruct,
    done,
    expectToBeReadable,
    expectWholeBuild,
    expectNoTrouble,
  };
}
