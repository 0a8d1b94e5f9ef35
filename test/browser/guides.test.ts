/** The guides, and the search of the reference, as a reader's browser sees them. */
import { describe, expect, it } from 'vitest';
import { renderGuides } from '../../scripts/docs/guides.ts';
import { barriers, hasBrowser, openForAll, shoot, watchedPage } from '../helpers/browser.ts';
import { root } from '../helpers/contract.ts';

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  const opened = openForAll();

  describe.each([1280, 390])('the guides in a window of %i pixels', (width) => {
    it('are all reached from the start page, by their list', async () => {
      const { page, requests, problems } = await watchedPage(opened.browser, width);
      await page.goto(opened.app.url);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click();
      await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
      const list = page.getByRole('article');
      const links = await list.locator('a[href^="/docs/guides/"]').evaluateAll((all) => all.map(String));
      const { guides } = renderGuides(root);
      expect(links.sort()).toEqual(guides.map(({ name }) => `${opened.app.url}/docs/guides/${name}`).sort());
      for (const { name, title } of guides) {
        await page.goto(`${opened.app.url}/docs/guides/${name}`);
        await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
      }
      expect(requests.filter((url) => !url.startsWith(opened.app.url))).toEqual([]);
      expect(problems).toEqual([]);
      await page.close();
    });

    it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (colorScheme) => {
      const { page, problems } = await watchedPage(opened.browser, width);
      await page.emulateMedia({ colorScheme });
      for (const name of ['', '/quick-start', '/errors', '/configuration']) {
        await page.goto(`${opened.app.url}/docs/guides${name}`);
        expect(await barriers(page), name).toEqual([]);
        await shoot(page, `guides${name.replace('/', '-')}-${width}-${colorScheme}`);
      }
      expect(problems).toEqual([]);
      await page.close();
    });

    it('lead on from one to the next', async () => {
      const { page } = await watchedPage(opened.browser, width);
      await page.goto(`${opened.app.url}/docs/guides/chat`);
      if (width < 800) await page.locator('summary', { hasText: 'All pages' }).click();
      const list = page.locator('.guide-list:visible');
      expect(await list.locator('[aria-current]').textContent()).toBe('Chat');
      await list.getByRole('link', { name: 'Streams' }).click();
      await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
      await page.getByRole('navigation', { name: 'On this page' }).getByText('Resume a build').click();
      expect(new URL(page.url()).hash).toBe('#resume-a-build');
      await page.close();
    });
  });

  it('a sample names this server and is copied on request', async () => {
    const { page } = await watchedPage(opened.browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: opened.app.url });
    await page.goto(`${opened.app.url}/docs/guides/limits`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `curl ${opened.app.url}/v1/usage `,
    );
    await page.close();
  });

  it('a guide that is not there is a 404', async () => {
    const answer = await fetch(`${opened.app.url}/docs/guides/nothing`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('again');
  });

  it.each([
    ['createChat', '/v1/chat', 'Ask a model'],
    ['streamFactoryJobEvents', '/api/v1/factory/jobs/{job_id}/events', ''],
  ])('the search of the reference finds the operation %s', async (id, path, title) => {
    const { page, problems } = await watchedPage(opened.browser);
    await page.goto(`${opened.app.url}/docs`);
    await page.getByText('Search', { exact: false }).first().click();
    await page.keyboard.type(id);
    const found = page.locator('[data-component-name="Search/SearchItem"]');
    // Results come while it is typed; the operation itself stands first in the end.
    await expect.poll(() => found.first().textContent()).toContain(`Operation id: ${id} `);
    const text = await found.first().textContent();
    expect(text).toContain(path);
    expect(text).toContain(title);
    await found.first().click();
    await expect.poll(() => page.url().toLowerCase()).toContain(id.toLowerCase());
    expect(problems).toEqual([]);
    await page.close();
  });

  it('the reference leads to the guides', async () => {
    const { page } = await watchedPage(opened.browser, 390);
    await page.goto(`${opened.app.url}/docs`);
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/guides');
    await page.close();
  });
});
