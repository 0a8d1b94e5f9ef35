/** The pages of the server as a visitor's browser sees them. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { barriers, hasBrowser, launch, watchedPage } from '../helpers/browser.ts';

/** How far the foot reaches beyond the end of the window, in pixels. */
const endOfFoot = 'document.querySelector("footer.foot").getBoundingClientRect().bottom - innerHeight';

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), launch()]);
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  describe('the start page', () => {
    it('says what this is, links on, and asks no other host for anything', async () => {
      const { page, requests, problems } = await watchedPage(browser);
      await page.goto(app.url);
      expect(await page.title()).toContain('Switchyard');
      await page.getByRole('heading', { level: 1, name: 'Describe an app.' }).waitFor();
      await page.getByRole('heading', { level: 2, name: 'One interface to every model' }).waitFor();
      expect(await page.locator('.chat code').textContent()).toContain(`curl ${app.url}/v1/chat`);
      for (const link of await page.locator('a[href^="/"]').all()) {
        const href = (await link.getAttribute('href')) ?? '';
        expect((await fetch(app.url + href)).status, href).toBe(200);
      }
      expect(requests.filter((url) => !url.startsWith(app.url))).toEqual([]);
      expect(problems).toEqual([]);
      await page.close();
    });

    it('copies the line on request', async () => {
      const { page } = await watchedPage(browser);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
      await page.goto(app.url);
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/v1/chat');
      await page.close();
    });
  });

  it.each([375, 1280])(
    'every page has the same head, a foot at the end of the window, and no barriers, %i pixels wide',
    async (width) => {
      const { page } = await watchedPage(browser, width);
      for (const path of [
        '/',
        '/playground',
        '/connect',
        '/docs',
        '/docs/guides',
        '/dashboard',
        '/factory/signup',
        '/admin',
        '/nothing',
      ]) {
        await page.goto(app.url + path);
        const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
        expect(await links.allTextContents(), path).toEqual([
          'Build',
          'Playground',
          'Connect',
          'Docs',
          'Dashboard',
        ]);
        if (path === '/docs')
          await page.locator('.menu-content[role="navigation"]').waitFor({ state: 'attached' });
        expect(await page.evaluate(endOfFoot), path).toBeGreaterThanOrEqual(0);
        expect(await barriers(page), path).toEqual([]);
      }
      await page.close();
    },
  );

  describe('the documentation', () => {
    it.each(['light', 'dark'] as const)('can be read, in the %s', async (colorScheme) => {
      const { page } = await watchedPage(browser);
      await page.emulateMedia({ colorScheme });
      await page.goto(`${app.url}/docs#/chat/createchat`);
      await page.getByText('curl', { exact: true }).first().waitFor();
      // Redoc draws an operation without the heading of the page.
      const known = /^(?:page-has-heading-one|heading-order):/;
      expect((await barriers(page)).filter((barrier) => !known.test(barrier))).toEqual([]);
      await page.close();
    });

    it('is complete and asks no other host for anything', async () => {
      const { page, requests, problems } = await watchedPage(browser);
      await page.goto(`${app.url}/docs#/chat/createchat`);
      await page.locator('h1, h2').getByText('Ask a model', { exact: true }).first().waitFor();
      const text = (await page.locator('body').textContent()) ?? '';
      for (const word of [
        'Variant A: a conversation',
        'Variant B: a single message',
        'bearerAuth',
        'maxTokens',
        app.url,
      ]) {
        expect(text).toContain(word);
      }
      await page.getByText('curl', { exact: true }).first().waitFor();
      expect(requests.filter((url) => !url.startsWith(app.url))).toEqual([]);
      expect(problems).toEqual([]);
      await page.close();
    });

    it('leads back to the start page, and keeps its title whole on a phone', async () => {
      const { page } = await watchedPage(browser, 375, 740);
      await page.goto(`${app.url}/docs`);
      const title = page.getByRole('heading', { level: 1, name: /Switchyard/ }).first();
      await title.waitFor();
      const lines = await page.evaluate(`(() => {
        const title = [...document.querySelectorAll('h1')].find(({ textContent }) => textContent.includes('Switchyard'));
        const words = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
        while (words.nextNode()) {
          const from = words.currentNode.data.indexOf('Switchyard');
          if (from < 0) continue;
          const range = document.createRange();
          range.setStart(words.currentNode, from);
          range.setEnd(words.currentNode, from + 'Switchyard'.length);
          return range.getClientRects().length;
        }
      })()`);
      expect(lines).toBe(1);
      await page.getByRole('link', { name: 'Build', exact: true }).click();
      await page.getByLabel('What should it be?').waitFor();
      await page.close();
    });

    it('explains each error code at the address that errors name', async () => {
      const { page } = await watchedPage(browser);
      const answer = await fetch(`${app.url}/nothing`);
      const { error } = (await answer.json()) as { error: { docs_url: string } };
      await page.goto(error.docs_url);
      const heading = page.locator('h1, h2, h3').getByText('not_found', { exact: true }).first();
      await heading.waitFor();
      await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(900);
      expect((await heading.boundingBox())?.y).toBeGreaterThanOrEqual(0);
      await page.close();
    });
  });
});
