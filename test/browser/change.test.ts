/** Apps that are changed on their page: by the form of the plan, by an instruction, and back again. */
import type { Browser, Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FactoryJob } from '../../generated/types.gen.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import {
  barriers,
  type Front,
  hasBrowser,
  launch,
  openFront,
  shoot,
  type Watched,
  watchedPage,
} from '../helpers/browser.ts';

// Each waits for several builds.
vi.setConfig({ testTimeout: 40_000 });
const patient = { timeout: 30_000 };

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  let app: TestApp;
  let browser: Browser;
  let front: Front;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    const factory = {
      concurrency: 2,
      demo: { builds: 100, windowMs: 60_000 },
      demoRevisions: 100,
      demoPlans: 100,
    };
    [app, browser] = await Promise.all([startApp({ factory, trustedProxies: 1 }), launch()]);
    front = await openFront(app.url);
  });
  afterAll(async () => {
    await browser.close();
    await front.close();
    await app.close();
  });
  beforeEach(async () => {
    front.client = '192.0.2.1';
    front.answer = () => false;
    watched = await watchedPage(browser);
    page = watched.page;
    page.setDefaultTimeout(30_000);
  });
  afterEach(() => page.close());

  const form = (on = page) => on.getByRole('form', { name: 'The plan of this app' });
  const label = (name: string, on = page) => form(on).getByLabel(name, { exact: true });
  const told = (on = page) => on.locator('#side-change [data-told]');
  const heading = (name: string, on = page) => on.getByRole('heading', { name, exact: true });
  const send = (on = page) => on.getByRole('button', { name: 'Build the changes' });
  const tab = (name: string, on = page) => on.getByRole('tab', { name });
  const said = () => page.locator('[data-announcements]').textContent();
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.dataset.path ?? document.activeElement.textContent',
    );
  const labelInShadow = 'document.activeElement.shadowRoot?.activeElement?.getAttribute("aria-label")';
  const shownId = (on = page) => new URL(on.url()).hash.slice(1);
  const labelsShown = (on = page) =>
    form(on)
      .locator('[data-items="/entity/fields"] > li [data-path$="/label"]')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
  const preview = (): FrameLocator => page.frameLocator('.window iframe:not([data-coming])');
  const inPreview = (name: string) => preview().getByRole('heading', { level: 1, name, exact: true });

  const record = async (id: string): Promise<FactoryJob> =>
    (await fetch(`${app.url}/api/factory/public-demo/${id}`)).json() as Promise<FactoryJob>;

  async function build(prompt: string, on = page): Promise<void> {
    await on.goto(front.url);
    await on.getByLabel('What should it be?').fill(prompt);
    await on.getByRole('button', { name: 'Build it' }).click();
    await unfold(on);
  }

  async function unfold(on = page): Promise<void> {
    await on.getByText('Edit the plan', { exact: true }).click();
    await label('Name', on).first().waitFor();
  }

  async function instruct(text: string): Promise<void> {
    await page.getByLabel('Say what to change').fill(text);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
  }

  async function expectToBeReadable(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await barriers(page), colorScheme).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
  }

  const books = 'a reading list called "Night Reads" with title, author and rating';

  it('the form changes an app, and the preview stays where it was', async () => {
    await page.setViewportSize({ width: 1280, height: 600 });
    await build(books);
    await inPreview('Night Reads').waitFor();
    const first = shownId();
    await page.evaluate(
      'addEventListener("message", ({ data }) => { window.placeY = data?.y ?? window.placeY; })',
    );
    const toldPlace = async () => {
      await preview().locator('body').evaluate('scrollTo({ top: 120, behavior: "instant" })');
      return page.evaluate('window.placeY');
    };
    await expect.poll(toldPlace, patient).toBe(120);
    await label('Name').first().fill('Zap');
    await page.getByRole('button', { name: 'Purple' }).click();
    expect(await form().locator('[data-form-note]').textContent()).toContain('not built yet');
    await send().click();
    await heading('Zap').waitFor();
    await inPreview('Zap').waitFor();
    expect(await page.locator('.window iframe').count()).toBe(1);
    await expect.poll(() => preview().locator('body').evaluate('scrollY'), patient).toBe(120);
    const { plan, revision } = await record(shownId());
    expect(plan?.spec).toMatchObject({ name: 'Zap', palette: { accent: '#7c3aed' } });
    expect(revision).toMatchObject({ number: 2, base_id: first, change: { type: 'patch' } });
    expect(await form().locator('[data-form-note]').textContent()).toBe('');
    expect(await page.locator('[data-part="family"]').textContent()).toContain('Revision 2');
    await shoot(page, 'changed');
    await expectToBeReadable();
    await page.goBack();
    await heading('Night Reads').waitFor();
    expect(watched.problems).toEqual([]);
  });

  it.each([1280, 375])('the picture is found by a word and chosen by keys, %i pixels wide', async (width) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setViewportSize({ width, height: 740 });
    await build(books);
    expect(asked.filter((url) => url.endsWith('/icons.json'))).toEqual([]);
    const picker = form().locator('.icon-picker');
    await picker.locator('summary').focus();
    await page.keyboard.press('Enter');
    const search = form().getByLabel('Search pictures');
    await search.waitFor();
    expect(await picker.getByRole('radio').count()).toBeGreaterThan(200);
    await search.focus();
    await page.keyboard.type('Hund');
    await picker.getByRole('radio', { name: 'dog', exact: true }).waitFor();
    expect(await picker.getByRole('status').textContent()).toMatch(/^\d pictures?$/);
    await expectToBeReadable();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await picker.locator('summary').textContent()).toMatch(/^Icon: [a-z-]+$/);
    await picker.getByRole('radio', { name: 'dog', exact: true }).check();
    await shoot(page, `icons-${width}`);
    await send().click();
    await told().getByText('The change is built.').waitFor();
    expect((await record(shownId())).plan?.spec?.icon).toBe('dog');
    expect(asked.filter((url) => url.endsWith('/icons.json'))).toHaveLength(1);
    expect(watched.problems).toEqual([]);
  });

  it('fields are added, typed, ordered by buttons and by dragging, and removed', async () => {
    await build(books);
    const [one = '', two = '', three = ''] = await labelsShown();
    await form()
      .getByRole('button', { name: `Move “${one}” down` })
      .click();
    expect(await labelsShown()).toEqual([two, one, three]);
    const grips = form().locator('[data-items="/entity/fields"] [data-grip]');
    const from = await grips.nth(2).boundingBox();
    const to = await grips.nth(0).boundingBox();
    if (!from || !to) throw new Error('there are no grips');
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 5, { steps: 5 });
    await page.mouse.up();
    expect(await labelsShown()).toEqual([three, two, one]);
    await form().getByRole('button', { name: 'Add a field' }).click();
    await page.keyboard.type('Shelf');
    await form().locator('#plan-entity-fields-3-type').selectOption('select');
    await form().locator('#plan-entity-fields-3-options').fill('Hall\nKitchen\n');
    await form()
      .getByRole('button', { name: `Remove “${two}”` })
      .click();
    expect(await labelsShown()).toEqual([three, one, 'Shelf']);
    await send().click();
    await told().getByText('The change is built.').waitFor();
    const { plan } = await record(shownId());
    expect(plan?.spec?.entity?.fields.map(({ label: name }) => name)).toEqual([three, one, 'Shelf']);
    expect(plan?.spec?.entity?.fields[2]).toMatchObject({ type: 'select', options: ['Hall', 'Kitchen'] });
    expect(watched.problems).toEqual([]);
  });

  it('works by keyboard alone, with the focus where the hand is', async () => {
    await build(books);
    const [one = '', two = ''] = await labelsShown();
    await form()
      .getByRole('button', { name: `Move “${one}” down` })
      .focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe(`Move “${one}” down`);
    await expect.poll(said, patient).toContain(`“${one}” is now at place 2 of 3.`);
    await page.keyboard.press('Enter');
    // At the end there is no way down.
    expect(await focused()).toBe(`Move “${one}” up`);
    await form()
      .getByRole('button', { name: `Remove “${two}”` })
      .focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toMatch(/^Remove /);
    await expect.poll(said, patient).toContain(`“${two}” was removed. 2 fields.`);
    await form().getByRole('button', { name: 'Add a field' }).focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('/entity/fields/2/label');
    await page.keyboard.type('Shelf');
    await page.keyboard.press('Enter');
    await told().getByText('The change is built.').waitFor();
    expect((await labelsShown()).at(-1)).toBe('Shelf');
    await tab('Change it').focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Details');
    expect(await page.locator('#side-details').isVisible()).toBe(true);
    expect(watched.problems).toEqual([]);
  });

  it('becomes an app of another kind, and back again', async () => {
    await build(books);
    const kind = async (id: string) => {
      await form().locator('#plan-kind').selectOption(id);
      await send().click();
      await expect.poll(async () => (await record(shownId())).plan?.spec?.kind, patient).toBe(id);
      await told().getByText('The change is built.').waitFor();
      return (await record(shownId())).plan?.spec;
    };
    expect((await kind('board'))?.entity?.fields.map(({ type }) => type)).toContain('select');
    expect(await form().getByLabel('Columns').inputValue()).toBe('To do\nDoing\nDone');
    expect((await kind('quiz'))?.entity).toBeNull();
    await form().getByRole('button', { name: 'Add a question' }).waitFor({ state: 'attached' });
    expect((await kind('tracker'))?.name).toBe('Night Reads');
    expect(watched.problems).toEqual([]);
  });

  it('fits a phone and can be read there', async () => {
    await page.setViewportSize({ width: 375, height: 740 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await build('website for the bakery "Crumb" at 12 Mill Street, open Tue-Sat 7-13');
    for (const group of await form().locator('details').all())
      await group.evaluate('(one) => { one.open = true }');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await shoot(page, 'change-phone');
    await expectToBeReadable();
    await form().getByRole('button', { name: 'Add a line' }).click();
    await page.keyboard.type('Sun');
    await form().getByLabel('Hours', { exact: true }).last().fill('8–12');
    await send().click();
    await told().getByText('The change is built.').waitFor();
    expect((await record(shownId())).plan?.spec?.hours).toContainEqual({ days: 'Sun', time: '8–12' });
    for (const name of ['Details', 'Code', 'History']) {
      await tab(name).click();
      await page.locator(`#side-${name.toLowerCase()} :is(select, ol, h3)`).first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(375);
      expect(await barriers(page), name).toEqual([]);
    }
    // A day and the time until it are pointed at as the day, and their numbers stay whole.
    await build('a birthday page for Mia on 12 May at 3 pm');
    const numbers = preview().locator('.countdown dd');
    await numbers.nth(3).waitFor();
    const heights = await numbers.evaluateAll((all) =>
      all.map((one) => (one as unknown as { offsetHeight: number }).offsetHeight),
    );
    expect(new Set(heights).size).toBe(1);
    await page.getByRole('button', { name: 'Point and change' }).click();
    await preview().getByRole('button', { name: 'Texts, day: May 12' }).last().waitFor();
    await shoot(page, 'event-phone');
    await preview().getByRole('button', { name: 'Texts, day: May 12' }).last().press('Enter');
    await instruct('change it to 13 June');
    await told().getByText('The change is built.').waitFor();
    expect((await record(shownId())).plan?.spec?.copy?.['day']).toBe('@06-13');
    expect(watched.problems).toEqual([]);
  });

  it('an instruction says what was understood and what was not, and leads to the form', async () => {
    await build(books);
    await instruct('make it green and sing a song');
    await told().getByText('Not done:').waitFor();
    expect(await told().locator('q').allTextContents()).toContain('sing a song');
    expect(await page.getByLabel('Say what to change').inputValue()).toBe('make it green and sing a song');
    expect(await told().locator('.understood').allTextContents()).toEqual(['The colour is now green.']);
    const id = shownId();
    expect((await record(id)).revision.change).toMatchObject({ type: 'instruction' });
    for (const [words, why] of [
      ['make it green', 'Nothing to change: the app is like this already.'],
      ['remove it', 'Not done: remove it: nothing here is called “it”.'],
    ] as const) {
      await instruct(words);
      await expect.poll(() => told().textContent(), patient).toBe(why);
      expect(shownId()).toBe(id);
    }
    await instruct('write me a poem about the sea');
    await expect
      .poll(() => told().locator('[data-tone="bad"]').textContent(), patient)
      .not.toContain('built');
    expect(shownId()).toBe(id);
    expect(await page.getByLabel('Say what to change').inputValue()).toBe('write me a poem about the sea');
    await shoot(page, 'instruction');
    await expectToBeReadable();
  });

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

  it('an error of the server stands at its field, and nothing typed is lost', async () => {
    await build(books);
    await label('Name').first().fill('Zap');
    await form().locator('#plan-entity-fields-0-type').selectOption('select');
    await send().click();
    await told().getByText('it says where').waitFor();
    const options = form().locator('#plan-entity-fields-0-options');
    expect(await options.getAttribute('aria-invalid')).toBe('true');
    expect(await form().locator('.field-problem').textContent()).toBe('This is required.');
    expect(await focused()).toBe('/entity/fields/0/options');
    expect(await label('Name').first().inputValue()).toBe('Zap');
    await shoot(page, 'wrong-field');
    await expectToBeReadable();
    await options.fill('Dune\nEmma');
    expect(await form().locator('.field-problem').count()).toBe(0);
    await page.context().setOffline(true);
    await send().click();
    await told().getByText('You are offline. What you entered is kept').waitFor();
    await page.context().setOffline(false);
    await send().click();
    await heading('Zap').waitFor();
  });

  it('of two that change an app the second sees the first, and can go on from it', async () => {
    await build(books);
    const id = shownId();
    const other = await watchedPage(browser);
    await other.page.goto(`${front.url}/#${id}`);
    await unfold(other.page);
    await label('Tagline', other.page).fill('For the night');
    await label('Name').first().fill('Zap');
    await send().click();
    await heading('Zap').waitFor();
    await send(other.page).click();
    await told(other.page).getByText('revision 2 is newer').waitFor();
    expect(await label('Tagline', other.page).inputValue()).toBe('For the night');
    await shoot(other.page, 'conflict');
    await other.page.getByRole('button', { name: 'Make my change on top of it' }).click();
    await told(other.page).getByText('The change is built.').waitFor();
    expect((await record(shownId(other.page))).plan?.spec).toMatchObject({
      name: 'Zap',
      tagline: 'For the night',
    });
    await other.page.close();
  });

  it('revisions are compared, shown and taken back, and one link follows the newest', async () => {
    await build(books);
    const first = shownId();
    await label('Name').first().fill('Zap');
    await send().click();
    await heading('Zap').waitFor();
    await tab('History').click();
    await page.getByRole('button', { name: 'Compare revision 1' }).click();
    await page.getByText('Name: “Night Reads” → “Zap”').waitFor();
    await page.locator('.file-name').first().click();
    expect(await page.locator('.diff [data-sort="added"]').allTextContents()).not.toEqual([]);
    await shoot(page, 'history');
    await expectToBeReadable();
    await page.getByRole('button', { name: 'Show revision 1' }).click();
    await heading('Night Reads').waitFor();
    await page.getByRole('button', { name: 'Show revision 2' }).click();
    await heading('Zap').waitFor();
    await page.getByRole('button', { name: 'Restore revision 1' }).click();
    await heading('Night Reads').waitFor();
    const third = shownId();
    expect((await record(third)).revision).toMatchObject({
      number: 3,
      change: { type: 'restore', restored: 1 },
    });
    const newest = await page.getByRole('link', { name: 'Link to the latest version' }).getAttribute('href');
    expect(newest).toBe(`/factory/jobs/${first}/newest`);
    await page.goto(front.url + newest);
    expect(page.url()).toBe(`${front.url}/factory/jobs/${third}`);
    await heading('Night Reads').waitFor();
    expect(watched.problems).toEqual([]);
  });

  it('files are read and copied', async () => {
    await build('a list called "<img src=x onerror=alert(1)>" with title');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: front.url });
    await tab('Code').click();
    const file = page.getByLabel('File', { exact: true });
    await file.selectOption('README.md');
    const shown = (await page.locator('#side-code code').textContent()) ?? '';
    expect(shown).toContain('#');
    await page.locator('#side-code').getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
    await file.selectOption('index.html');
    expect(await page.locator('#side-code code').textContent()).toMatch(/^<!doctype html>/i);
    expect(await page.locator('main img').count()).toBe(0);
    await shoot(page, 'code');
    await expectToBeReadable();
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
    await expect.poll(() => plan.locator('.honest').count(), patient).toBe(0);
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
    const honest = page.locator('.honest').filter({ hasText: 'theremin' }).first();
    await honest.waitFor();
    await expectToBeReadable();
    const choice = honest.getByRole('group', { name: 'What to build instead' });
    const { plan } = await record(first);
    const other = plan?.unserved?.nearest.find((kind) => kind !== plan?.spec?.kind) ?? '';
    await choice.locator(`[data-near="${other}"]`).click();
    await expect.poll(() => shownId(), patient).not.toBe(first);
    await expect.poll(async () => (await record(shownId())).plan?.spec?.kind, patient).toBe(other);
    await expect
      .poll(() => page.locator('.honest').filter({ hasText: 'theremin” is not' }).count(), patient)
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

  it('another network may look but not change, and is told so', async () => {
    await build(books);
    const id = shownId();
    front.client = '203.0.113.9';
    await page.goto(`${front.url}/factory/jobs/${id}`);
    await tab('Change it').click();
    await unfold();
    await label('Name').first().fill('Zap');
    await send().click();
    await told().getByText('only be revised from the network that started it').waitFor();
    expect(await label('Name').first().inputValue()).toBe('Zap');
  });
});
