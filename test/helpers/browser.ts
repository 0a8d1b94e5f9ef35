import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { root } from './contract.ts';

export const browserPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether there is a browser to test with. Under CI a missing one is a failure, elsewhere a reason to skip. */
export const hasBrowser = existsSync(browserPath) || process.env['CI'] !== undefined;

/**
 * Chromium without its own background traffic, which would mix with what the pages ask for.
 * @param further more arguments for it
 */
export function launch(further: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...further,
    ],
  });
}

export interface Watched {
  readonly page: Page;
  /** Every address that the page asked for, `blob:` and `data:` left out. */
  readonly requests: string[];
  /** Console errors, uncaught exceptions and violations of the page's policy. */
  readonly problems: string[];
}

/** A page whose requests and problems are written down. */
export async function watchedPage(browser: Browser, width = 1280, height = 900): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(30_000);
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) requests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().includes('Content Security Policy'))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, requests, problems };
}

const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe finds that is in the way of people with disabilities, as `rule: element`. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Takes a picture of the whole page, into the folder that `SCREENSHOTS` names, if it names one. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
