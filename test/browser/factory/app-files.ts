import type { Page } from 'playwright-core';

/** Chooses an entry of the menu of an app. */
export async function menu(page: Page, name: string): Promise<void> {
  await page.locator('.menu summary').click();
  await page.locator('.menu').getByRole('button', { name }).click();
}

/** Where the file lies that a click downloads. */
export async function downloaded(page: Page, click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return download.path();
}

/** Takes a file into an app. */
export async function imported(page: Page, file: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), menu(page, 'Import a file')]);
  await chooser.setFiles(file);
}
