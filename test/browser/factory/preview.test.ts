/** What a preview may do: run, and nothing that reaches anybody else. Shown with an app that tries everything. */

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FactoryJob } from '../../../generated/types.gen.ts';
import { startApp, type TestApp } from '../../helpers/app.ts';
import { hasBrowser, launch } from '../../helpers/browser.ts';
import { eventsIn, eventually, finalJob, postDemo, scripted, tinyApp } from '../../helpers/factory.ts';
import { ask } from '../../helpers/http.ts';

describe('preview', () => {
  let app: TestApp;
  let browser: Browser;
  let stranger: Server;
  let job: FactoryJob;
  /** What has reached the stranger's server. */
  const arrived: string[] = [];

  beforeAll(async () => {
    if (!hasBrowser) return;
    stranger = createServer((request, response) => {
      arrived.push(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' });
      response.end('hello');
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const there = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    app = await startApp({
      factory: {
        loadBuilder: async () => async (context) => {
          await scripted()(context);
          return { ...tinyApp, html: hostile(there, app.url) };
        },
      },
    });
    browser = await launch();
    job = finalJob(eventsIn((await postDemo(app, 'an app that tries everything')).text));
  });
  afterAll(async () => {
    if (!hasBrowser) return;
    await browser.close();
    await app.close();
    stranger.close();
  });

  /** A page that tries to get out, and writes down under `window.got` what it has achieved. */
  function hostile(there: string, home: string): string {
    return `<!doctype html><html lang="en"><title>Hostile</title><h1>Hostile</h1>
<img src="${there}/img"><link rel="stylesheet" href="${there}/css"><iframe src="${home}/docs"></iframe>
<script>
const got = window.got = {};
const attempt = async (name, run) => { try { got[name] = await run(); } catch (error) { got[name] = 'refused'; } };
window.ran = (async () => {
  await attempt('fetch', () => fetch('${there}/fetch').then((r) => r.text()));
  await attempt('api', () => fetch('${home}/api/factory/status').then((r) => r.text()));
  await attempt('beacon', () => navigator.sendBeacon('${there}/beacon', 'x') && 'queued');
  await attempt('socket', () => new Promise((resolve, reject) => { const s = new WebSocket('${there.replace('http', 'ws')}/ws'); s.onopen = () => resolve('open'); s.onerror = reject; }));
  await attempt('script', () => new Promise((resolve, reject) => { const s = document.createElement('script'); s.src = '${there}/script'; s.onload = () => resolve('loaded'); s.onerror = reject; document.head.append(s); }));
  await attempt('worker', () => new Promise((resolve, reject) => { const w = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); w.onmessage = () => resolve('works'); w.onerror = reject; }));
  await attempt('cookie', () => { document.cookie = 'a=b'; return document.cookie || 'none'; });
  await attempt('storage', () => { localStorage.setItem('a', 'b'); return localStorage.getItem('a'); });
  await attempt('parent', () => parent === window ? 'none' : parent.document.title);
  await attempt('top', () => { if (top !== window) top.location = '${there}/top'; return 'none'; });
  await attempt('popup', () => window.open('${there}/popup') ? 'open' : 'refused');
  await attempt('eval', () => eval('1 + 1'));
  await attempt('camera', () => navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'seen'));
  return got;
})();
</script></html>`;
  }

  type Got = Record<string, unknown>;
  async function gotIn(frame: Frame): Promise<Got> {
    await frame.waitForFunction('window.ran');
    return frame.evaluate<Got>('window.ran');
  }

  /** The app in the page that holds it. */
  function appIn(page: Page): Promise<Frame> {
    return eventually(() => page.frames().find((one) => /\/app$|\/\/app\./.test(one.url())));
  }

  const nothing = {
    fetch: 'refused',
    api: 'refused',
    socket: 'refused',
    script: 'refused',
    worker: 'refused',
    popup: 'refused',
    eval: 'refused',
    camera: 'refused',
  };

  describe.skipIf(!hasBrowser)('a preview in Chromium (skipped where there is none)', () => {
    it('on the server’s own address has no network, no storage and no origin', async () => {
      const page = await browser.newPage();
      await page.context().addCookies([{ name: 'switchyard_admin', value: 'secret', url: app.url }]);
      const [response, inside] = await Promise.all([
        page.goto(job.preview?.url ?? ''),
        page.waitForResponse(`${job.preview?.url}app`),
      ]);
      const frame = await appIn(page);
      const got = await gotIn(frame);
      expect(got).toMatchObject({ ...nothing, cookie: 'refused', storage: 'refused', parent: 'refused' });
      expect(await frame.evaluate('self.origin')).toBe('null');
      expect(await page.title()).toBe('Hostile');
      for (const headers of [response?.headers() ?? {}, inside.headers()]) {
        expect(headers).toMatchObject({
          'x-robots-tag': 'noindex, nofollow',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'cross-origin',
        });
        expect(headers['x-frame-options']).toBeUndefined();
        expect(headers['permissions-policy']).toContain('camera=()');
      }
      expect(arrived).toEqual([]);
      await page.close();
    });

    it('on an origin of its own can store, and still reaches nobody and none of our cookies', async () => {
      const context = await browser.newContext();
      await context.addCookies([{ name: 'switchyard_admin', value: 'secret', url: app.url }]);
      const page = await context.newPage();
      const address = job.preview?.origin_url ?? '';
      expect(address).toBe(`http://${job.id.slice(4)}.localhost:${app.port}/`);
      await page.goto(address);
      const got = await gotIn(await appIn(page));
      expect(got).toMatchObject({ ...nothing, storage: 'b', parent: 'refused' });
      expect(String(got['cookie'])).not.toContain('switchyard_admin');
      expect(arrived).toEqual([]);
      await context.close();
    });

    it('may be framed by this server, and not by others', async () => {
      const page = await browser.newPage();
      const frame = (origin: string) =>
        page
          .goto(origin)
          .then(() =>
            page.setContent(
              `<title>Outside</title><iframe src="${job.preview?.url}"></iframe><iframe src="${job.preview?.url}app"></iframe>`,
            ),
          );
      await page.route(`${app.url}/framing`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>Ours</title>' }),
      );
      await frame(`${app.url}/framing`);
      const got = await gotIn(await appIn(page));
      expect(got).toMatchObject({ ...nothing, parent: 'refused', top: 'refused' });
      expect(await page.title()).toBe('Outside');
      await page.route('http://stranger.example/', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>Theirs</title>' }),
      );
      await frame('http://stranger.example/');
      await expect.poll(() => page.frames().length).toBe(3);
      for (const refused of page.frames().slice(1)) {
        await refused.waitForLoadState();
        expect(await refused.evaluate<unknown>('document.title')).not.toBe('Hostile');
      }
      expect(arrived).toEqual([]);
      await page.close();
    });
  });

  describe.skipIf(!hasBrowser)('the app of a preview', () => {
    it.each([
      ['at the server’s own address', () => `${job.preview?.url}app`, () => job.preview?.url ?? ''],
      [
        'on an origin of its own',
        () => (job.preview?.origin_url ?? '').replace('//', '//app.'),
        () => job.preview?.origin_url ?? '',
      ],
    ])('%s leads to the page that holds it', async (_place, address, holder) => {
      const page = await browser.newPage();
      await page.goto(address());
      expect(page.url()).toBe(holder());
      await gotIn(await appIn(page));
      await page.close();
    });

    it('does not run outside a frame where browsers do not say what they load for', async () => {
      const named = await launch(['--host-resolver-rules=MAP switchyard.test 127.0.0.1']);
      const page = await named.newPage();
      await page.goto(`http://switchyard.test:${app.port}/preview/${job.id}/app`);
      await page.getByText('by the page of its preview only').waitFor();
      expect(await page.evaluate<unknown>('window.got')).toBeUndefined();
      await page.goto(`http://switchyard.test:${app.port}/preview/${job.id}/`);
      await gotIn(await appIn(page));
      await named.close();
      expect(arrived).toEqual([]);
    });
  });

  describe.skipIf(!hasBrowser)('the host of a preview', () => {
    it.each(['', 'app.', 'app-'])('has the preview and nothing else of the server: %s', async (prefix) => {
      const host = { headers: { host: `${prefix}${job.id.slice(4)}.localhost:${app.port}` } };
      expect((await ask(`${app.url}/`, host)).text).toContain('Hostile');
      for (const path of ['/docs', '/api/factory/status', '/v1/models', '/admin/factory/settings/api-keys']) {
        expect((await ask(app.url + path, host)).status).toBe(404);
      }
      expect((await ask(`${app.url}/`, { ...host, body: {} })).status).toBe(405);
    });

    it('is one of a build; every other leads to the server or nowhere', async () => {
      const at = async (name: string) => ask(`${app.url}/`, { headers: { host: name } });
      expect((await at(`${'0'.repeat(26)}.localhost`)).status).toBe(404);
      expect((await at(`app-${'0'.repeat(26)}.localhost`)).status).toBe(404);
      expect((await at('switchyard.localhost')).text).not.toContain('Hostile');
      expect((await ask(`${app.url}/preview/${job.id}`)).headers['location']).toBe(`/preview/${job.id}/`);
      expect((await ask(`${app.url}/preview/nonsense/`)).status).toBe(404);
    });
  });
});

/** What built apps offer works in a preview as it does elsewhere. */

describe('preview use', () => {
  let app: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let inside: FrameLocator;
  const told: string[] = [];

  beforeAll(async () => {
    if (hasBrowser) [app, browser] = await Promise.all([startApp(), launch()]);
  });
  afterAll(async () => {
    if (!hasBrowser) return;
    await browser.close();
    await app.close();
  });
  beforeEach(async () => {
    if (!hasBrowser) return;
    told.length = 0;
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('console', (message) => told.push(message.text()));
    page.on('pageerror', (error) => told.push(String(error)));
    inside = page.frameLocator('iframe');
  });
  afterEach(() => context?.close());

  const built = async (prompt: string): Promise<FactoryJob> =>
    finalJob(eventsIn((await postDemo(app, prompt)).text));
  const url = ({ preview }: FactoryJob) => preview?.url ?? '';
  const originUrl = ({ preview }: FactoryJob) => preview?.origin_url ?? '';

  describe.skipIf(!hasBrowser)('a built app in its preview (skipped without Chromium)', () => {
    it('keeps its entries on an origin of its own, and saves files', async () => {
      const job = await built('a reading list called "Night Reads" where I can rate books');
      await page.goto(originUrl(job));
      expect(await page.title()).toContain('Night Reads');
      expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/svg/);
      await inside.getByRole('button', { name: /^Add/ }).first().click();
      await inside.getByLabel('Title').first().fill('The Tin Drum');
      await inside
        .getByRole('button', { name: /^(Add|Save)/ })
        .last()
        .click();
      await inside.getByText('The Tin Drum').first().waitFor();
      await page.reload();
      await inside.getByText('The Tin Drum').first().waitFor();

      await inside.locator('.menu summary').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        inside.getByRole('button', { name: 'Export as CSV' }).click(),
      ]);
      expect(await readFile(await download.path(), 'utf8')).toContain('The Tin Drum');
      expect(told).toEqual([]);
    });

    it('lets the app be edited, where it may store and where it may not', async () => {
      for (const address of [url, originUrl]) {
        await page.goto(address(await built('a reading list called "Night Reads"')));
        await inside.locator('.menu summary').click();
        await inside.getByRole('button', { name: 'Edit this app' }).click();
        await inside.getByLabel('Name', { exact: true }).fill('Day Reads');
        await inside.getByRole('button', { name: 'Save', exact: true }).click();
        await inside.getByRole('heading', { level: 1, name: 'Day Reads' }).waitFor();
      }
      expect(told).toEqual([]);
    });

    it('takes keys without a click, and links within it lead within it', async () => {
      await page.goto(originUrl(await built('FAQ page for our library')));
      await inside.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Tab');
      expect(await inside.locator(':focus').getAttribute('class')).toBe('skip-link');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.frames()[1]?.url()).toMatch(/#main$/);
      expect(told).toEqual([]);
    });

    it('fills the window, also that of a phone', async () => {
      await page.setViewportSize({ width: 375, height: 740 });
      for (const address of [url, originUrl]) {
        await page.goto(address(await built('snake game')));
        await inside.getByRole('heading', { level: 1 }).waitFor();
        const size = await inside.locator('html').evaluate((html) => {
          const { innerWidth, innerHeight } = html.ownerDocument.defaultView ?? {};
          return [innerWidth, innerHeight, html.scrollWidth];
        });
        expect(size).toEqual([375, 740, 375]);
      }
    });

    it('can load itself again', async () => {
      for (const address of [url, originUrl]) {
        await page.goto(address(await built('todo list')));
        const heading = inside.getByRole('heading', { level: 1 });
        await heading.evaluate((it) => it.setAttribute('data-before', ''));
        await heading.evaluate((it) => it.ownerDocument.defaultView?.location.reload());
        await inside.locator('h1:not([data-before])').waitFor();
        expect(await heading.getAttribute('data-before')).toBeNull();
      }
    });
  });
});
