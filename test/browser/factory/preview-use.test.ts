/** What built apps offer works in a preview as it does elsewhere. */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FactoryJob } from '../../../generated/types.gen.ts';
import { startApp, type TestApp } from '../../helpers/app.ts';
import { hasBrowser, launch } from '../../helpers/browser.ts';
import { eventsIn, finalJob, postDemo } from '../../helpers/factory.ts';

let app: TestApp;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let inside: FrameLocator;
const told: string[] = [];

beforeAll(async () => {
  if (hasBrowser) [app, browser] = await Promise.all([startApp(), launch()]);
});
afterAll(async () => {
  if (!hasBrowser) return;
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  if (!hasBrowser) return;
  told.length = 0;
  context = await browser.newContext();
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => told.push(message.text()));
  page.on('pageerror', (error) => told.push(String(error)));
  inside = page.frameLocator('iframe');
});
afterEach(() => context?.close());

const built = async (prompt: string): Promise<FactoryJob> =>
  finalJob(eventsIn((await postDemo(app, prompt)).text));
const url = ({ preview }: FactoryJob) => preview?.url ?? '';
const originUrl = ({ preview }: FactoryJob) => preview?.origin_url ?? '';

describe.skipIf(!hasBrowser)('a built app in its preview (skipped without Chromium)', () => {
  it('keeps its entries on an origin of its own, and saves files', async () => {
    const job = await built('a reading list called "Night Reads" where I can rate books');
    await page.goto(originUrl(job));
    expect(await page.title()).toContain('Night Reads');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/svg/);
    await inside.getByRole('button', { name: /^Add/ }).first().click();
    await inside.getByLabel('Title').first().fill('The Tin Drum');
    await inside
      .getByRole('button', { name: /^(Add|Save)/ })
      .last()
      .click();
    await inside.getByText('The Tin Drum').first().waitFor();
    await page.reload();
    await inside.getByText('The Tin Drum').first().waitFor();

    await inside.locator('.menu summary').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      inside.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('The Tin Drum');
    expect(told).toEqual([]);
  });

  it('lets the app be edited, where it may store and where it may not', async () => {
    for (const address of [url, originUrl]) {
      await page.goto(address(await built('a reading list called "Night Reads"')));
      await inside.locator('.menu summary').click();
      await inside.getByRole('button', { name: 'Edit this app' }).click();
      await inside.getByLabel('Name', { exact: true }).fill('Day Reads');
      await inside.getByRole('button', { name: 'Save', exact: true }).click();
      await inside.getByRole('heading', { level: 1, name: 'Day Reads' }).waitFor();
    }
    expect(told).toEqual([]);
  });

  it('takes keys without a click, and links within it lead within it', async () => {
    await page.goto(originUrl(await built('FAQ page for our library')));
    await inside.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await inside.locator(':focus').getAttribute('class')).toBe('skip-link');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/#main$/);
    expect(told).toEqual([]);
  });

  it('fills the window, also that of a phone', async () => {
    await page.setViewportSize({ width: 375, height: 740 });
    for (const address of [url, originUrl]) {
      await page.goto(address(await built('snake game')));
      await inside.getByRole('heading', { level: 1 }).waitFor();
      const size = await inside.locator('html').evaluate((html) => {
        const { innerWidth, innerHeight } = html.ownerDocument.defaultView ?? {};
        return [innerWidth, innerHeight, html.scrollWidth];
      });
      expect(size).toEqual([375, 740, 375]);
    }
  });

  it('can load itself again', async () => {
    for (const address of [url, originUrl]) {
      await page.goto(address(await built('todo list')));
      const heading = inside.getByRole('heading', { level: 1 });
      await heading.evaluate((it) => it.setAttribute('data-before', ''));
      await heading.evaluate((it) => it.ownerDocument.defaultView?.location.reload());
      await inside.locator('h1:not([data-before])').waitFor();
      expect(await heading.getAttribute('data-before')).toBeNull();
    }
  });
});
