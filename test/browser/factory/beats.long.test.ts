/** Metronome and chess clock. */
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../../helpers/browser.ts';
import { specApps } from './spec-apps.ts';

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
