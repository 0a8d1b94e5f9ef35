/** The bell of timers is set ahead, and no game counts less than nothing. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../../helpers/browser.ts';
import { builtApps } from './built-apps.ts';

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
