/** The live demo and the page of a build, used as visitors use them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { strFromU8, unzipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FactoryJob } from '../../generated/types.gen.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { type Front, hasBrowser, launch, openFront, type Watched, watchedPage } from '../helpers/browser.ts';
import { stagedBuilder } from '../helpers/factory-build.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = process.env['SCREENSHOTS'];
// Each waits for several builds.
vi.setConfig({ testTimeout: 30_000 });

const minutes = 60_000;
const patient = { timeout: 30_000 };

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  const staged = stagedBuilder();
  let app: TestApp;
  let browser: Browser;
  let front: Front;
  let watched: Watched;
  let page: Page;
  let visitors = 0;

  beforeAll(async () => {
    const factory = {
      concurrency: 1,
      queue: 2,
      demo: { builds: 2, windowMs: 5 * minutes },
      loadBuilder: async () => staged.builder,
    };
    // Builds that fail on purpose are errors in the log.
    [app, browser] = await Promise.all([
      startApp({ factory, trustedProxies: 1, errorsExpected: true }),
      launch(),
    ]);
    front = await openFront(app.url);
    // The first build waits for the thread that builds.
    await (await post('a clock', '198.51.100.9')).text();
  });
  afterAll(async () => {
    await browser.close();
    await front.close();
    await app.close();
  });
  beforeEach(async () => {
    front.client = `192.0.2.${++visitors}`;
    front.answer = () => false;
    front.asked.length = 0;
    watched = await watchedPage(browser);
    page = watched.page;
  });
  afterEach(async () => {
    staged.release();
    await page.close();
  });

  const start = (on = page) => on.goto(front.url);
  const box = () => page.getByLabel('What should it be?');
  const button = () => page.getByRole('button', { name: 'Build it' });
  const boxHasFocus = () => page.evaluate<boolean>('document.activeElement.id === "prompt"');
  const asked = (what: string) => front.asked.filter((line) => line.includes(what));
  /** After which events the stream was asked for again. */
  const resumed = () => asked('/events').map((line) => Number(line.split('after=')[1]));
  const title = (text: string | RegExp) => page.getByRole('heading', { name: text });
  const done = () => page.getByRole('link', { name: 'Download .zip' }).waitFor();

  async function build(prompt: string): Promise<void> {
    await box().fill(prompt);
    await button().click();
  }

  /** Asks for a build as a program does. */
  const post = (prompt: string, client: string, signal?: AbortSignal) =>
    fetch(`${app.url}/api/factory/public-demo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
      body: JSON.stringify({ prompt }),
      ...(signal && { signal }),
    });

  async function posted(prompt: string): Promise<string> {
    const answer = await post(prompt, front.client);
    await answer.body?.cancel();
    return answer.headers.get('x-job-id') ?? '';
  }

  async function shoot(name: string): Promise<void> {
    if (!shots) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 375, height: 740 });
    await page.screenshot({ path: `${shots}/${name}-phone.png`, fullPage: true });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: null });
  }

  /** Everybody can read it, in both colour schemes, and it fits a phone. */
  async function expectToBeReadable(): Promise<void> {
    await page.evaluate(axe);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // What is no matter of colours is the same in both.
      const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
      const findings = await page.evaluate(async (options) => {
        const { axe } = globalThis as unknown as {
          axe: {
            run(options: object): Promise<{
              violations: { id: string; impact: string; nodes: { failureSummary: string; html: string }[] }[];
            }>;
          };
        };
        const { violations } = await axe.run({ iframes: false, ...options });
        return violations.map(({ id, impact, nodes }) => [
          id,
          impact,
          nodes[0]?.html,
          nodes[0]?.failureSummary,
        ]);
      }, rules);
      expect(findings, colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 375, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  }

  function expectNoTrouble(): void {
    expect(watched.problems).toEqual([]);
    expect(watched.requests.filter((url) => !url.startsWith(`${front.url}/`))).toEqual([]);
  }

  /** What the page says of a build, each line once. */
  async function expectWholeBuild(): Promise<void> {
    const states = await page
      .locator('.station')
      .evaluateAll((all) => all.map((one) => one.dataset['state']));
    expect(states).toEqual(['done', 'done', 'done', 'done']);
    const files = await page.locator('.files code').allTextContents();
    expect(files).toContain('index.html');
    expect(new Set(files).size).toBe(files.length);
    expect(await page.locator('[data-part="files"] .amount').textContent()).toBe(String(files.length));
    const checks = await page.locator('.checks li').allTextContents();
    expect(new Set(checks).size).toBe(checks.length);
    expect(await page.locator('[data-part="checks"] .amount').textContent()).toBe(
      `${checks.length} of ${checks.length} passed`,
    );
  }

  it('can be read by everybody', async () => {
    await start();
    expect(await page.title()).toContain('Switchyard');
    await shoot('start');
    await expectToBeReadable();
    await page.getByText('More examples').click();
    await page.getByRole('button', { name: 'habit tracker' }).click();
    expect(await box().inputValue()).toBe('habit tracker');
    expectNoTrouble();
  });

  it('a sentence becomes an app that can be tried, kept and opened', async () => {
    await start();
    await build('a reading list called "Night Reads" where I can rate books');
    await done();
    await title('Night Reads').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Night Reads');
    expect(await page.locator('[data-part="status"]').textContent()).toMatch(/^Built in [\d.]+ m?s by rules/);
    const plan = (await page.locator('[data-part="plan"]').textContent()) ?? '';
    for (const word of ['tracker', 'books', 'Title', 'Author', 'Rating']) expect(plan).toContain(word);
    await expectWholeBuild();
    await expect
      .poll(() => page.locator('[data-announcements]').textContent(), patient)
      .toBe('“Night Reads” is ready.');

    const preview = page.frameLocator('iframe');
    expect(await preview.getByRole('heading', { level: 1 }).textContent()).toBe('Night Reads');
    await shoot('done');
    await expectToBeReadable();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download .zip' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('night-reads.zip');
    const zip = await readFile(await download.path());
    const jobId = new URL(page.url()).hash.slice(1);
    const record = (await (await fetch(`${app.url}/api/factory/public-demo/${jobId}`)).json()) as FactoryJob;
    expect(createHash('sha256').update(zip).digest('hex')).toBe(record.artifact?.sha256);
    expect(strFromU8(unzipSync(zip)['index.html'] ?? new Uint8Array())).toContain('<title>Night Reads');

    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open in new tab' }).click(),
    ]);
    await tab.frameLocator('iframe').getByRole('heading', { level: 1, name: 'Night Reads' }).waitFor();
    expect(tab.url()).toBe(record.preview?.origin_url);
    expect(await tab.title()).toContain('Night Reads');
    await tab.close();
    expectNoTrouble();

    // What is built cannot lead its visitor elsewhere, not even in its frame.
    await preview.locator('body').evaluate((_, url) => Object.assign(globalThis, { location: url }), app.url);
    await expect.poll(() => watched.problems.join(), patient).toContain('frame-src');
    expect(watched.requests.filter((url) => url.startsWith(app.url))).toEqual([]);
  });

  it('a build is shared by its page', async () => {
    await start();
    await build('packing list "Off We Go"');
    await done();
    const jobId = new URL(page.url()).hash.slice(1);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: front.url });
    await page.getByRole('link', { name: 'Share link' }).click();
    await page.getByRole('link', { name: 'Link copied' }).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toBe(`${front.url}/factory/jobs/${jobId}`);

    front.asked.length = 0;
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Off We Go' }).waitFor();
    await page.frameLocator('iframe').getByRole('heading', { level: 1, name: 'Off We Go' }).waitFor();
    await expectWholeBuild();
    // All of it is in the page already.
    expect(asked('/api/')).toEqual([]);
    expect(await page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex');
    await shoot('job');
    await expectToBeReadable();
    expectNoTrouble();
  });

  it('works by keyboard alone', async () => {
    await start();
    for (let n = 0; n < 20 && !(await boxHasFocus()); n++) {
      await page.keyboard.press('Tab');
    }
    // On past the two buttons to the first example, which fills the box and leads back to it.
    for (let n = 0; n < 3; n++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await box().inputValue()).toBe('snake');
    await page.keyboard.type(' in pink');
    await page.keyboard.press('Enter');
    await done();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Open in new tab');
    await page.keyboard.press('Tab');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    for (let n = 0; n < 2; n++) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Build another');
    await page.keyboard.press('Enter');
    expect(await boxHasFocus()).toBe(true);
    expect(await page.locator('.build').isVisible()).toBe(false);
    expectNoTrouble();
  });

  it('the way back leads from the form to the build, and from the build to the form', async () => {
    await start();
    await build('a reading list called "Night Reads"');
    await done();
    const { hash } = new URL(page.url());
    await page.getByRole('link', { name: 'Build another' }).click();
    expect(await page.locator('.build').isVisible()).toBe(false);
    expect(await page.title()).not.toContain('Night Reads');
    await page.goBack();
    await title('Night Reads').waitFor();
    await done();
    expect(new URL(page.url()).hash).toBe(hash);
    await expectWholeBuild();
    await page.goBack();
    await page.locator('.build').waitFor({ state: 'hidden' });
    expect(page.url()).toBe(`${front.url}/`);
    await page.goForward();
    await page.reload();
    await title('Night Reads').waitFor();
    await done();
    expect(asked('POST')).toHaveLength(1);
    expectNoTrouble();
  });

  it('goes on after a reload in the middle', async () => {
    await start();
    front.holdAfter = 8;
    await build('habit tracker');
    await title(/Habit/).waitFor();
    await shoot('building');
    await expectToBeReadable();
    expect(await page.getByRole('link', { name: 'Download .zip' }).isVisible()).toBe(false);
    await page.reload();
    await done();
    await expectWholeBuild();
    expect(asked('POST')).toHaveLength(1);
    expectNoTrouble();
  });

  it('goes on after a lost connection, from where it was, and when a stopping server says so', async () => {
    await start();
    const closing = { v: 1, seq: null, type: 'stream.closing', reason: 'shutdown', retry_ms: 0, message: '' };
    const repeated = { v: 1, seq: 2, type: 'notice', code: 'engine_degraded', message: 'Told before.' };
    let fault: 'broken' | 'closing' | null = 'broken';
    front.answer = (req, res) => {
      if (fault === null || !req.url?.includes('/events')) return false;
      if (fault === 'broken') res.destroy();
      else {
        fault = null;
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.end([repeated, closing].map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''));
      }
      return true;
    };
    front.holdAfter = 8;
    await build('length converter');
    await title(/Converter/).waitFor();
    front.breakHeld();
    await page
      .getByText(/The connection was lost\. The build continues\. Reconnecting in \d+\ss\./)
      .waitFor();
    await shoot('lost');
    fault = 'closing';
    // It may move or go by itself at any moment, as the next try comes anyway.
    await page.getByRole('button', { name: 'Try now' }).dispatchEvent('click');
    await done();
    await expectWholeBuild();
    expect(await page.getByText('The connection was lost').count()).toBe(0);
    expect(await page.getByText('Told before.').count()).toBe(0);
    expect(resumed().length).toBeGreaterThan(1);
    expect(Math.min(...resumed())).toBeGreaterThan(3);
    expect(asked('POST')).toHaveLength(1);
  });

  it('explains the limit, counts down, and lets the visitor go on at its end', async () => {
    await page.clock.install();
    await start();
    for (const prompt of ['stopwatch', 'tip calculator']) await (await post(prompt, front.client)).text();
    await build('habit tracker');
    await page.getByText('The demo allows 2 builds in 300 seconds for each address.').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/You can build again in [45]\smin \d\d\ss\./);
    expect(await button().getAttribute('aria-disabled')).toBe('true');
    await shoot('limited');
    await expectToBeReadable();
    await button().click({ force: true });
    await box().press('Enter');
    expect(asked('POST')).toHaveLength(1);
    await page.clock.fastForward(4 * minutes);
    await page
      .getByText(/build again in ([01]\smin )?\d+\ss\./)
      .first()
      .waitFor();
    await page.clock.fastForward(2 * minutes);
    await expect.poll(() => button().getAttribute('aria-disabled'), patient).toBe('false');
    expect(await page.getByRole('alert').textContent()).toBe('');
    expect(await box().inputValue()).toBe('habit tracker');
    front.client = '192.0.2.99';
    await button().click();
    await page.locator('blockquote', { hasText: 'habit tracker' }).waitFor();
  });

  it('shows the place in the queue, and says when it is full', async () => {
    await start();
    const others = ['a first one that waits', 'a second one that waits', 'a third one that waits'];
    const aborted = new AbortController();
    for (const [n, prompt] of others.slice(0, 2).entries()) {
      await post(prompt, `198.51.100.${n}`, aborted.signal);
    }
    await build('notes app');
    await page.getByText(/^\d builds? (is|are) ahead in the queue\.|^Next in the queue\.$/).waitFor();
    await shoot('queued');
    const other = await watchedPage(browser);
    await start(other.page);
    await other.page.getByLabel('What should it be?').fill('a poll');
    await other.page.getByRole('button', { name: 'Build it' }).click();
    await other.page.getByText(/builds are waiting already\. You can build again in \d+\ss\./).waitFor();
    await other.page.close();
    await expect
      .poll(async () => {
        staged.release();
        return page.getByRole('link', { name: 'Download .zip' }).isVisible();
      }, patient)
      .toBe(true);
    aborted.abort();
    expectNoTrouble();
  });

  it('says at the box what is wrong with a prompt, and keeps it', async () => {
    await start();
    await build('ab');
    await page.getByText('at least 3 characters').waitFor();
    expect(await box().getAttribute('aria-invalid')).toBe('true');
    expect(await boxHasFocus()).toBe(true);
    await shoot('wrong');
    await box().fill('abacus');
    expect(await page.getByRole('alert').textContent()).toBe('');
    expect(await box().getAttribute('aria-invalid')).toBeNull();
    await page.context().setOffline(true);
    await button().click();
    await page.getByText('You are offline. Your prompt is kept').waitFor();
    await page.context().setOffline(false);
    await page.reload();
    expect(await box().inputValue()).toBe('abacus');
  });

  it('shows a build that fails, with its repairs, and tries again', async () => {
    await start();
    await build('please degrade, then fail');
    await page.locator('.build-status', { hasText: 'The factory failed.' }).waitFor();
    await page.getByText('The model did not answer.').waitFor();
    expect(await page.locator('.problems').textContent()).toContain(
      '“total” is not <b>defined</b>.src/app.js:12',
    );
    const states = await page
      .locator('.station')
      .evaluateAll((all) => all.map((one) => one.dataset['state']));
    expect(states).toEqual(['done', 'done', 'done', 'failed', 'waiting']);
    await shoot('failed');
    await expectToBeReadable();
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect.poll(() => asked('POST').length, patient).toBe(2);
    await page.locator('.build-status', { hasText: 'The factory failed.' }).waitFor();
    expectNoTrouble();
  });

  it('treats what visitors write as text', async () => {
    const hostile = '<img src=x onerror=alert(1)> "</script><script>alert(2)</script>" tracker';
    await start();
    await build(hostile);
    await title('Is this what you mean?').waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.getByRole('button', { name: 'Build this plan' }).click();
    await done();
    expect(await page.locator('blockquote').textContent()).toBe(hostile);
    await page.goto(`${front.url}/factory/jobs/${new URL(page.url()).hash.slice(1)}`);
    expect(await page.locator('blockquote').textContent()).toBe(hostile);
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.goto(`${front.url}/?prompt=${encodeURIComponent(`</textarea>${hostile}`)}`);
    expect(await box().inputValue()).toBe(`</textarea>${hostile}`);
    expectNoTrouble();
  });

  it('leads nowhere but to this server and to previews', async () => {
    await start();
    front.answer = (req, res) => {
      if (req.method !== 'POST') return false;
      const job = {
        ...{ id: `job_${'a'.repeat(26)}`, status: 'succeeded', stage: 'packaging', prompt: 'x', title: 'X' },
        ...{
          progress: { percent: 100, files_total: 0 },
          queue: {},
          usage: {},
          checks: [],
          files: [],
          plan: null,
        },
        ...{
          engine: { mode: 'embedded' },
          expires_at: '2100-01-01T00:00:00Z',
          error: null,
          repair_rounds: 0,
        },
        preview: { url: 'https://evil.example/preview/x/', origin_url: 'javascript:alert(1)//.localhost' },
        artifact: { url: 'https://evil.example/api/factory/public-demo/x', file_name: 'x.zip' },
      };
      const event = { type: 'job.succeeded', seq: 1, message: 'Done.', job, final: true };
      res.writeHead(200, { 'content-type': 'text/event-stream', 'x-job-id': job.id });
      res.end(`data: ${JSON.stringify(event)}\n\n`);
      return true;
    };
    await build('anything');
    await page.getByRole('link', { name: 'Share link' }).waitFor();
    const hrefs = await page
      .locator('.build a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(hrefs).toEqual([`/factory/jobs/job_${'a'.repeat(26)}`, '/']);
    expect(await page.locator('iframe').count()).toBe(0);
    expectNoTrouble();
  });

  describe('the page of a build', () => {
    it('shows how it goes on', async () => {
      const jobId = await posted('a journal, but wait');
      await page.goto(`${front.url}/factory/jobs/${jobId}`);
      await page.getByText('a journal, but wait').waitFor();
      expect(await page.locator('iframe').count()).toBe(0);
      await expect.poll(() => asked('/events?after=0').length, patient).toBe(1);
      await shoot('job-running');
      staged.release();
      await done();
      await expectWholeBuild();
      expect(await page.title()).toMatch(/Journal.* · Switchyard/);
      expectNoTrouble();
    });

    it('says that a build is unknown or has expired', async () => {
      const missing = await page.goto(`${front.url}/factory/jobs/job_${'x'.repeat(26)}`);
      expect(missing?.status()).toBe(404);
      await title('There is no such build').waitFor();
      expect((await fetch(`${front.url}/factory/jobs/nonsense`)).status).toBe(404);

      const jobId = await posted('poll: tea or coffee?');
      await page.goto(`${front.url}/#${jobId}`);
      await done();
      await app.accounts.store.db
        .updateTable('factory_jobs')
        .set({ expires_at: Date.now() - 1000 })
        .where('id', '=', jobId)
        .execute();
      const late = await page.goto(`${front.url}/factory/jobs/${jobId}`);
      expect(late?.status()).toBe(410);
      await title('This build has expired').waitFor();
      await shoot('expired');
      await page.goto(`${front.url}/#${jobId}`);
      await title('This build has expired').waitFor();
      await shoot('expired-demo');
    });

    it('says what it can without JavaScript', async () => {
      const jobId = await posted('flashcards for the capitals of Europe');
      await page.goto(`${front.url}/factory/jobs/${jobId}`);
      await done();
      const context = await browser.newContext({ javaScriptEnabled: false });
      const plain = await context.newPage();
      await plain.goto(`${front.url}/factory/jobs/${jobId}`);
      expect(await plain.getByText('flashcards for the capitals of Europe').count()).toBe(1);
      expect(await plain.locator('.files li').count()).toBeGreaterThan(3);
      const href = await plain.getByRole('link', { name: 'Download .zip' }).getAttribute('href');
      expect((await fetch(front.url + href)).status).toBe(200);
      await plain.goto(front.url);
      expect(await plain.locator('noscript code').textContent()).toContain(
        `${app.url}/api/factory/public-demo`,
      );
      expect(await plain.getByLabel('What should it be?').isVisible()).toBe(false);
      await context.close();
    });
  });
});
