/** Apps that let chance decide. */
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../../helpers/browser.ts';
import { specApps } from './spec-apps.ts';

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
