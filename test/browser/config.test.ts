/** The pages of the configuration and of the servers in the admin area. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { Reloads } from '../../src/config/reloads.ts';
import { appForThisTest, digestForTests } from '../helpers/app.ts';
import { barriers, hasBrowser, launch, shoot, watchedPage } from '../helpers/browser.ts';

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
    await page.getByRole('link', { name: 'Servers' }).click();
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
    await page.getByText('The session is over.').waitFor();
    expect(await rows.count()).toBe(2);
    expect([await sessions.find(member), (await sessions.find(viewer))?.actor]).toEqual([null, ann.actor]);
    expect(problems).toEqual([]);
    await page.close();
  });
});
