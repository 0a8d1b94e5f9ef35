/** Forms whose answers can be posted, and a typing test. */
import { createServer } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { buildFromSpec } from '../../../src/factory/build-app.ts';
import { hasBrowser } from '../../helpers/browser.ts';
import { wholeSpec } from '../../helpers/whole-spec.ts';
import { specApps } from './spec-apps.ts';

vi.setConfig({ testTimeout: 60_000 });

const newsletter = {
  kind: 'form',
  variant: 'signup',
  name: 'Newsletter',
  entity: {
    singular: 'sign-up',
    plural: 'sign-ups',
    fields: [
      { key: 'f0', label: 'Name', type: 'text' },
      { key: 'f1', label: 'E-mail', type: 'email', required: true },
    ],
  },
} as const;
const endpoint = 'https://owner.example/hooks/newsletter';

describe.skipIf(!hasBrowser)('forms in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  async function signUp(page: Awaited<ReturnType<typeof opened>>['page']) {
    await page.getByLabel('Name').fill('Ana <b>');
    await page.getByLabel('E-mail').fill('ana@example.org');
    await page.locator('button[type=submit]').click();
  }

  it('a sign-up stays on the device and reaches nobody without an address to post to', async () => {
    const { page, sound } = await opened(newsletter);
    await sound();
    await signUp(page);
    await page.getByText('The answer is kept on this device.').waitFor();
    await sound();
    await page.reload();
    await page.getByRole('button', { name: 'Answers' }).click();
    await page.getByText('ana@example.org').waitFor();
    await page.close();
  });

  it('with an address it is posted there as JSON, and the page says so before and after', async () => {
    const { page, sound } = await opened({ ...newsletter, contact: { endpoint } });
    const posted: unknown[] = [];
    await page.route('https://owner.example/**', async (route) => {
      if (route.request().method() === 'POST') posted.push(route.request().postDataJSON());
      await route.fulfill({
        status: 204,
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' },
      });
    });
    await page.getByText('sent to owner.example').waitFor();
    await signUp(page);
    await page.getByText('The answer has been sent').waitFor();
    expect(posted).toEqual([
      expect.objectContaining({
        form: 'Newsletter',
        answers: { Name: 'Ana <b>', 'E-mail': 'ana@example.org' },
      }),
    ]);
    await sound();
    await page.close();
  });

  it('that cannot be posted is kept, and the page says so', async () => {
    const { page } = await opened({ ...newsletter, contact: { endpoint } });
    await page.route('https://owner.example/**', (route) => route.abort());
    await signUp(page);
    await page.getByText('could not be sent').waitFor();
    await page.getByRole('button', { name: 'Answers' }).click();
    expect(await page.getByText('ana@example.org').count()).toBe(1);
    await page.close();
  });

  it('nothing is posted from a preview, which says so', async () => {
    const { html } = await buildFromSpec(wholeSpec({ ...newsletter, contact: { endpoint } }));
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        request.url === '/app'
          ? html
          : '<!doctype html><title>Preview</title><iframe src="/app" width="375" height="700"></iframe>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { page } = await opened(newsletter);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
    const frame = page.frameLocator('iframe');
    await frame.getByText('nothing is sent to owner.example').waitFor();
    await frame.getByLabel('E-mail').fill('ana@example.org');
    await frame.locator('button[type=submit]').click();
    await frame.getByText('The answer is kept on this device.').waitFor();
    expect(asked.filter((url) => url.includes('owner.example'))).toEqual([]);
    await page.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('a typing test counts right letters, tells wrong ones, and keeps the best', async () => {
    const { page, sound } = await opened({
      kind: 'game',
      variant: 'typing',
      name: 'Type',
      settings: { seconds: 30 },
    });
    await sound();
    const wanted = (await page.locator('.typing-text').textContent()) ?? '';
    await page.getByLabel('Type here').pressSequentially(wanted.slice(0, 10));
    expect(await page.locator('.right').count()).toBe(10);
    await page.getByLabel('Type here').press('#');
    expect(await page.locator('.wrong').count()).toBe(1);
    expect(await page.locator('.stats').textContent()).toContain('90 %');
    await sound();
    await page.getByRole('button', { name: 'New game' }).click();
    expect(await page.getByLabel('Type here').inputValue()).toBe('');
    await page.close();
  });

  it('a typing test of own words has no others', async () => {
    const words = ['cutlass', 'doubloon', 'scurvy'];
    const { page, sound } = await opened({
      kind: 'game',
      variant: 'typing',
      name: 'Pirates',
      choices: words,
    });
    const shown = (await page.locator('.typing-text').textContent()) ?? '';
    const whole = shown.trim().split(' ').slice(0, -1);
    expect(whole.length).toBeGreaterThan(10);
    expect([...new Set(whole)].sort()).toEqual(words);
    await sound();
    await page.close();
  });

  it('a round of the typing test ends with its time', async () => {
    const { page } = await opened({
      kind: 'game',
      variant: 'typing',
      name: 'Type',
      settings: { seconds: 15 },
    });
    await page.clock.install();
    await page.reload();
    const wanted = (await page.locator('.typing-text').textContent()) ?? '';
    await page.getByLabel('Type here').pressSequentially(wanted.slice(0, 20));
    await page.clock.runFor(16_000);
    await page.getByText('A new record').waitFor();
    expect(await page.getByLabel('Type here').isDisabled()).toBe(true);
    await page.close();
  });

  it.each(['de', 'es', 'fr'] as const)('all are sound in %s, under the policy of a preview', async (lang) => {
    for (const parts of [
      newsletter,
      { ...newsletter, variant: 'contact' },
      { kind: 'game', variant: 'typing' } as const,
    ]) {
      const { page, sound } = await opened({ ...parts, name: 'App', lang }, 375, 'preview');
      await sound();
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
      await page.close();
    }
  });
});
