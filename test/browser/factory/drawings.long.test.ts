/** Sheets to draw on, freely or in squares. */
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { read } from '../../../src/factory/read/read.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';
import { hasBrowser } from '../../helpers/browser.ts';
import { downloaded, imported, menu, specApps } from './built-apps.ts';

vi.setConfig({ testTimeout: 60_000 });

const pad: Partial<AppSpec> = { kind: 'drawing', variant: 'pad', name: 'Sketches' };

/** Draws through points that are given in parts of the sheet, from 0 to 1. */
async function draw(page: Page, points: readonly (readonly [number, number])[]): Promise<void> {
  const { x, y, width, height } = await boxOf(page);
  for (const [at, [right, down]] of points.entries()) {
    await page.mouse.move(x + right * width, y + down * height, { steps: at === 0 ? 1 : 5 });
    if (at === 0) await page.mouse.down();
  }
  await page.mouse.up();
}

async function boxOf(page: Page) {
  await page.locator('canvas').scrollIntoViewIfNeeded();
  const box = await page.locator('canvas').boundingBox();
  if (!box) throw new Error('there is no canvas');
  return box;
}

/** The colour at a place of the sheet, as `r,g,b,a`. */
const colourAt = (page: Page, right: number, down: number) =>
  page.evaluate<string>(`(() => {
    const canvas = document.querySelector('canvas');
    const at = [Math.floor(${right} * canvas.width), Math.floor(${down} * canvas.height)];
    return [...canvas.getContext('2d').getImageData(...at, 1, 1).data].join();
  })()`);

const clear = '0,0,0,0';
const black = '31,35,40,255';
const red = '217,45,32,255';

describe.skipIf(!hasBrowser)('a drawing pad in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  it('draws with the mouse, takes back, redoes, and keeps the strokes', async () => {
    const { page, sound } = await opened(pad, 1200);
    await sound();
    expect(await page.locator('#sheet-state').textContent()).toBe('The sheet is empty');
    await draw(page, [
      [0.2, 0.5],
      [0.8, 0.5],
    ]);
    await page.getByRole('button', { name: 'Red', exact: true }).click();
    await page.getByRole('button', { name: 'Very thick' }).click();
    await draw(page, [
      [0.3, 0.2],
      [0.3, 0.8],
    ]);
    expect(await page.locator('#sheet-state').textContent()).toBe('2 strokes');
    expect(await colourAt(page, 0.6, 0.5)).toBe(black);
    expect(await colourAt(page, 0.3, 0.7)).toBe(red);
    expect(await colourAt(page, 0.6, 0.7)).toBe(clear);
    await page.keyboard.press('Control+z');
    expect(await colourAt(page, 0.3, 0.7)).toBe(clear);
    expect(await colourAt(page, 0.6, 0.5)).toBe(black);
    await page.reload();
    expect(await colourAt(page, 0.6, 0.5)).toBe(black);
    await page.keyboard.press('Control+y');
    expect(await colourAt(page, 0.3, 0.7)).toBe(red);
    expect(await page.getByRole('button', { name: 'Red', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    expect(await page.getByRole('button', { name: 'Redo' }).isDisabled()).toBe(true);
    await sound();
    await page.close();
  });

  it('rubs out, clears with a way back, and draws by keyboard', async () => {
    const { page, problems } = await opened(pad, 1200);
    await draw(page, [
      [0.2, 0.5],
      [0.8, 0.5],
    ]);
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Very thick' }).click();
    await draw(page, [
      [0.5, 0.3],
      [0.5, 0.7],
    ]);
    expect(await colourAt(page, 0.5, 0.5)).toBe(clear);
    expect(await colourAt(page, 0.7, 0.5)).toBe(black);
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await colourAt(page, 0.7, 0.5)).toBe(clear);
    expect(await page.locator('#sheet-state').textContent()).toBe('The sheet is empty');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    expect(await colourAt(page, 0.7, 0.5)).toBe(black);
    expect(await page.locator('#sheet-state').textContent()).toBe('2 strokes');
    await page.getByRole('button', { name: 'Green' }).click();
    await page.locator('canvas').focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press(' ');
    await page.keyboard.press('Shift+ArrowUp');
    expect(await page.locator('#sheet-state').textContent()).toBe('4 strokes');
    expect(await colourAt(page, 0.5 + 10 / 1600, (600 - 60 + 10) / 1200)).toBe('44,160,44,255');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('draws with two fingers at once, and a pen as hard as it is pressed', async () => {
    const { page, problems } = await opened(pad, 375);
    const { x, y, width, height } = await boxOf(page);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    const finger = (id: number, right: number, down: number) => ({
      id,
      x: Math.round(x + right * width),
      y: Math.round(y + down * height),
    });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', down: number | null) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: down === null ? [] : [finger(1, 0.2, down), finger(2, 0.8, down)],
      });
    const scrolled = await page.evaluate('scrollY');
    await touch('touchStart', 0.1);
    for (const down of [0.2, 0.3, 0.4, 0.5]) await touch('touchMove', down);
    // One finger leaves; what the other has drawn so far stays where it is.
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [finger(2, 0.8, 0.5)] });
    expect(await page.locator('#sheet-state').textContent()).toBe('1 stroke');
    expect(await colourAt(page, 0.2, 0.3)).toBe(black);
    expect(await colourAt(page, 0.8, 0.3)).toBe(black);
    await touch('touchEnd', null);
    expect(await page.locator('#sheet-state').textContent()).toBe('2 strokes');
    expect(await colourAt(page, 0.2, 0.3)).toBe(black);
    expect(await colourAt(page, 0.8, 0.3)).toBe(black);
    expect(await page.evaluate('scrollY')).toBe(scrolled);
    for (const [right, force] of [
      [0.4, 0.1],
      [0.6, 1],
    ] as const) {
      const pen = {
        x: x + right * width,
        y: y + 0.7 * height,
        button: 'left',
        pointerType: 'pen',
        force,
      } as const;
      await session.send('Input.dispatchMouseEvent', {
        ...pen,
        type: 'mousePressed',
        buttons: 1,
        clickCount: 1,
      });
      await session.send('Input.dispatchMouseEvent', { ...pen, type: 'mouseReleased', clickCount: 1 });
    }
    const widths = await page.evaluate<number[]>(
      "Object.entries(localStorage).filter(([key]) => key.endsWith('/drawing')).flatMap(([, text]) => JSON.parse(text).done.slice(2).map(({ press }) => press[0]))",
    );
    expect(widths).toHaveLength(2);
    expect(widths[1]).toBeGreaterThan((widths[0] ?? 0) + 50);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('loses nothing when the window changes, and lies in it at every width', async () => {
    const { page, sound } = await opened(pad, 1200);
    await draw(page, [
      [0.1, 0.9],
      [0.9, 0.9],
    ]);
    for (const [width, height] of [
      [375, 740],
      [1600, 500],
      [1200, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect
        .poll(() =>
          page.evaluate(
            "(({ width, clientWidth }) => Math.abs(width - clientWidth))(document.querySelector('canvas'))",
          ),
        )
        .toBeLessThan(2);
      expect(await colourAt(page, 0.5, 0.9), String(width)).toBe(black);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const { width: wide, height: high } = await boxOf(page);
      expect(wide / high).toBeCloseTo(4 / 3, 1);
    }
    await sound();
    await page.close();
  });

  it('saves a picture with the pixels of the drawing on white', async () => {
    const { page } = await opened(pad, 1200);
    await page.getByRole('button', { name: 'Red', exact: true }).click();
    await draw(page, [
      [0.25, 0.5],
      [0.75, 0.5],
    ]);
    const file = await downloaded(page, () =>
      page.locator('.tray').getByRole('button', { name: 'Save as PNG' }).click(),
    );
    const bytes = await readFile(file);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    const pixels = await page.evaluate<string[]>(`(async () => {
      const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (char) => char.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext('2d');
      context.drawImage(picture, 0, 0);
      const at = (x, y) => [...context.getImageData(x, y, 1, 1).data].join();
      return [picture.width + 'x' + picture.height, at(800, 600), at(800, 300)];
    })()`);
    expect(pixels).toEqual(['1600x1200', red, '255,255,255,255']);
    await page.close();
  });

  it('brings a backup back, and takes nothing from files that are none', async () => {
    const { page, problems } = await opened(pad, 1200);
    await draw(page, [
      [0.2, 0.5],
      [0.8, 0.5],
    ]);
    const file = await downloaded(page, () => menu(page, 'Save a backup'));
    const backup = JSON.parse(await readFile(file, 'utf8'));
    expect(backup).toMatchObject({ kind: 'drawing', variant: 'pad', width: 1600, height: 1200 });
    await page.evaluate('localStorage.clear()');
    await page.reload();
    expect(await colourAt(page, 0.5, 0.5)).toBe(clear);
    const hostile = path.join(tmpdir(), `drawing-${process.pid}.json`);
    const [stroke] = backup.done;
    for (const wrong of [
      'no JSON',
      '[]',
      JSON.stringify({ ...backup, variant: 'pixels' }),
      JSON.stringify({ ...backup, width: 1e9 }),
      JSON.stringify({ ...backup, done: 'strokes' }),
      JSON.stringify({ ...backup, done: [{ ...stroke, colour: 'url(https://example.com)' }] }),
      JSON.stringify({ ...backup, done: [{ ...stroke, points: [1, null] }] }),
      JSON.stringify({ ...backup, done: [null] }),
    ]) {
      await writeFile(hostile, wrong);
      await page.evaluate("document.querySelector('.toast')?.remove()");
      await imported(page, hostile);
      await page.getByText('Nothing in this file fits').waitFor();
    }
    await imported(page, file);
    await page.getByText('The drawing has been opened').waitFor();
    expect(await colourAt(page, 0.5, 0.5)).toBe(black);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    expect(await colourAt(page, 0.5, 0.5)).toBe(clear);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('fills whole squares of pixel art without gaps, and saves them on nothing', async () => {
    const { spec } = read('pixel art editor 8x8');
    expect(spec).toMatchObject({ kind: 'drawing', variant: 'pixels', settings: { size: 8 } });
    const { page, sound } = await opened(spec);
    await page.getByRole('button', { name: 'Red', exact: true }).click();
    await draw(page, [
      [1 / 16, 1 / 16],
      [15 / 16, 15 / 16],
    ]);
    for (let at = 0; at < 8; at++) expect(await colourAt(page, (at + 0.5) / 8, (at + 0.5) / 8)).toBe(red);
    expect(await colourAt(page, 0.5 / 8, 1.5 / 8)).toBe(clear);
    await page.keyboard.press('e');
    await page.locator('canvas').focus();
    await page.keyboard.press(' ');
    expect(await colourAt(page, 4.5 / 8, 4.5 / 8)).toBe(clear);
    await sound();
    await page.close();
  });

  it('prints the sheet alone', async () => {
    const { page } = await opened(pad, 1200);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('canvas').isVisible()).toBe(true);
    for (const other of ['.top', '.tray', '.below'])
      expect(await page.locator(other).isVisible()).toBe(false);
    await page.close();
  });

  it.each(['en', 'de', 'es', 'fr', 'it', 'pt'] as const)(
    'is sound in %s at 375 px, under the policy of a preview',
    async (lang) => {
      const { page, sound } = await opened({ ...pad, lang }, 375, 'preview');
      await draw(page, [
        [0.2, 0.5],
        [0.8, 0.5],
      ]);
      expect(await colourAt(page, 0.5, 0.5)).toBe(black);
      await sound();
      await page.close();
    },
  );
});
