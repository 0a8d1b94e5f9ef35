import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appForThisTest, startApp, type TestApp } from '../helpers/app.ts';
import { barriers, hasBrowser, launch, shoot, watchedPage } from '../helpers/browser.ts';
import { ask } from '../helpers/http.ts';
import { startProvider, type TestProvider } from '../helpers/issuer.ts';

/** Sign-ups, from the form to the dashboard, as people go that way. */
describe('sign-up', () => {
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

    async function fillIn(page: Page, email: string, url = app.url): Promise<void> {
      await page.goto(`${url}/factory/signup`);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Organisation').fill('Analytical <Engines>');
      await page.getByLabel('Enterprise').check();
    }

    async function send(page: Page): Promise<void> {
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    }

    /** What the success state says became of the sign-up. */
    const sentences = (page: Page) => page.locator('[data-outcome]:visible').allTextContents();

    it('an organisation signs up, and an operator approves it, and it opens its dashboard', async () => {
      const { page, requests, problems } = await watchedPage(browser);
      await fillIn(page, 'ada@example.com');
      expect(await barriers(page)).toEqual([]);
      await shoot(page, 'signup');
      await send(page);
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H2');
      const thanks = (await page.locator('[data-signup-done]').textContent()) ?? '';
      expect(thanks).toContain(
        'The operator of this server will review your sign-up and write to ada@example.com',
      );
      expect(await sentences(page)).toHaveLength(1);
      expect(await page.getByRole('button', { name: 'Sign up' }).isVisible()).toBe(false);
      expect(await barriers(page)).toEqual([]);
      await shoot(page, 'signup-done');
      expect(requests.filter((url) => !url.startsWith(app.url))).toEqual([]);

      const { token } = await app.accounts.sessions.begin(null);
      await page.context().addCookies([{ name: 'switchyard_admin', value: token, url: app.url }]);
      await page.goto(`${app.url}/admin/factory/settings/api-keys`);
      await page.getByRole('link', { name: 'Sign-ups (1)' }).click();
      await shoot(page, 'signups');
      await page.getByRole('link', { name: 'Analytical <Engines>' }).click();
      expect(await barriers(page)).toEqual([]);
      await shoot(page, 'signup-decision');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('The tenant analytical-engines was created').waitFor();
      const link = await page.locator('figure', { hasText: 'The link' }).locator('code').textContent();
      await page.goto(link ?? '');
      await page.getByRole('heading', { name: 'Analytical <Engines>' }).waitFor();
      expect((await app.accounts.tenants.get('analytical-engines')).plan).toBe('enterprise');
      expect(problems).toEqual([]);
      await page.close();
    });

    it('an operator rejects one', async () => {
      await app.accounts.signups.request({ email: 'b@example.com', orgName: 'Mill', tier: 'free' }, 'test');
      const { page } = await watchedPage(browser);
      const { token } = await app.accounts.sessions.begin(null);
      await page.context().addCookies([{ name: 'switchyard_admin', value: token, url: app.url }]);
      await page.goto(`${app.url}/admin/factory/settings/api-keys?view=signups`);
      await page.getByRole('link', { name: 'Mill' }).click();
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('The sign-up of Mill was rejected').waitFor();
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      await page.close();
    });

    it('the form shows its success where sign-ups are closed, and when nothing comes back', async () => {
      const closed = await appForThisTest({ signupOpen: false });
      const { page } = await watchedPage(browser, 375, 700);
      await fillIn(page, 'ada@example.com', closed.url);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      await page.locator('.notice', { hasText: 'does not accept sign-ups' }).waitFor();
      await send(page);
      expect(await sentences(page)).toEqual([
        expect.stringContaining('Nothing was stored for ada@example.com'),
      ]);
      await shoot(page, 'signup-done-narrow');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      await page.route('**/api/factory/signup', (route) => route.abort());
      await fillIn(page, 'ada@example.com');
      await send(page);
      expect(await sentences(page)).toEqual([expect.stringContaining('did not confirm the sign-up of ada@')]);
      await page.close();
    });

    it('the form asks for what is missing before it sends anything', async () => {
      const { page, requests } = await watchedPage(browser);
      await page.goto(`${app.url}/factory/signup`);
      await page.getByLabel('E-mail').fill('nobody@nowhere');
      await page.getByRole('button', { name: 'Sign up' }).click();
      expect(await page.locator('input:invalid').count()).toBe(2);
      expect(requests.some((url) => url.includes('/api/'))).toBe(false);
      await page.close();
    });

    it('the form works without JavaScript, in the dark', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'dark' });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      await fillIn(page, 'dark@example.com');
      await shoot(page, 'signup-dark');
      await send(page);
      expect(await page.locator('main').textContent()).toContain('write to dark@example.com');
      const { items } = await app.accounts.signups.list();
      expect(items.some(({ email }) => email === 'dark@example.com')).toBe(true);
      await page.getByRole('link', { name: 'documentation', exact: true }).click();
      await context.close();
    });

    it('a page that fails is a page, and leads back', async () => {
      const { page } = await watchedPage(browser, 375, 700);
      await page.goto(`${app.url}/nothing/of/the/kind`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await shoot(page, 'not-found');
      await page.getByRole('link', { name: 'Start page' }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect((await ask(`${app.url}/nothing/of/the/kind`)).error.code).toBe('not_found');
      await page.close();
    });
  });
});

/** Signing in by a real provider of OpenID Connect, driven as people do it. */
describe('sign-in', () => {
  const admin = '/admin/factory/settings/api-keys';

  describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
    let app: TestApp;
    let provider: TestProvider;
    let browser: Browser;
    beforeAll(async () => {
      provider = await startProvider({
        ann: { email: 'ann@example.com', email_verified: true, groups: ['platform'], tenant: 'acme' },
        bob: { groups: ['guests'] },
      });
      const rules = [
        { claim: 'groups', value: 'platform', role: 'owner', tenant: null },
        { claim: 'tenant', value: null, role: 'member', tenant: null },
      ] as const;
      [app, browser] = await Promise.all([
        startApp({ signIn: { oidc: [provider.settings(rules)] } }),
        launch(),
      ]);
      provider.serve(app.url, [admin, '/dashboard']);
      await app.accounts.tenants.create({ id: 'acme', name: 'Acme', plan: 'pro' }, 'test');
    });
    afterAll(async () => {
      await browser.close();
      await app.close();
      await provider.close();
    });

    it('an owner signs in to the admin area, makes a tenant in their own name, and signs out everywhere', async () => {
      const { page, problems } = await watchedPage(browser);
      provider.person = 'ann';
      await page.goto(app.url + admin);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'Sign in with Example Corp' }).click();
      await page.getByRole('heading', { name: 'Tenants' }).waitFor();
      expect(page.url()).toBe(app.url + admin);
      const cookies = await page.context().cookies(app.url);
      expect(cookies.find(({ name }) => name === 'switchyard_admin')).toMatchObject({
        httpOnly: true,
        sameSite: 'Strict',
      });
      expect(cookies.map(({ name }) => name)).not.toContain('switchyard_sign_in');
      await page.getByLabel('Id').fill('by-ann');
      await page.getByRole('button', { name: 'Create tenant' }).click();
      await page.getByRole('heading', { name: 'by-ann' }).waitFor();
      await page.goto(`${app.url}${admin}?view=changes`);
      await page.getByRole('cell', { name: 'corp:ann <ann@example.com>' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'You are signed out here' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.goto(app.url + admin);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(problems).toEqual([]);
      await page.context().close();
    });

    it('a member signs in to the dashboard of their tenant', async () => {
      const { page, problems } = await watchedPage(browser);
      provider.person = 'ann';
      await page.goto(`${app.url}/dashboard`);
      await page.getByRole('link', { name: 'Sign in with Example Corp' }).click();
      await page.waitForURL(`${app.url}/dashboard`);
      await page.getByRole('heading', { name: 'Acme' }).first().waitFor();
      expect(problems).toEqual([]);
      await page.context().close();
    });

    it('somebody whom no rule lets in is told which claim was looked at', async () => {
      const { page } = await watchedPage(browser);
      provider.person = 'bob';
      await page.goto(app.url + admin);
      await page.getByRole('link', { name: 'Sign in with Example Corp' }).click();
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
      expect(await page.getByRole('alert').textContent()).toContain('It looked at “groups”.');
      expect(await barriers(page)).toEqual([]);
      await page.context().close();
    });
  });
});
