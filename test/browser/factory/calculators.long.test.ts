/** Calculators and converters reckon with what stands in their fields, or say what is wrong with it. */
import { describe, expect, it, vi } from 'vitest';
import { read } from '../../../src/factory/read/read.ts';
import { barriers, hasBrowser } from '../../helpers/browser.ts';
import { builtApps } from './built-apps.ts';

vi.setConfig({ testTimeout: 30_000 });

describe.skipIf(!hasBrowser)('calculators in Chromium (skipped where there is none)', () => {
  const { opened } = builtApps();

  it.each([
    ['tip calculator', 'people', ['0', '2.5'], ['At least 1.', 'Only whole numbers.']],
    ['tip calculator', 'bill', ['-20', ''], ['At least 0.', 'Write a number here.']],
    ['Trinkgeldrechner', 'people', ['0', '2.5'], ['Mindestens 1.', 'Nur ganze Zahlen.']],
    ['calculadora de propinas', 'people', ['0', '2.5'], ['Como mínimo, 1.', 'Solo números enteros.']],
    ['calculateur de pourboire', 'people', ['0', '2.5'], ['Au moins 1.', 'Seulement des nombres entiers.']],
    ['BMI calculator', 'height', ['20', '300'], ['From 50 to 260.', 'From 50 to 260.']],
    ['loan calculator', 'years', ['0', '2.1'], ['From 1 to 100.', 'In steps of 0.25.']],
    ['discount calculator', 'discount', ['101', '-1'], ['From 0 to 100.', 'From 0 to 100.']],
    ['VAT calculator', 'rate', ['-5', '1e300'], ['At least 0.', 'At most 1,000,000,000,000.']],
    ['fuel cost calculator', 'people', ['1.5', '0'], ['Only whole numbers.', 'At least 1.']],
    ['age calculator', 'birth', ['2999-01-01', ''], ['From Jan 1, 1900 to ', 'Choose a day here.']],
  ])('%s claims nothing about a wrong value: %s', async (prompt, key, wrong, hints) => {
    const page = await opened(prompt);
    const field = page.locator(`#in-${key}`);
    const right = await field.inputValue();
    const before = await page.locator('.figure').textContent();
    for (const [at, value] of wrong.entries()) {
      await field.fill(value);
      expect(await page.locator(`#in-${key}-hint`).textContent()).toContain(hints[at]);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('.figure').count()).toBe(0);
    }
    await field.fill(right);
    expect(await field.getAttribute('aria-invalid')).toBe('false');
    expect(await page.locator('.field-hint:visible').count()).toBe(0);
    expect(await page.locator('.figure').textContent()).toBe(before);
    await page.close();
  });

  it('a quote claims nothing of a negative quantity or a discount of more than everything', async () => {
    const items = [
      { title: 'Walls', price: '$120' },
      { title: 'Ceiling', price: '$85.50' },
    ];
    const page = await opened({
      ...read('quote calculator for a painter').spec,
      sections: [{ type: 'items', title: 'Work', items }],
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const quantity = page.getByRole('spinbutton', { name: 'Quantity' }).first();
    const discount = page.getByRole('spinbutton', { name: 'Discount' });
    for (const [field, value, right] of [
      [quantity, '-2', '2'],
      [quantity, '', '2'],
      [discount, '120', '10'],
    ] as const) {
      await field.fill(value);
      await field.blur();
      await page.locator('.field-hint:visible').waitFor();
      expect(await field.inputValue()).toBe(value);
      expect(await page.locator('.totals .figure').count()).toBe(0);
      for (const theme of ['light', 'dark']) {
        await page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
        expect(await barriers(page), theme).toEqual([]);
      }
      await field.fill(right);
      await field.blur();
      await page.locator('.totals .figure').waitFor();
    }
    await page.close();
  });

  it('a converter claims nothing below nought, below the coldest, and with a rate of nought', async () => {
    const page = await opened('unit converter');
    const value = page.getByRole('spinbutton', { name: 'Value' });
    const result = page.locator('output');
    const hint = page.locator('.field-hint:visible');
    await value.fill('-3');
    expect(await hint.textContent()).toBe('At least 0.');
    expect(await result.textContent()).toBe('–');
    await page.getByRole('button', { name: 'Temperature' }).click();
    expect(await result.textContent()).not.toBe('–');
    await value.fill('-300');
    expect(await hint.textContent()).toBe('At least -273.15.');
    expect(await result.textContent()).toBe('–');
    await value.fill('0.001');
    expect(await page.getByRole('heading', { name: '0.001' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Currency' }).click();
    await page.getByLabel(/^Rate/).fill('0');
    expect(await hint.textContent()).toBe('More than 0.');
    expect(await result.textContent()).toBe('–');
    await page.close();
  });
});
