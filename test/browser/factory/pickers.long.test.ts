/** Apps that let chance decide. */

import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../../helpers/browser.ts';
import { builtApps, specApps } from './built-apps.ts';

vi.setConfig({ testTimeout: 60_000 });

const animals = [
  'Cat',
  'Dog',
  'Cow',
  'Hen',
  'Pig',
  'Bee',
  'Fox',
  'Owl',
  'Ant',
  'Bat',
  'Elk',
  'Emu',
  'Eel',
  'Cod',
  'Yak',
  'Ape',
];

describe.skipIf(!hasBrowser)('pickers in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  it('draws each of a list once, keeps what was drawn, and takes it back', async () => {
    const { page, sound } = await opened({
      kind: 'picker',
      variant: 'list',
      name: 'Who is it',
      choices: ['Ana', 'Ben', 'Cem'],
    });
    await sound();
    for (let round = 0; round < 3; round++) await page.keyboard.press('n');
    const drawn = await page.locator('.drawn li strong').allTextContents();
    expect([...drawn].sort()).toEqual(['Ana', 'Ben', 'Cem']);
    expect(await page.locator('.figure').textContent()).toBe(drawn[0]);
    expect(await page.getByRole('button', { name: 'Draw' }).isDisabled()).toBe(true);
    await sound();
    await page.reload();
    expect(await page.locator('.drawn li strong').allTextContents()).toEqual(drawn);
    await page.getByLabel('Draw each only once').uncheck();
    await page.getByRole('button', { name: 'Draw' }).click();
    expect(await page.locator('.drawn li').count()).toBe(4);
    await page.keyboard.press('Control+z');
    expect(await page.locator('.drawn li').count()).toBe(3);
    await page.close();
  });

  it('begins without choices and takes them as lines', async () => {
    const { page, sound } = await opened({ kind: 'picker', variant: 'list', name: 'Wheel', lang: 'fr' });
    await sound();
    await page.getByRole('button', { name: 'Modifier les choix' }).click();
    await page.getByLabel('Un par ligne').fill('rouge\n\n  vert \n<b>bleu</b>');
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByRole('button', { name: 'Tirer au sort' }).click();
    expect(['rouge', 'vert', '<b>bleu</b>']).toContain(await page.locator('.figure').textContent());
    await page.close();
  });

  it('deals bingo cards without a square twice, marks them and says bingo', async () => {
    const { page, sound } = await opened({
      kind: 'picker',
      variant: 'bingo',
      name: 'Animal bingo',
      choices: animals,
      settings: { size: 4, cards: 2 },
    });
    await sound();
    expect(await page.locator('.bingo-card').count()).toBe(2);
    const squares = await page.locator('.bingo-card').first().locator('.squares button').allTextContents();
    expect([...squares].sort()).toEqual([...animals].sort());
    for (let at = 0; at < 4; at++) await page.locator(`[data-square="0-${at}"]`).press('Enter');
    await page.getByRole('heading', { name: 'Bingo!' }).waitFor();
    expect(await page.locator('[data-square="0-3"]').getAttribute('aria-pressed')).toBe('true');
    await page.reload();
    expect(await page.locator('.bingo-card').first().locator('.squares button').allTextContents()).toEqual(
      squares,
    );
    await page.getByLabel('Squares on a side').fill('5');
    await page.getByLabel('Squares on a side').blur();
    await page.getByText('A card needs 24 different choices; there are 16.').waitFor();
    await page.close();
  });

  it('makes passwords of the sorts that are wanted and keeps none', async () => {
    const { page, sound } = await opened({
      kind: 'picker',
      variant: 'password',
      name: 'Secrets',
      settings: { length: 20 },
    });
    const shown = () => page.locator('.secret').textContent();
    const first = (await shown()) ?? '';
    expect(first).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!#$%&*+\-=?@_]).{20}$/);
    await page.getByRole('button', { name: 'New password' }).click();
    expect(await shown()).not.toBe(first);
    await page.getByLabel('With signs').uncheck();
    await page.getByLabel('With digits').uncheck();
    expect(await shown()).toMatch(/^[a-zA-Z]{20}$/);
    await sound();
    const password = (await shown()) ?? 'none';
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(password);
    await page.close();
  });

  it('puts everybody into groups of nearly one size', async () => {
    const { page, sound } = await opened({
      kind: 'picker',
      variant: 'groups',
      name: 'Teams',
      lang: 'de',
      choices: animals.slice(0, 7),
      settings: { groups: 3 },
    });
    await page.getByRole('button', { name: 'Gruppen bilden' }).click();
    const sizes = await page
      .locator('.group')
      .evaluateAll((groups) => groups.map((group) => group.querySelectorAll('li').length));
    expect(sizes).toEqual([3, 2, 2]);
    const names = await page.locator('.group li').allTextContents();
    expect([...names].sort()).toEqual([...animals.slice(0, 7)].sort());
    await sound();
    await page.close();
  });

  it('makes more groups where too many would belong to one, and calls them by their name', async () => {
    const { page, sound } = await opened({
      kind: 'picker',
      variant: 'groups',
      name: 'Tische',
      lang: 'de',
      choices: animals.slice(0, 7),
      settings: { groups: 2, each: 3 },
      copy: { group: 'Tisch' },
    });
    await page.getByRole('button', { name: 'Gruppen bilden' }).click();
    const sizes = () =>
      page
        .locator('.group')
        .evaluateAll((groups) => groups.map((group) => group.querySelectorAll('li').length));
    expect(await sizes()).toEqual([3, 2, 2]);
    expect(await page.locator('.group h2').allTextContents()).toEqual(['Tisch 1', 'Tisch 2', 'Tisch 3']);
    await page.getByLabel('Höchstens je Gruppe').fill('2');
    await page.getByLabel('Höchstens je Gruppe').press('Enter');
    expect(await sizes()).toEqual([2, 2, 2, 1]);
    await sound();
    await page.close();
  });

  it('rolls dice and adds them up', async () => {
    const { page, sound } = await opened({
      kind: 'picker',
      variant: 'dice',
      name: 'Dice',
      settings: { dice: 3, sides: 6 },
    });
    await page.getByRole('button', { name: 'Roll' }).click();
    const eyes = (await page.locator('.die').allTextContents()).map(Number);
    expect(eyes).toHaveLength(3);
    expect(eyes.every((one) => one >= 1 && one <= 6)).toBe(true);
    expect(await page.locator('.figure').textContent()).toContain(
      `= ${eyes.reduce((sum, one) => sum + one, 0)}`,
    );
    await page.keyboard.press(' ');
    expect(await page.locator('.drawn li').count()).toBe(2);
    await sound();
    await page.close();
  });

  it.each(['en', 'de', 'es', 'fr'] as const)(
    'is sound in %s, under the policy of a preview',
    async (lang) => {
      const { page, sound } = await opened(
        { kind: 'picker', variant: 'groups', name: 'Teams', lang, choices: animals },
        375,
        'preview',
      );
      await sound();
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
      await page.close();
    },
  );
});

/** Metronome and chess clock. */

vi.setConfig({ testTimeout: 60_000 });

/** Writes down when clicks are set to sound, by the clock of the sound. */
const listening = `window.clicks = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { window.clicks.push([at, this.frequency.value]); return start.call(this, at); };`;

describe.skipIf(!hasBrowser)('beats and turns in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  it('a metronome sets its clicks evenly by the clock of the sound, the first of a bar higher', async () => {
    const { page, sound } = await opened({
      kind: 'timer',
      variant: 'metronome',
      name: 'Beat',
      settings: { beats: 240, bar: 3 },
    });
    await page.evaluate(listening);
    await page.getByRole('button', { name: 'Start' }).click();
    await expect.poll(() => page.evaluate('window.clicks.length')).toBeGreaterThanOrEqual(8);
    // A page that is busy for a while does not make it stumble.
    await page.evaluate('{ const until = performance.now() + 150; while (performance.now() < until); }');
    await expect.poll(() => page.evaluate('window.clicks.length')).toBeGreaterThanOrEqual(12);
    const clicks = (await page.evaluate('window.clicks')) as [number, number][];
    const gaps = clicks.slice(1).map(([at], index) => at - (clicks[index]?.[0] ?? 0));
    for (const gap of gaps) expect(gap).toBeCloseTo(0.25, 6);
    expect(clicks.slice(0, 4).map(([, pitch]) => pitch)).toEqual([1500, 1000, 1000, 1500]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Faster' }).click();
    expect(await page.locator('.clock').textContent()).toBe('241');
    await page.locator('h1').click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('.clock').textContent()).toBe('239');
    await sound();
    await page.reload();
    expect(await page.locator('.clock').textContent()).toBe('239');
    await page.close();
  });

  it('a chess clock runs for one side at a time, adds the increment, and stops', async () => {
    const { page, sound } = await opened({
      kind: 'timer',
      variant: 'chess',
      name: 'Clock',
      settings: { minutes: 5, increment: 10 },
    });
    await sound();
    const [first, second] = [page.locator('.side').nth(0), page.locator('.side').nth(1)];
    expect(await first.locator('.clock').textContent()).toBe('5:00');
    await second.click();
    expect(await first.getAttribute('aria-pressed')).toBe('true');
    expect(await second.getAttribute('aria-pressed')).toBe('false');
    // Not its turn: nothing changes.
    await second.click();
    expect(await first.getAttribute('aria-pressed')).toBe('true');
    await first.click();
    expect(await first.locator('.clock').textContent()).toMatch(/^5:(?:10|09)$/);
    expect(await first.textContent()).toContain('1 move');
    await page.getByRole('button', { name: 'Pause' }).click();
    const shown = await second.locator('.clock').textContent();
    expect(await second.getAttribute('aria-pressed')).toBe('false');
    expect(await second.locator('.clock').textContent()).toBe(shown);
    await page.getByRole('button', { name: 'Continue' }).click();
    await sound();
    await page.close();
  });

  it('a side without time has lost', async () => {
    const { page } = await opened({
      kind: 'timer',
      variant: 'chess',
      name: 'Clock',
      lang: 'de',
      settings: { minutes: 0.1, increment: 0 },
    });
    await page.clock.install();
    await page.reload();
    await page.keyboard.press(' ');
    await page.clock.runFor(6500);
    await page.locator('.side.lost').waitFor();
    expect(await page.locator('.side.lost').textContent()).toContain('Spieler 1');
    expect(
      await page
        .getByRole('button', { name: 'Fortsetzen' })
        .or(page.getByRole('button', { name: 'Weiter' }))
        .isDisabled(),
    ).toBe(true);
    await page.close();
  });

  it.each(['de', 'es', 'fr'] as const)(
    'both are sound in %s, under the policy of a preview',
    async (lang) => {
      for (const variant of ['metronome', 'chess']) {
        const { page, sound } = await opened({ kind: 'timer', variant, name: 'Time', lang }, 375, 'preview');
        await sound();
        expect(await page.locator('html').getAttribute('lang')).toBe(lang);
        await page.close();
      }
    },
  );
});

/** The bell of timers is set ahead, and no game counts less than nothing. */

vi.setConfig({ testTimeout: 30_000 });

/** In how many seconds each tone was set to begin, and how many were taken back; kept in the page. */
const listen = `
  globalThis.heard = { begin: [], stopped: 0 };
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    const tone = createOscillator.call(this);
    const [start, stop] = [tone.start.bind(tone), tone.stop.bind(tone)];
    tone.start = (when = 0) => {
      heard.begin.push(when - this.currentTime);
      start(when);
    };
    tone.stop = (when) => {
      if (when === undefined) heard.stopped++;
      stop(when);
    };
    return tone;
  };
`;
const heardIn = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { heard: { begin: number[]; stopped: number } }).heard);

describe.skipIf(!hasBrowser)('timers and games in Chromium (skipped where there is none)', () => {
  const { addressOf, blank, opened } = builtApps();

  it('a countdown sets its bell ahead, takes it back in a pause, and rings after a sleep', async () => {
    const { page, problems } = await blank();
    await page.clock.install();
    await page.addInitScript({ content: listen });
    await page.goto(await addressOf('5 minute countdown'));
    await page.getByRole('button', { name: 'Start' }).click();
    const { begin } = await heardIn(page);
    expect(begin).toHaveLength(6);
    expect(Math.round(Math.min(...begin))).toBe(300);
    await page.getByRole('button', { name: 'Pause' }).click();
    expect((await heardIn(page)).stopped).toBe(6);
    await page.getByRole('button', { name: 'Continue' }).click();
    // The device sleeps, and with it the clock of the sound.
    await page.clock.fastForward('05:00');
    await page.getByText('Time’s up!').waitFor();
    const after = await heardIn(page);
    expect(after.begin.slice(12).map(Math.floor)).toEqual([0, 0, 0, 0, 1, 1]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a snake that runs into the wall has no points, and not less', async () => {
    const page = await opened('snake');
    await page.keyboard.press('ArrowUp');
    const said = page.getByRole('status').filter({ hasText: /points/ });
    await said.waitFor();
    expect(await said.textContent()).toMatch(/: \d+ points/);
    await page.close();
  });
});
