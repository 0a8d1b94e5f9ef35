/** The page that says how clients are set up, as a visitor's browser sees it. */
import { describe, expect, it } from 'vitest';
import { barriers, hasBrowser, shoot, watchedPage } from '../helpers/browser.ts';
import { openForAll } from '../helpers/in-chromium.ts';

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
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: opened.app.url });
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
