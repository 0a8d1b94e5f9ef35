/** Budgets and webhooks in the admin area, and budgets on the dashboard, driven as people use them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { barriers, hasBrowser, launch, shoot, watchedPage } from '../helpers/browser.ts';
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

  async function signedIn() {
    const watched = await watchedPage(browser);
    await watched.page.goto(`${app.url}/admin/factory/settings/api-keys`);
    await watched.page.getByLabel('Password').fill(testAdminPassword);
    await watched.page.getByRole('button', { name: 'Sign in' }).click();
    await watched.page.getByRole('heading', { name: 'Tenants' }).waitFor();
    return watched;
  }

  /** Everybody can use it, by day and by night, on a telephone and on a table. */
  async function expectToServeAll(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [375, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await barriers(page), `${name} ${colorScheme} ${width}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        await shoot(page, `${name}-${width}-${colorScheme}`);
      }
    }
    await page.emulateMedia({ colorScheme: null });
  }

  it('an administrator makes, watches, changes and deletes a budget, and its tenant sees it', async () => {
    await app.accounts.tenants.create({ id: 'acme', name: 'Acme', plan: 'enterprise' }, 'test');
    const { text: key } = await app.accounts.storedKeys.create({ tenantId: 'acme' }, 'test');
    const chat = () => ask(`${app.url}/v1/chat`, { body: { message: 'Hello' }, key });
    const { page, problems } = await signedIn();
    await page.getByRole('link', { name: 'Acme' }).click();
    await page.getByText('There are no budgets.').waitFor();
    await page.getByText('New budget').click();
    await page.getByLabel('What it is for').fill('All <of> it');
    await page.getByLabel('What is counted').selectOption('Requests');
    await page.getByLabel('Limit of the budget').fill('much');
    await page.getByRole('button', { name: 'Create budget' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('The limit is a number');
    await page.getByText('New budget').click();
    await page.getByLabel('What it is for').fill('All <of> it');
    await page.getByLabel('What is counted').selectOption('Requests');
    await page.getByLabel('Limit of the budget').fill('4');
    await expectToServeAll(page, 'new-budget');
    await page.getByRole('button', { name: 'Create budget' }).click();
    await page.getByRole('heading', { name: 'All <of> it' }).waitFor();
    await page.getByText('None yet.').waitFor();

    for (let n = 0; n < 3; n += 1) expect((await chat()).status).toBe(200);
    const alerts = page.getByRole('table', { name: 'Alerts' });
    await expect
      .poll(
        async () => {
          await page.reload();
          return alerts.getByRole('row', { name: /50 %/ }).count();
        },
        { interval: 500 },
      )
      .toBe(1);
    await page.getByText('3 requests used, 75 %').waitFor();
    await page
      .getByRole('img', { name: /^3 requests used by day \d+ of \d+; an even pace would be/ })
      .waitFor();
    await expectToServeAll(page, 'budget');

    expect((await chat()).status).toBe(200);
    expect((await chat()).status).toBe(429);
    await page.getByLabel('When it is exceeded').selectOption('only alerts');
    await page.getByLabel('Limit of the budget').fill('3');
    await page.getByLabel('Alerts at percent').fill('');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('was changed').waitFor();
    expect((await app.accounts.budgets.list('acme')).items).toMatchObject([
      { label: 'All <of> it', unit: 'requests', window: 'month', limit: 3, hard: false, alertsAt: [] },
    ]);
    await page.getByText('exceeded', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Budgets of the tenant' }).click();
    await page.getByRole('row', { name: /All <of> it all requests 3 requests a month/ }).waitFor();

    const tenant = await browser.newPage();
    onTestFinished(() => tenant.close());
    const { token } = await app.accounts.sessions.invite('acme', 'test');
    await tenant.goto(`${app.url}/dashboard/sign-in#${token}`);
    await tenant.getByRole('table', { name: 'Budgets' }).getByText('4 requests used, 133 %').waitFor();
    expect(await tenant.getByRole('link', { name: 'All <of> it' }).count()).toBe(0);
    await expectToServeAll(tenant, 'dashboard-budgets');

    await page.getByRole('link', { name: 'All <of> it' }).click();
    await page.getByRole('link', { name: 'Delete budget' }).click();
    await page.getByRole('heading', { name: 'Delete the budget “All <of> it”?' }).waitFor();
    await expectToServeAll(page, 'delete-budget');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'All <of> it', exact: true }).waitFor();
    expect((await app.accounts.budgets.list('acme')).items).toHaveLength(1);
    await page.getByRole('link', { name: 'Delete budget' }).click();
    await page.getByRole('button', { name: 'Delete budget' }).click();
    await page.getByText('was deleted').waitFor();
    await page.getByText('There are no budgets.').waitFor();

    await page.getByText('New budget').click();
    // As wide as the widest id, and wider.
    await page.getByLabel('What it is for').fill('W'.repeat(60));
    await page.getByLabel('What is counted').selectOption('Requests');
    await page.getByLabel('Within').selectOption('a day (UTC)');
    await page.getByLabel('Limit of the budget').fill('8');
    await page.getByLabel('Only for the model').fill('sandbox');
    await page.getByRole('button', { name: 'Create budget' }).click();
    await page
      .getByRole('img', {
        name: '4 requests used today; most in the last 30 days 4 requests, of 8 requests a day',
      })
      .waitFor();
    await expectToServeAll(page, 'budget-of-a-day');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('an administrator makes a webhook, sends a test, delivers it again and deletes it', async () => {
    const got: { headers: Record<string, string>; body: string }[] = [];
    const receiver = createServer(async (request, response) => {
      got.push({ headers: request.headers as Record<string, string>, body: await text(request) });
      response.writeHead(204).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    onTestFinished(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const { page, problems } = await signedIn();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel('Address').fill('http://example.org/hook');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('The address begins with https://');
    await expectToServeAll(page, 'webhooks-none');
    await page
      .getByLabel('Address')
      .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await page.getByLabel('What it is for').fill('Finance');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret =
      (await page.locator('figure', { hasText: 'The secret' }).locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    expect(page.url()).not.toContain(secret);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('A test is on its way').waitFor();
    expect(await page.content()).not.toContain(secret);
    const delivered = page.getByRole('row', { name: /webhook\.test.* delivered .*: 204 / });
    const lookUntilThere = () =>
      expect
        .poll(
          async () => {
            await page.getByRole('link', { name: 'Look again' }).click();
            return delivered.count();
          },
          { interval: 500 },
        )
        .toBe(1);
    await lookUntilThere();
    expect(new Verifier(secret).verify(got[0]?.body ?? '', got[0]?.headers ?? {})).toMatchObject({
      type: 'webhook.test',
    });
    await expectToServeAll(page, 'webhook');
    await page.getByRole('button', { name: /^Deliver again: evt_\w+$/ }).click();
    await page.getByText('being sent again').waitFor();
    await lookUntilThere();
    expect(got.map(({ headers }) => headers['webhook-id'])).toEqual([
      got[0]?.headers['webhook-id'],
      got[0]?.headers['webhook-id'],
    ]);

    await page.getByLabel('budget.threshold_reached').uncheck();
    await page.getByRole('button', { name: 'Save webhook' }).click();
    await page.getByText('The webhook was changed').waitFor();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByText('has a new secret').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('The webhook is disabled').waitFor();
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByRole('row', { name: /Finance .*all tenants budget\.exceeded disabled/ }).waitFor();
    await expectToServeAll(page, 'webhooks');
    await page.getByRole('link', { name: 'Finance' }).click();
    await page.getByRole('link', { name: 'Delete webhook' }).click();
    await page.getByRole('heading', { name: 'Delete the webhook “Finance”?' }).waitFor();
    await expectToServeAll(page, 'delete-webhook');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Finance', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Delete webhook' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('The webhook was deleted').waitFor();
    await page.getByText('There are none. A webhook gets').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });
});
