/** Apps that are changed on their page: by the form of the plan, by an instruction, and back again. */
import { beforeEach, describe, expect, it } from 'vitest';
import { barriers, hasBrowser, shoot, watchedPage } from '../helpers/browser.ts';
import { openFactoryPages, patient } from '../helpers/factory-pages.ts';

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  const opened = openFactoryPages({
    factory: {
      concurrency: 2,
      demo: { builds: 100, windowMs: 60_000 },
      demoRevisions: 100,
      demoPlans: 100,
    },
  });
  let { browser, front, watched, page } = {} as ReturnType<typeof opened.now>;
  beforeEach(() => {
    ({ browser, front, watched, page } = opened.now());
  });

  const { form, label, told, heading, send, tab, said, focused, shownId, labelsShown } = opened;
  const { preview, inPreview, record, build, unfold, instruct, expectToBeReadable } = opened;

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
    // The app's message arrives after the key.
    await page.locator('[data-point-at]').waitFor();
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
