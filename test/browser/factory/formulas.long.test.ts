/** Calculators that reckon by a formula of their plan. */
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../../helpers/browser.ts';
import { specApps } from './spec-apps.ts';

vi.setConfig({ testTimeout: 60_000 });

const paint = {
  inputs: [
    { key: 'width', label: 'Width', unit: 'm', value: 4, min: 0 },
    { key: 'height', label: 'Height', unit: 'm', value: 2.5, min: 0 },
    { key: 'coverage', label: 'Square metres a litre', value: 8, min: 0 },
    { key: 'price', label: 'Price of a litre', unit: 'EUR', value: 9.5, min: 0 },
  ],
  results: [
    { key: 'litres', label: 'Paint', expression: 'width * height / coverage', unit: 'l', decimals: 2 },
    { key: 'cans', label: 'Cans of 2.5 litres', expression: 'ceil(litres / 2.5)' },
    { key: 'cost', label: 'Cost', expression: 'litres * price', unit: 'EUR' },
  ],
};

describe.skipIf(!hasBrowser)('formulas in Chromium (skipped where there is none)', () => {
  const { opened } = specApps();

  it.each(['en', 'de', 'es', 'fr'] as const)(
    'in %s reckon with what is typed, and say what is wrong',
    async (lang) => {
      const { page, sound } = await opened({
        kind: 'calculator',
        variant: 'formula',
        name: 'Paint',
        currency: 'EUR',
        lang,
        formula: paint,
      });
      const digits = async () => (await page.locator('.calc-result').textContent())?.replace(/,/g, '.');
      expect(await digits()).toContain('1.25 l');
      expect(await digits()).toMatch(/11\.8[78]/);
      await sound();
      await page.getByLabel('Width (m)').fill('40');
      expect(await digits()).toContain('12.50 l');
      expect(await digits()).toMatch(/Cans of 2.5 litres5/);
      await page.getByLabel('Square metres a litre').fill('0');
      expect(await digits()).toContain('–');
      await page.getByLabel('Width (m)').fill('-1');
      expect(await page.getByLabel('Width (m)').getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('.figure').count()).toBe(0);
      await sound();
      await page.close();
    },
  );

  it('keeps a result over a reload', async () => {
    const { page } = await opened({
      kind: 'calculator',
      variant: 'formula',
      name: 'Paint',
      currency: 'EUR',
      formula: paint,
    });
    await page.getByLabel('Width (m)').fill('8');
    await page.getByRole('button', { name: 'Keep this result' }).click();
    await page.reload();
    expect(await page.getByLabel('Width (m)').inputValue()).toBe('8');
    expect(await page.locator('.kept li').textContent()).toContain('2.50 l');
    await page.close();
  });
});
