import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { Reloads } from '../../src/config/reloads.ts';
import { appForThisTest, digestForTests, startApp, type TestApp } from '../helpers/app.ts';
import { barriers, hasBrowser, launch, openForAll, shoot, watchedPage } from '../helpers/browser.ts';

/** The pages of the server as a visitor's browser sees them. */
describe('all pages', () => {
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
          'This server.',
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
});

/** The pages of the configuration and of the servers in the admin area. */
describe('the page of the configuration', () => {
  const canary = 'sk-canary-7f3a9b2c1d';

  describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    });
    afterAll(() => browser.close());

    it('an operator reloads the configuration, and sees what is wrong with it', async () => {
      let text = `providers: {groq: {base_url: "http://groq", api_key: ${canary}}}`;
      const read = () => readConfig({ SWITCHYARD_CONFIG: '/etc/switchyard.yaml' }, async () => text);
      const started = await read();
      const config = new Reloads({
        config: started,
        file: started.file,
        read,
        apply: async () => undefined,
        pseudonym: digestForTests,
        now: Date.now,
      });
      const app = await appForThisTest({ config });
      const { page, problems } = await watchedPage(browser, 375, 700);
      const { token } = await app.accounts.sessions.begin(null);
      await page.context().addCookies([{ name: 'switchyard_admin', value: token, url: app.url }]);
      await page.goto(`${app.url}/admin/factory/settings/api-keys`);
      await page.getByRole('link', { name: 'Configuration' }).click();
      const main = page.locator('main');
      await main.getByText('/etc/switchyard.yaml').waitFor();
      expect(await main.textContent()).toContain('groq');
      expect(await main.textContent()).not.toContain(canary);

      text = 'alias: {}';
      await page.getByRole('button', { name: 'Reload' }).click();
      await main.getByText('The configuration was not reloaded').waitFor();
      await main.getByText('switchyard.yaml:1:1: alias: unknown key').waitFor();
      expect(await main.textContent()).toContain('groq');
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      await shoot(page, 'config-narrow');

      text =
        'providers: {mistral: {base_url: "http://mistral"}}\nsign_in: {jwt: [{id: corp, issuer: "https://login.example.com", audience: a, tenant: acme}]}';
      await page.getByRole('button', { name: 'Reload' }).click();
      await main
        .getByText('providers: mistral added; providers: groq removed')
        .or(main.getByText('providers: groq removed; providers: mistral added'))
        .waitFor();
      await main.getByText('sign_in.jwt: corp added').waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      expect(problems).toEqual([]);
      await page.close();
    });

    it('an operator sees how the server is, and which there are', async () => {
      const app = await appForThisTest();
      const { page, problems } = await watchedPage(browser, 375, 700);
      const { token } = await app.accounts.sessions.begin(null);
      await page.context().addCookies([{ name: 'switchyard_admin', value: token, url: app.url }]);
      await page.goto(`${app.url}/admin/factory/settings/api-keys`);
      await page.getByRole('link', { name: 'Servers', exact: true }).click();
      await page.getByRole('heading', { name: 'This server' }).waitFor();
      const text = (await page.locator('main').textContent()) ?? '';
      for (const shown of ['database', 'A row could be written', 'this one', String(process.pid)])
        expect(text).toContain(shown);
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      await shoot(page, 'servers-narrow');
      expect(problems).toEqual([]);
      await page.close();
    });

    it('an owner sees who is signed in and signs them out, which a viewer cannot', async () => {
      const app = await appForThisTest();
      const { sessions, tenants } = app.accounts;
      await tenants.create({ id: 'acme', plan: 'pro' }, 'test');
      const { token: member } = await sessions.begin('acme');
      const ann = { actor: 'corp:ann <ann@example.com>', issuer: 'corp' };
      const { token: viewer } = await sessions.begin(null, { ...ann, role: 'viewer' });
      const { token: owner } = await sessions.begin(null);
      const { page, problems } = await watchedPage(browser, 375, 700);
      const signIn = (value: string) =>
        page.context().addCookies([{ name: 'switchyard_admin', value, url: app.url }]);
      await signIn(viewer);
      await page.goto(`${app.url}/admin/factory/settings/api-keys`);
      await page.getByRole('link', { name: 'Sessions' }).click();
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      expect(await page.getByRole('button', { name: /^End: / }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Sign out: this session' }).count()).toBe(1);
      await signIn(owner);
      await page.reload();
      const rows = page.locator('tbody tr');
      expect(await rows.count()).toBe(3);
      for (const shown of ['tenant:acme', 'sign-in link', ann.actor, 'viewer', 'this one'])
        expect(await page.locator('main').textContent()).toContain(shown);
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      await shoot(page, 'sessions-narrow');
      await page.getByRole('button', { name: /^End: tenant:acme/ }).click();
      await page.getByText('The session has ended.').waitFor();
      expect(await rows.count()).toBe(2);
      expect([await sessions.find(member), (await sessions.find(viewer))?.actor]).toEqual([null, ann.actor]);
      expect(problems).toEqual([]);
      await page.close();
    });
  });
});

/** The page that says how clients are set up, as a visitor's browser sees it. */
describe('the page for clients', () => {
  const key = 'sw_live_0123456789ab_$&secret';

  describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
    const opened = openForAll();

    describe.each([1280, 390])('the page /connect in a window of %i pixels', (width) => {
      it('is reached from the start page, and leads to each client', async () => {
        const { page, requests, problems } = await watchedPage(opened.browser, width);
        await page.goto(opened.app.url);
        await page.getByRole('link', { name: 'Connect a client' }).click();
        await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
        if (width < 800) await page.getByText('Clients', { exact: true }).last().click();
        const list = page.locator('.guide-list:visible');
        await list.getByRole('link', { name: 'Codex CLI' }).press('Enter');
        expect(page.url()).toBe(`${opened.app.url}/connect#codex`);
        await expect.poll(async () => (await page.locator('#codex').boundingBox())?.y).toBeLessThan(900);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect(requests.filter((url) => !url.startsWith(opened.app.url))).toEqual([]);
        expect(problems).toEqual([]);
        await page.close();
      });

      it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (colorScheme) => {
        const { page, problems } = await watchedPage(opened.browser, width);
        await page.emulateMedia({ colorScheme });
        await page.goto(`${opened.app.url}/connect`);
        await page.getByLabel('API key').waitFor();
        expect(await barriers(page)).toEqual([]);
        await shoot(page, `connect-${width}-${colorScheme}`);
        expect(problems).toEqual([]);
        await page.close();
      });
    });

    it('puts the key into the lines, and nowhere else', async () => {
      const { page, requests } = await watchedPage(opened.browser);
      await page
        .context()
        .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: opened.app.url });
      await page.goto(`${opened.app.url}/connect`);
      await page.getByLabel('API key').fill(key);
      const figure = page.locator('figure', { hasText: 'export SWITCHYARD_API_KEY=' });
      await figure.getByRole('button', { name: 'Copy' }).click();
      await figure.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`export SWITCHYARD_API_KEY=${key}`);
      await page.getByLabel('API key').press('Enter');
      expect(page.url()).toBe(`${opened.app.url}/connect`);
      expect(requests.filter((url) => url.includes('secret'))).toEqual([]);
      expect(
        await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
      ).not.toContain('secret');
      await page.getByLabel('API key').fill('');
      expect(await figure.locator('code').textContent()).toBe('export SWITCHYARD_API_KEY=sw_live_…');
      await page.close();
    });

    it('has all lines without JavaScript, and no button that does nothing', async () => {
      const context = await opened.browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${opened.app.url}/connect`);
      await page.getByText(`export ANTHROPIC_BASE_URL=${opened.app.url}`).waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
      expect(await page.getByLabel('API key').isVisible()).toBe(false);
      await context.close();
    });
  });
});
