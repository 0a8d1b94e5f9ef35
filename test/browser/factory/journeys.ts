import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** What a person does with an app of a template. `persists` tells whether entries outlive a reload. */
export type Journey = (page: Page, persists: boolean) => Promise<void>;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

/** Waits until a text is there, or is gone. */
async function sees(page: Page, text: string, there = true) {
  await page
    .getByText(text, { exact: false })
    .first()
    .waitFor({ state: there ? 'visible' : 'detached' });
}

async function exported(page: Page, entry: string): Promise<string> {
  await page.locator('.menu summary').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: entry }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

/** A visitor of the preview has no storage: the reload then shows the first entries again. */
async function reloaded(page: Page, entry: string | Locator, persists: boolean, tab?: string) {
  await page.reload();
  if (tab) await button(page, tab).click();
  const shown = typeof entry === 'string' ? page.getByText(entry) : entry;
  await expect.poll(() => shown.count()).toBe(persists ? 1 : 0);
}

const undo = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' }).click();

const tracker: Journey = async (page, persists) => {
  await page.getByRole('button', { name: /^Add / }).first().click();
  const dialog = page.getByRole('dialog');
  for (const input of await dialog.locator('input:not([type=checkbox]), textarea').all()) {
    const type = await input.getAttribute('type');
    const values: Record<string, string> = {
      number: '12.5',
      date: '2026-03-04',
      time: '09:30',
      email: 'a@b.org',
      tel: '123',
      url: 'https://example.org',
    };
    await input.fill(values[type ?? ''] ?? 'Zebra crossing');
  }
  for (const select of await dialog.locator('select').all()) await select.selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await sees(page, 'Zebra crossing');
  await page.getByRole('button', { name: 'Edit: Zebra crossing' }).click();
  await dialog.locator('input').first().fill('Giraffe');
  await page.keyboard.press('Enter');
  await sees(page, 'Giraffe');
  await page.getByRole('searchbox').fill('giraf');
  await sees(page, '1 of ');
  const csv = await exported(page, 'Export as CSV');
  expect(csv).toContain('Giraffe');
  await page.getByRole('searchbox').fill('nothing like this');
  await sees(page, 'Nothing found');
  await page.getByRole('searchbox').fill('');
  const filter = page.locator('.toolbar select').first();
  await filter.selectOption({ index: 1 });
  await filter.selectOption({ index: 0 });
  await page.getByRole('button', { name: 'Delete: Giraffe' }).click();
  const giraffe = page.getByRole('button', { name: 'Giraffe', exact: true });
  await giraffe.waitFor({ state: 'detached' });
  await undo(page);
  await giraffe.waitFor();
  await reloaded(page, giraffe, persists);
};

const board: Journey = async (page, persists) => {
  await button(page, /^Add /).click();
  await page.getByRole('dialog').locator('input').first().fill('Paint the fence');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: /^Move Paint the fence to In progress/ }).click();
  const lane = page.getByRole('region', { name: 'In progress' });
  await lane.getByText('Paint the fence').waitFor();
  await page.getByRole('button', { name: 'Paint the fence', exact: true }).press('ArrowRight');
  await page.getByRole('region', { name: 'Done' }).getByText('Paint the fence').waitFor();
  const card = page.locator('.ticket', { hasText: 'Paint the fence' });
  await card.dragTo(page.getByRole('region', { name: 'To do' }));
  await page.getByRole('region', { name: 'To do' }).getByText('Paint the fence').waitFor();
  expect(await exported(page, 'Export as CSV')).toContain('Paint the fence');
  await page.getByRole('button', { name: 'Delete: Paint the fence' }).click();
  await undo(page);
  await reloaded(page, 'Paint the fence', persists);
};

const dashboard: Journey = async (page, persists) => {
  const first = page.getByRole('textbox', { name: /, 1$/ }).first();
  await first.fill('Kickoff');
  await page.getByRole('spinbutton').first().fill('987654');
  await page.keyboard.press('Tab');
  await page.locator('.legend').getByText('US$987,654').waitFor();
  await button(page, 'Columns').click();
  expect(await page.locator('.plot-bar').count()).toBeGreaterThan(3);
  await button(page, 'Add row').click();
  await page.keyboard.type('Encore');
  await page.keyboard.press('Tab');
  expect(await exported(page, 'Export as CSV')).toContain('Kickoff');
  const remove = page.getByRole('button', { name: 'Delete: Kickoff' });
  await remove.click();
  await undo(page);
  await remove.waitFor();
  await reloaded(page, remove, persists);
};

const habits: Journey = async (page, persists) => {
  await button(page, 'Add habit').click();
  await page.getByRole('textbox').fill('Play the cello');
  await page.keyboard.press('Enter');
  const today = page.getByRole('button', { name: /^Play the cello, / }).last();
  await today.click();
  expect(await today.getAttribute('aria-pressed')).toBe('true');
  await page
    .getByRole('row', { name: /Play the cello/ })
    .getByText('1', { exact: true })
    .waitFor();
  await page.getByRole('button', { name: 'Play the cello', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await undo(page);
  expect(await exported(page, 'Export as CSV')).toContain('Play the cello');
  await reloaded(page, 'Play the cello', persists);
};

const quiz: Journey = async (page, persists) => {
  await button(page, 'Questions').click();
  await button(page, 'Add question').click();
  await page.getByLabel('Question', { exact: true }).fill('Who painted the fence?');
  await page.getByLabel('Right answer').fill('Tom');
  await page.getByLabel('Wrong answer 1').fill('Huck');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await sees(page, 'Who painted the fence?');
  await page.getByRole('button', { name: 'Delete: Who painted the fence?' }).click();
  await undo(page);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await button(page, /Start the quiz/).click();
  for (let left = 60; left > 0 && (await page.locator('.option').count()) > 0; left--) {
    await page.keyboard.press('1');
    await page.getByRole('button', { name: /Next question|See the result/ }).click();
  }
  await button(page, 'Once more').waitFor();
  await reloaded(page, 'Who painted the fence?', persists, 'Questions');
};

const flashcards: Journey = async (page, persists) => {
  await button(page, 'Turn over').click();
  await button(page, 'I knew it').click();
  await page.locator('.flashcard').click();
  await page.keyboard.press('1');
  await button(page, 'Turn over').waitFor();
  await button(page, 'Cards').click();
  await button(page, 'Add card').click();
  await page.getByLabel('Front').fill('moth');
  await page.getByLabel('Back').fill('polilla');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  expect(await exported(page, 'Export as CSV')).toContain('polilla');
  await reloaded(page, 'polilla', persists, 'Cards');
};

const calculator: Journey = async (page, persists) => {
  const before = await page.locator('.figure').textContent();
  await page.getByRole('spinbutton').first().fill('123');
  expect(await page.locator('.figure').textContent()).not.toBe(before);
  await button(page, 'Keep this result').click();
  await sees(page, 'Kept results');
  await reloaded(page, 'Kept results', persists);
};

const pocket: Journey = async (page, persists) => {
  for (const key of ['7', '×', '8']) await page.locator('.key', { hasText: key }).first().click();
  await page.keyboard.type('+2');
  await page.keyboard.press('Enter');
  expect(await page.locator('output').textContent()).toBe('58');
  await reloaded(page, page.locator('.history strong'), persists);
};

const quote: Journey = async (page, persists) => {
  await button(page, 'Add item').click();
  await page.keyboard.type('Scaffold');
  await page.getByRole('spinbutton', { name: 'Price' }).last().fill('1000');
  await page.keyboard.press('Tab');
  await sees(page, '1,000');
  const remove = page.getByRole('button', { name: 'Delete: Scaffold' });
  await remove.click();
  await undo(page);
  await remove.waitFor();
  await reloaded(page, remove, persists);
};

const converter: Journey = async (page) => {
  await button(page, 'Temperature').click();
  await page.getByRole('spinbutton', { name: 'Value' }).fill('100');
  expect(await page.locator('output').textContent()).toBe('212');
  await button(page, 'Swap').click();
  expect(await page.locator('output').textContent()).toBe('37.77778');
  await button(page, 'Currency').click();
  await page.getByLabel(/^Rate/).fill('2');
  expect(await page.locator('output').textContent()).toMatch(/^\D*200.00$/);
};

const timer: Journey = async (page) => {
  await button(page, 'Start').click();
  const clock = page.getByRole('timer');
  const at = await clock.textContent();
  await expect.poll(() => clock.textContent()).not.toBe(at);
  await button(page, 'Pause').click();
  await button(page, 'Continue').waitFor();
  await button(page, 'Reset').click();
  await button(page, 'Start').waitFor();
};

const site: Journey = async (page, persists) => {
  await page.getByRole('navigation').getByRole('link').last().click();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email or phone').fill('555');
  await page.getByLabel('Your message').fill('A table for two');
  await sees(page, 'This page has no server');
  await button(page, 'Keep the message').click();
  await sees(page, 'Thank you, Ada');
  if (persists) expect(await page.evaluate('JSON.stringify(localStorage)')).toContain('A table for two');
};

const portfolio: Journey = async (page, persists) => {
  const all = await page.locator('.work:visible').count();
  await button(page, 'Series').click();
  expect(await page.locator('.work:visible').count()).toBeLessThan(all);
  await site(page, persists);
};

const docs: Journey = async (page, persists) => {
  const title = await page.locator('summary h3').first().innerText();
  const [word = ''] = (title.match(/\p{L}+/gu) ?? []).sort((one, other) => other.length - one.length);
  await page.getByRole('searchbox').fill(word);
  await expect.poll(() => page.locator('mark').allInnerTexts()).toContain(word);
  await page.getByRole('searchbox').fill('');
  await button(page, 'Add article').click();
  await page.getByLabel('Title').fill('Where is the key?');
  await page.getByRole('dialog').getByLabel('Text').fill('Below the mat.');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const article = page.getByRole('heading', { name: 'Where is the key?' });
  await article.waitFor();
  await reloaded(page, article, persists);
};

const snake: Journey = async (page) => {
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => page.locator('.game-message').textContent()).toContain('points');
  await button(page, 'New game').click();
};

const blocks: Journey = async (page) => {
  const message = page.locator('.game-message');
  const figure = (label: string) =>
    page
      .locator('.stat', { has: page.getByText(label, { exact: true }) })
      .locator('dd')
      .textContent();
  await page.keyboard.press('ArrowLeft');
  await button(page, 'Pause').click();
  await sees(page, 'Paused');
  await button(page, 'Go on').click();
  // Pieces pile up where they come from and to the right of it, so it is soon over.
  for (let count = 0; count < 40 && !(await message.textContent()); count++) {
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(' ');
  }
  await expect.poll(() => message.textContent()).toContain('points');
  const reached = Number(await figure('Points'));
  expect(reached).toBeGreaterThan(20);
  await button(page, 'New game').click();
  expect(Number(await figure('Best'))).toBe(reached);
  expect(Number(await figure('Points'))).toBe(0);
};

const ticTacToe: Journey = async (page) => {
  await button(page, /^Field 1/).click();
  expect(await page.locator('.cell.O').count()).toBe(1);
  await page.getByLabel('Opponent').selectOption('friend');
  for (const field of [1, 4, 2, 5, 3]) await button(page, new RegExp(`^Field ${field}`)).click();
  await sees(page, 'X wins!');
};

const memory: Journey = async (page) => {
  const tiles = page.locator('.memory .tile');
  const seen = new Map<string, number>();
  const count = await tiles.count();
  for (let at = 0; at < count; at++) {
    await tiles.nth(at).click();
    const picture = (await tiles.nth(at).textContent()) ?? '';
    const other = seen.get(picture);
    seen.set(picture, at);
    if (other === undefined) continue;
    await tiles.nth(at === count - 1 ? 0 : at).click();
  }
  expect(seen.size).toBe(count / 2);
};

const slide: Journey = async (page, persists) => {
  const state = () => page.locator('.grid-2048').getAttribute('aria-label');
  const before = await state();
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  const after = await state();
  expect(after).not.toBe(before);
  await page.reload();
  expect((await state()) === after).toBe(persists);
};

const form: Journey = async (page, persists) => {
  await page.getByLabel(/^Name/).fill('Ada Lovelace');
  await page.getByLabel('Email').fill('ada@example.org');
  await button(page, 'Send').click();
  await sees(page, 'Thank you!');
  await button(page, 'Answers').click();
  await sees(page, 'Ada Lovelace');
  await page.getByRole('button', { name: /^Delete: Ada/ }).click();
  await undo(page);
  expect(await exported(page, 'Export as CSV')).toContain('Ada Lovelace');
  await reloaded(page, 'Ada Lovelace', persists, 'Answers');
};

const poll: Journey = async (page) => {
  await page.getByRole('radio').first().check();
  await button(page, 'Send').click();
  await sees(page, '1 (100 %)');
  await undo(page);
  await sees(page, 'No answers yet');
};

const notes: Journey = async (page, persists) => {
  await button(page, /^New (note|entry)/).click();
  await page.getByLabel('Title').fill('Harbour walk');
  await page.getByLabel('Text').fill('Gulls and rain #walks');
  await page.keyboard.press('Tab');
  await button(page, '#walks').click();
  expect(await page.locator('.note-item').count()).toBe(1);
  await button(page, '#walks').click();
  expect(await exported(page, 'Export as text')).toContain('Gulls and rain');
  await page.locator('.editor').getByRole('button', { name: 'Delete' }).click();
  await undo(page);
  const note = page.locator('.note-item', { hasText: 'Harbour walk' });
  await note.waitFor();
  await reloaded(page, note, persists);
};

const event: Journey = async (page, persists) => {
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('How many of you?').fill('3');
  await page.locator('form').getByRole('button').click();
  await sees(page, '3 guests');
  await page.getByRole('button', { name: 'Delete: Ada' }).click();
  await undo(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Save the date').click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('BEGIN:VEVENT');
  await reloaded(page, '3 guests', persists);
};

/** One journey for each template, or for a variant that is another tool. */
export const journeys: Readonly<Record<string, Journey>> = {
  tracker,
  board,
  dashboard,
  habits,
  quiz,
  flashcards,
  calculator,
  'calculator/basic': pocket,
  'calculator/quote': quote,
  converter,
  timer,
  landing: site,
  portfolio,
  docs,
  'game/snake': snake,
  'game/tictactoe': ticTacToe,
  'game/memory': memory,
  'game/2048': slide,
  'game/blocks': blocks,
  form,
  'form/poll': poll,
  notes,
  event,
};
