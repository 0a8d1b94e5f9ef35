/** Signing in by a real provider of OpenID Connect, driven as people do it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { barriers, hasBrowser, launch, watchedPage } from '../helpers/browser.ts';
import { startProvider, type TestProvider } from '../helpers/provider.ts';

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
