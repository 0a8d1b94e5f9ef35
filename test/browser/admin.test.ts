/** The admin area and the dashboard, driven as people use them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { barriers, hasBrowser, launch, shoot, watchedPage } from '../helpers/browser.ts';
import { switchyard } from '../helpers/cli.ts';
import { ask } from '../helpers/http.ts';

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

  const address = () => `${app.url}/admin/factory/settings/api-keys`;

  async function expectToFit(page: Page): Promise<void> {
    await page.setViewportSize({ width: 375, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
  }

  async function signIn(page: Page, password = testAdminPassword): Promise<void> {
    await page.goto(address());
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** The text of a block of code by its caption. */
  async function shown(page: Page, caption: string): Promise<string> {
    return (await page.locator('figure', { hasText: caption }).locator('code').textContent()) ?? '';
  }

  const chat = (key: string) => ask(`${app.url}/v1/chat`, { body: { message: 'Hello' }, key });

  it('an administrator signs in, makes a tenant and keys, rotates and revokes them, and signs out', async () => {
    const { page, requests, problems } = await watchedPage(browser);
    await signIn(page, 'not the password');
    expect(await page.getByRole('alert').textContent()).toContain('The password is not right');
    // Chromium reports the 401 itself.
    problems.length = 0;
    await shoot(page, 'sign-in');
    await signIn(page);
    await page.getByRole('heading', { name: 'Tenants' }).waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'switchyard_admin', httpOnly: true, sameSite: 'Strict' });

    await page.getByLabel('Id').fill('acme');
    await page.getByLabel('Name').fill('Acme <Inc>');
    await page.getByLabel('Plan').selectOption('pro');
    await page.getByRole('button', { name: 'Create tenant' }).click();
    await page.getByRole('heading', { name: 'Acme <Inc>' }).waitFor();

    await page.getByLabel('Label').fill('Website');
    await page.getByLabel('factory').uncheck();
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await shown(page, 'The key');
    expect(key).toMatch(/^sw_live_/);
    expect(page.url()).not.toContain(key);
    expect(await shown(page, 'Try it')).toContain(`Bearer ${key}`);
    await page.getByRole('link', { name: 'Try it in the playground' }).waitFor();
    expect((await chat(key)).status).toBe(200);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await shoot(page, 'key-made');
    await page.reload();
    expect(await page.content()).not.toContain(key);

    await page.getByRole('link', { name: 'Rotate Website' }).click();
    await page.getByLabel('The old key ends').selectOption('in an hour');
    await shoot(page, 'rotate');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const next = await shown(page, 'The key');
    expect(next).not.toBe(key);
    expect([(await chat(key)).status, (await chat(next)).status]).toEqual([200, 200]);

    const old = page.getByRole('row', { name: /replaced/ });
    await old.getByRole('link', { name: 'Revoke' }).click();
    await shoot(page, 'revoke');
    await page.getByRole('link', { name: 'Cancel' }).click();
    expect((await chat(key)).status).toBe(200);
    await old.getByRole('link', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('was revoked').waitFor();
    expect([(await chat(key)).status, (await chat(next)).status]).toEqual([401, 200]);

    await page.getByRole('link', { name: 'Tags of Website' }).first().click();
    await page.getByLabel('Tags of its requests').fill('team=search, env="pre prod"');
    expect(await barriers(page)).toEqual([]);
    await shoot(page, 'tags');
    await page.getByRole('button', { name: 'Save tags' }).click();
    await page.getByText('team=search').waitFor();
    await page.getByText('env=pre prod').waitFor();
    await page.getByRole('link', { name: 'Tags of Website' }).first().click();
    expect(await page.getByLabel('Tags of its requests').inputValue()).toBe('env="pre prod", team=search');
    await page.getByRole('link', { name: 'Cancel' }).click();
    expect((await chat(next)).status).toBe(200);

    await page.getByLabel('Tags that its requests need').fill('team');
    await page.getByText('Limits of its own').click();
    await page.getByLabel('Requests a minute').fill('600');
    await page.getByLabel('Plan').selectOption('enterprise');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The tenant was changed').waitFor();
    expect(await app.accounts.tenants.get('acme')).toMatchObject({
      plan: 'enterprise',
      overrides: { requestsPerMinute: 600 },
      requiredTags: ['team'],
    });
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator('svg rect[fill] title').count();
      })
      .toBeGreaterThan(0);
    await shoot(page, 'tenant');
    expect(await barriers(page)).toEqual([]);
    await expectToFit(page);
    await shoot(page, 'tenant-narrow');
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const [by, value] of [
      ['key', next.split('_')[2] ?? ''],
      ['provider', 'sandbox'],
      ['operation', 'createChat'],
    ] as const) {
      await page.getByRole('link', { name: `By ${by}` }).click();
      await page
        .getByRole('table', { name: `Usage by ${by}` })
        .getByText(value)
        .waitFor();
    }
    await page.getByLabel('By a tag').fill('team');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('table', { name: 'Usage by value of the tag team' }).getByText('search').waitFor();
    await shoot(page, 'usage-by-tag');
    expect(await barriers(page)).toEqual([]);
    await expectToFit(page);
    await shoot(page, 'usage-by-tag-narrow');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export FOCUS' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^usage-.*\.csv$/);

    await page.getByRole('link', { name: 'All tenants' }).click();
    await expectToFit(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await shoot(page, 'tenants');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByRole('table', { name: 'Usage by tenant' }).getByText('acme').waitFor();
    await shoot(page, 'usage');
    expect(await barriers(page)).toEqual([]);
    await expectToFit(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /tenant\.change/ }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(problems).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(app.url))).toEqual([]);
    expect(JSON.stringify(app.log)).not.toContain(next.split('_').at(-2));
    await page.close();
  });

  it('a tenant signs in by its link, once, and sees its limits, keys, usage and requests', async () => {
    await app.accounts.tenants.create({ id: 'beta', name: 'Beta', plan: 'free' }, 'test');
    await app.accounts.storedKeys.create({ tenantId: 'local', label: 'of another' }, 'test');
    const env = { DATA_DIR: app.dataDir, PUBLIC_URL: app.url };
    const link = (await switchyard(env, 'dashboard-link', 'beta', '--json')).json.url as string;
    const token = new URL(link).hash.slice(1);
    const { page, requests, problems } = await watchedPage(browser);
    await page.emulateMedia({ colorScheme: 'dark' });
    // The link is opened where the form stands already.
    await page.goto(`${app.url}/dashboard/sign-in`);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Beta' }).waitFor();
    expect(requests.some((url) => url.includes(token))).toBe(false);

    await page.getByLabel('Label').fill('Mine');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await shown(page, 'The key');
    await chat(key);
    await ask(`${app.url}/v1/chat`, { body: { message: 'Hello', model: 'sandbox/error' }, key });
    await expect
      .poll(async () => {
        await page.goto(`${app.url}/dashboard`);
        // What became of a request is known once it is settled, a moment after its answer.
        return page.locator('.request table').count();
      })
      .toBe(2);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain('8 left');
    expect(text).toContain('998 left');
    expect(text).not.toContain('of another');
    await page.locator('.request summary').first().click();
    await page.getByRole('table', { name: 'Attempts' }).first().waitFor();
    await shoot(page, 'dashboard-dark');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: '7 days' }).click();
    await page.locator('[aria-current]', { hasText: '7 days' }).waitFor();
    await expectToFit(page);
    await shoot(page, 'dashboard-narrow');

    await page.getByRole('link', { name: 'Revoke Mine' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('was revoked').waitFor();
    expect((await chat(key)).status).toBe(401);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Sign-in link').waitFor();
    expect(problems).toEqual([]);

    await page.goto(link);
    expect(await page.getByRole('alert').textContent()).toContain('neither a valid key nor a valid link');
    expect(JSON.stringify(app.log)).not.toContain(token);
    await page.close();
  });

  it('whoever has a key signs in with it', async () => {
    const { page, problems } = await watchedPage(browser);
    await page.goto(`${app.url}/dashboard`);
    await page.getByLabel('API key').fill(testKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'This server' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: /^(Rotate|Revoke) / }).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a suspended tenant is told so by its link', async () => {
    await app.accounts.tenants.create({ id: 'gamma', name: 'Gamma', plan: 'free' }, 'test');
    const { token } = await app.accounts.sessions.invite('gamma', 'test');
    const { page } = await watchedPage(browser);
    await signIn(page);
    await page.getByRole('link', { name: 'Gamma' }).click();
    await page.getByRole('link', { name: 'Suspend tenant' }).click();
    await shoot(page, 'suspend');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Suspend tenant' }).click();
    await page.getByText('The tenant is suspended: its keys are refused, and').waitFor();
    await shoot(page, 'suspended');
    await page.goto(`${app.url}/dashboard/sign-in#${token}`);
    expect(await page.getByRole('alert').textContent()).toContain('This account is suspended');
    await shoot(page, 'suspended-link');
    await page.close();
  });

  it('a refused key keeps what was typed, and says at the form what is missing', async () => {
    const { page } = await watchedPage(browser);
    await signIn(page);
    await page.getByRole('link', { name: 'This server' }).click();
    await page.getByLabel('Label').fill('For the kiosk');
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
    await page.getByRole('button', { name: 'Create key' }).click();
    const alert = page.locator('#new-key').getByRole('alert');
    expect(await alert.textContent()).toBe('Choose at least one scope.');
    expect(await page.getByLabel('Label').inputValue()).toBe('For the kiosk');
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await expect.poll(async () => (await alert.boundingBox())?.y).toBeLessThan(900);
    expect(await barriers(page)).toEqual([]);
    await shoot(page, 'key-refused');
    await page.getByLabel('chat').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await shown(page, 'The key')).toMatch(/^sw_live_/);
    await page.close();
  });

  it('all of it works without JavaScript', async () => {
    const { token } = await app.accounts.sessions.invite('local', 'test');
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page);
    await page.getByRole('link', { name: 'This server' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    expect((await chat(await shown(page, 'The key'))).status).toBe(200);
    await page.goto(`${app.url}/dashboard/sign-in`);
    await page.getByLabel('Sign-in link').fill(`${app.url}/dashboard/sign-in#${token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Last requests' }).waitFor();
    await context.close();
  });
});
