/** What comes before a build and after it: plans, designs and questions, pointing at the app, and the page of the build. */
import type { Frame } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { barriers, hasBrowser, shoot } from '../helpers/browser.ts';
import { stagedBuilder } from '../helpers/factory-build.ts';
import { openFactoryPages, patient } from '../helpers/factory-pages.ts';

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  const staged = stagedBuilder();
  const opened = openFactoryPages({
    factory: {
      concurrency: 2,
      demo: { builds: 100, windowMs: 60_000 },
      demoRevisions: 100,
      demoPlans: 100,
      loadBuilder: async () => staged.builder,
    },
  });
  let { app, browser, front, watched, page } = {} as ReturnType<typeof opened.now>;
  beforeEach(() => {
    ({ app, browser, front, watched, page } = opened.now());
  });
  afterEach(() => staged.release());

  const { told, heading, said, focused, shownId, preview, inPreview, record } = opened;
  const { build, unfold, instruct, done, expectToBeReadable, expectWholeBuild, expectNoTrouble } = opened;
  const labelInShadow = 'document.activeElement.shadowRoot?.activeElement?.getAttribute("aria-label")';

  const books = 'a reading list called "Night Reads" with title, author and rating';

  it('what is pointed at in the preview leads to its field, or is what an instruction is about', async () => {
    await build(books);
    await inPreview('Night Reads').waitFor();
    const point = page.getByRole('button', { name: 'Point and change' });
    const pressed = () => point.getAttribute('aria-pressed');
    const shown = preview().getByRole('dialog', { name: 'Choose what to change' });
    const at = (name: string) => shown.getByRole('button', { name, exact: true });
    const app = () => page.frames().find((one) => one.url().endsWith('/app'));
    const inView = (what: string) =>
      page.evaluate<boolean>(`(() => {
        const one = document.querySelector(${JSON.stringify(what)});
        const { x, y, width, height } = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(x + width / 2, y + Math.min(height, innerHeight) / 2));
      })()`);
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [375, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await point.click();
      await at('Name: Night Reads').waitFor();
      expect(await barriers(app() as Frame)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      for (const what of ['#point-hint', '[data-point]'])
        expect([width, what, await inView(what)]).toEqual([width, what, true]);
      await shoot(page, `pointing-${width}`);
      await page.keyboard.press('Escape');
      await expect.poll(focused, patient).toBe('Point and change');
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: null });

    // A dialog of the app is all that can be seen of it.
    await preview().getByRole('button', { name: 'Add book' }).first().click();
    await point.focus();
    await page.keyboard.press('Enter');
    await at('Field 2, name: Author').waitFor();
    await expect.poll(said, patient).toContain('Tab moves on, Enter chooses, Escape leaves.');
    await expect.poll(() => app()?.evaluate(labelInShadow), patient).toBe('Singular: book');
    expect(await at('Name: Night Reads').count()).toBe(0);
    const passed = [];
    for (let n = 0; n < 60 && passed.at(-1) !== 'Field 2, name: Author'; n += 1) {
      await page.keyboard.press('Tab');
      passed.push(await app()?.evaluate(labelInShadow));
    }
    expect(passed.at(-1)).toBe('Field 2, name: Author');
    await page.keyboard.press('Enter');
    await expect.poll(focused, patient).toBe('/entity/fields/1/label');
    expect(await page.locator('[data-point-at]').textContent()).toContain('About “Author” (Field 2, name).');
    for (const [width, preview] of [
      [375, []],
      [1280, ['.window iframe']],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.locator('[data-path="/entity/fields/1/label"]').scrollIntoViewIfNeeded();
      const seen = ['#instruction', '[data-instruct] [type=submit]', '[data-point-at] span', ...preview];
      for (const what of seen) expect([width, what, await inView(what)]).toEqual([width, what, true]);
      await shoot(page, `pointed-${width}`);
    }
    await expectToBeReadable();
    await instruct('rename this to Writer');
    await told().getByText('The change is built.').waitFor();
    const { plan, revision } = await record(shownId());
    expect(revision.change.instruction).toBe('At /entity/fields/1/label: rename this to Writer');
    expect(plan?.spec?.entity?.fields.map(({ key, label: name }) => [key, name])[1]).toEqual([
      'f1',
      'Writer',
    ]);
    // What was chosen stays chosen until it is removed.
    expect(await page.locator('[data-point-at] span').textContent()).toBe('About “Writer” (Field 2, name).');
    await instruct('put it first');
    const about = page.locator('[data-point-at] span');
    await expect.poll(() => about.textContent(), patient).toBe('About “Writer” (Field 1, name).');
    await instruct('remove it');
    await about.waitFor({ state: 'hidden' });
    expect((await record(shownId())).plan?.spec?.entity?.fields).toHaveLength(2);
    await expect.poll(() => page.locator('iframe[data-coming]').count(), patient).toBe(0);

    await point.click();
    await at('Name: Night Reads').waitFor();
    // What shows no text of the plan belongs to the nearest that does.
    const sign = await preview().locator('header .mark').boundingBox();
    await page.mouse.click((sign?.x ?? 0) + 5, (sign?.y ?? 0) + 5);
    await expect.poll(focused, patient).toBe('/name');
    await page.getByRole('button', { name: 'The whole app instead' }).click();
    expect(await focused()).toBe('');
    const says = (data: string) => app()?.evaluate(`parent.postMessage(${data}, '*')`);
    await says('{ switchyard: "pointed", at: 0 }');
    await point.click();
    await at('Name: Night Reads').waitFor();
    for (const forged of [
      'null',
      '"pointed"',
      '{ switchyard: "pointed", at: "0" }',
      '{ switchyard: "pointed", at: 0.5 }',
    ])
      await says(forged);
    await app()?.evaluate('new Promise((done) => setTimeout(done, 100))');
    expect(await pressed()).toBe('true');
    await says('{ switchyard: "pointed", at: 99999 }');
    await expect.poll(pressed, patient).toBe('false');
    expect(await page.locator('[data-point-at]').isVisible()).toBe(false);
    expect(watched.problems).toEqual([]);
  });

  it('the plan can be looked at and changed before the first build', async () => {
    await page.goto(front.url);
    await page.getByLabel('What should it be?').fill(books);
    await page.getByRole('button', { name: 'look at the plan first' }).click();
    await heading('The plan').waitFor();
    const plan = page.getByRole('form', { name: 'The plan', exact: true });
    const name = plan.getByLabel('Name', { exact: true }).first();
    expect(await name.inputValue()).toBe('Night Reads');
    await shoot(page, 'plan-first');
    await expectToBeReadable();
    await name.fill('');
    await plan.getByRole('button', { name: 'Build this plan' }).click();
    await plan.locator('.field-problem').waitFor();
    expect(await focused()).toBe('/name');
    await name.fill('Shelf');
    await plan.locator('#first-kind').selectOption('board');
    expect(await plan.locator('#first-variant').count()).toBe(0);
    await plan.locator('#first-kind').selectOption('tracker');
    await plan.getByRole('button', { name: 'Build this plan' }).click();
    await heading('Shelf').waitFor();
    await inPreview('Shelf').waitFor();
    expect(await heading('The plan').isVisible()).toBe(false);
    expect((await record(shownId())).plan?.spec).toMatchObject({ kind: 'tracker', name: 'Shelf' });
    // The browser writes refusals down itself.
    expect(watched.problems.filter((problem) => !problem.includes('status of 400'))).toEqual([]);
  });

  it('a plan is built in three designs side by side, of which one is kept and changed', async () => {
    await page.goto(front.url);
    await page.getByLabel('What should it be?').fill(books);
    await page.getByRole('button', { name: 'look at the plan first' }).click();
    await heading('The plan').waitFor();
    await page.getByRole('button', { name: 'Build three designs of it' }).click();
    const designs = page.locator('[data-designs]');
    const keep = designs.getByRole('link', { name: 'Keep this one' });
    await expect.poll(() => keep.count(), patient).toBe(3);
    expect(await heading('The plan').isVisible()).toBe(false);
    for (const n of [0, 1, 2])
      await designs
        .locator('iframe')
        .nth(n)
        .contentFrame()
        .getByRole('heading', { level: 1, name: 'Night Reads' })
        .waitFor();
    const links = await keep.evaluateAll((all) =>
      all.map((one) => (one as unknown as { pathname: string }).pathname),
    );
    const plans = await Promise.all(links.map((link) => record(link.split('/').at(-1) ?? '')));
    expect(plans.map(({ plan }) => plan?.spec?.palette?.look)).toEqual(['soft', 'crisp', 'editorial']);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      await shoot(page, `designs-${width}`);
      await expectToBeReadable();
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await keep.nth(1).click();
    await page.getByRole('tab', { name: 'Change it' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(links[1]);
    expect(watched.problems).toEqual([]);
  });

  it('what no kind serves is said before anything is built, with the choice', async () => {
    front.answer = (req, res) => {
      if (req.url !== '/api/factory/plan') return false;
      const asked: Buffer[] = [];
      req.on('data', (chunk: Buffer) => asked.push(chunk));
      req.on('end', () => {
        void fetch(app.url + req.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.concat(asked),
        })
          .then((answer) => answer.json() as Promise<object>)
          .then((plan) => {
            const { template_id } = JSON.parse(Buffer.concat(asked).toString()) as { template_id?: string };
            const message = 'There is no metronome among the families.';
            const unserved = template_id ? null : { head: 'metronome', nearest: ['timer'], message };
            const body = { ...plan, not_taken_up: template_id ? [] : ['blockchain'], unserved };
            res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
          });
      });
      return true;
    };
    await page.goto(front.url);
    await page.getByLabel('What should it be?').fill('a metronome on the blockchain');
    await page.getByRole('button', { name: 'look at the plan first' }).click();
    const plan = page.locator('[data-plan-first]');
    await plan.getByText('There is no metronome among the families.').waitFor();
    expect(await plan.locator('q').allTextContents()).toEqual(['blockchain']);
    await expectToBeReadable();
    await plan.getByRole('button', { name: 'Timer' }).click();
    await expect.poll(() => plan.locator('#first-kind').inputValue(), patient).toBe('timer');
    await expect.poll(() => plan.locator('.warning').count(), patient).toBe(0);
    front.answer = () => false;
    expect(watched.problems).toEqual([]);
  });

  it('what no kind serves is said above the app that was built instead, and another kind is one press away', async () => {
    // The page would ask; a program that does not want to be asked gets the nearest app.
    const built = await fetch(`${front.url}/api/factory/public-demo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'I want a theremin' }),
    });
    const first = built.headers.get('x-job-id') ?? '';
    await built.text();
    await page.goto(`${front.url}/#${first}`);
    await unfold();
    const honest = page.locator('.warning').filter({ hasText: 'theremin' }).first();
    await honest.waitFor();
    await expectToBeReadable();
    const choice = honest.getByRole('group', { name: 'What to build instead' });
    const { plan } = await record(first);
    const other = plan?.unserved?.nearest.find((kind) => kind !== plan?.spec?.kind) ?? '';
    await choice.locator(`[data-near="${other}"]`).click();
    await expect.poll(() => shownId(), patient).not.toBe(first);
    await expect.poll(async () => (await record(shownId())).plan?.spec?.kind, patient).toBe(other);
    await expect
      .poll(() => page.locator('.warning').filter({ hasText: 'theremin” is not' }).count(), patient)
      .toBe(0);
    expect(watched.problems).toEqual([]);
  });

  it.each([1280, 375])(
    'the page asks first what a prompt means that it is not sure of, %i pixels wide',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(front.url);
      await page.getByLabel('What should it be?').fill('minesweeper called "Boom"');
      await page.getByRole('button', { name: 'Build it' }).click();
      await heading('Is this what you mean?').waitFor();
      const asked = page.locator('[data-plan-first]');
      const cards = asked.getByRole('group', { name: 'Where to begin' }).getByRole('button');
      expect(await cards.count()).toBe(3);
      expect(await cards.locator('svg').count()).toBe(3);
      expect(await asked.locator('dl').textContent()).toContain('Boom');
      expect(await page.locator('[data-build]').isVisible()).toBe(false);
      expect(
        await page.evaluate<boolean>(
          'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
        ),
      ).toBe(true);
      await shoot(page, `asks-first-${width}`);
      await expectToBeReadable();
      const question = shownId();
      const kind = (await cards.nth(1).getAttribute('data-near')) ?? '';
      await cards.nth(1).click();
      await expect.poll(() => asked.locator('#first-kind').inputValue(), patient).toBe(kind);
      await asked.getByRole('button', { name: 'Build this plan' }).click();
      await inPreview('Boom').waitFor();
      expect((await record(shownId())).plan).toMatchObject({ kind, unserved: null });
      // The page of the question leads back to it.
      await page.goto(`${front.url}/factory/jobs/${question}`);
      await page.getByRole('link', { name: 'Choose what it should be' }).waitFor();
      expect(watched.problems).toEqual([]);
    },
  );

  describe('the page of a build', () => {
    /** Asks for a build as a program does. */
    async function posted(prompt: string): Promise<string> {
      const answer = await fetch(`${app.url}/api/factory/public-demo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': front.client },
        body: JSON.stringify({ prompt }),
      });
      await answer.body?.cancel();
      return answer.headers.get('x-job-id') ?? '';
    }

    it('shows how it goes on', async () => {
      const jobId = await posted('a journal, but wait');
      await page.goto(`${front.url}/factory/jobs/${jobId}`);
      await page.getByText('a journal, but wait').waitFor();
      expect(await page.locator('iframe').count()).toBe(0);
      await expect
        .poll(() => front.asked.filter((line) => line.includes('/events?after=0')).length, patient)
        .toBe(1);
      await shoot(page, 'job-running');
      staged.release();
      await done();
      await expectWholeBuild();
      expect(await page.title()).toMatch(/Journal.* · Switchyard/);
      expectNoTrouble();
    });

    it('says that a build is unknown or has expired', async () => {
      const missing = await page.goto(`${front.url}/factory/jobs/job_${'x'.repeat(26)}`);
      expect(missing?.status()).toBe(404);
      await heading('There is no such build').waitFor();
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
      await heading('This build has expired').waitFor();
      await shoot(page, 'expired');
      await page.goto(`${front.url}/#${jobId}`);
      await heading('This build has expired').waitFor();
      await shoot(page, 'expired-demo');
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
