/** The live demo and the page of a build, used as visitors use them. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FactoryJob } from '../../generated/types.gen.ts';
import { hasBrowser, watchedPage } from '../helpers/browser.ts';
import { stagedBuilder } from '../helpers/factory-build.ts';
import { openFactoryPages, patient } from '../helpers/factory-pages.ts';

const shots = process.env['SCREENSHOTS'];
const minutes = 60_000;

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  const staged = stagedBuilder();
  const opened = openFactoryPages({
    factory: {
      concurrency: 1,
      queue: 2,
      demo: { builds: 2, windowMs: 5 * minutes },
      loadBuilder: async () => staged.builder,
    },
    // Builds that fail on purpose are errors in the log.
    errorsExpected: true,
  });
  const { done, expectWholeBuild, expectNoTrouble } = opened;
  let { app, browser, front, watched, page } = {} as ReturnType<typeof opened.now>;
  beforeEach(() => {
    ({ app, browser, front, watched, page } = opened.now());
  });
  // The first build waits for the thread that builds.
  beforeAll(async () => void (await (await post('a clock', '198.51.100.9')).text()));
  afterEach(() => staged.release());

  const start = (on = page) => on.goto(front.url);
  const box = () => page.getByLabel('What should it be?');
  const button = () => page.getByRole('button', { name: 'Build it' });
  const boxHasFocus = () => page.evaluate<boolean>('document.activeElement.id === "prompt"');
  const asked = (what: string) => front.asked.filter((line) => line.includes(what));
  /** After which events the stream was asked for again. */
  const resumed = () => asked('/events').map((line) => Number(line.split('after=')[1]));
  const title = (text: string | RegExp) => page.getByRole('heading', { name: text });

  async function build(prompt: string): Promise<void> {
    await box().fill(prompt);
    await button().click();
  }

  /** Asks for a build as a program does. */
  const post = (prompt: string, client: string, signal?: AbortSignal) =>
    fetch(`${opened.now().app.url}/api/factory/public-demo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
      body: JSON.stringify({ prompt }),
      ...(signal && { signal }),
    });

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
    await opened.expectToBeReadable();
    await page.setViewportSize({ width: 375, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ reducedMotion: null });
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
    // It may move or go by itself at any moment, as the next try comes anyway; as long as tries fail, it comes back.
    await page.getByRole('button', { name: 'Try now' }).dispatchEvent('click');
    fault = 'closing';
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
    const stations = page.locator('.station');
    const states = await stations.evaluateAll((all) => all.map((one) => one.dataset['state']));
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
        ...{ progress: { percent: 100, files_total: 0 }, queue: {}, usage: {}, checks: [], files: [] },
        ...{ plan: null, engine: { mode: 'embedded' }, error: null, repair_rounds: 0 },
        expires_at: '2100-01-01T00:00:00Z',
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
    const links = page.locator('.build a');
    const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(hrefs).toEqual([`/factory/jobs/job_${'a'.repeat(26)}`, '/']);
    expect(await page.locator('iframe').count()).toBe(0);
    expectNoTrouble();
  });
});
