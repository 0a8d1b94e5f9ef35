import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type BuiltApp, buildApp, buildFromSpec } from '../../../src/factory/build-app.ts';
import { read } from '../../../src/factory/read/read.ts';
import type { AppSpec, SeedRow } from '../../../src/factory/spec.ts';
import { barriers, launch, shoot, type Watched, watchedPage } from '../../helpers/browser.ts';
import { wholeSpec } from '../../helpers/factory-build.ts';

export interface BuiltApps {
  /** Builds an app, from a prompt or a spec, and opens it in a window of this width. */
  opened(what: string | AppSpec, width?: number, setting?: Setting): Promise<Page>;
  /** A window without an app. */
  blank(): Promise<Watched>;
  /** Where an app that is built for it can be opened. */
  addressOf(what: string | AppSpec, setting?: Setting): Promise<string>;
}

/** A browser and a server of built apps, there while the tests of the suite run that calls this. */
export function browserAndApps(): { readonly browser: Browser; readonly apps: BuiltAppServer } {
  const opened = {} as { browser: Browser; apps: BuiltAppServer };
  beforeAll(async () => {
    [opened.browser, opened.apps] = await Promise.all([launch(), serveBuiltApps()]);
  });
  afterAll(async () => {
    await opened.browser.close();
    await opened.apps.close();
  });
  return opened;
}

/** A browser, and built apps in it, for the tests of the suite that calls this. */
export function builtApps(): BuiltApps {
  const opened = browserAndApps();
  const addressOf = async (what: string | AppSpec, setting: Setting = 'origin') =>
    opened.apps.address(await (typeof what === 'string' ? buildApp(what) : buildFromSpec(what)), setting);
  return {
    addressOf,
    blank: () => watchedPage(opened.browser),
    async opened(what, width = 1280, setting = 'origin') {
      const { page } = await watchedPage(opened.browser, width, 740);
      await page.goto(await addressOf(what, setting));
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}

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

/** An entry by the labels of its fields. */
export type Entry = Readonly<Record<string, string | number | boolean>>;

/** The app of a prompt, which begins with these entries. Throws for a label that it has no field for. */
export function withEntries(prompt: string, entries: readonly Entry[]): AppSpec {
  const { spec } = read(prompt);
  const keyOf = (label: string) => {
    const field = spec.entity?.fields.find((one) => one.label === label);
    if (!field) throw new Error(`the app of ${JSON.stringify(prompt)} has no field ${label}`);
    return field.key;
  };
  const seed = entries.map(
    (entry): SeedRow =>
      Object.fromEntries(Object.entries(entry).map(([label, value]) => [keyOf(label), value])),
  );
  return { ...spec, seed };
}

/** The ways in which people open a build. */
export type Setting = 'preview' | 'origin' | 'file';

/** The policy under which previews are served: sandboxed, no network, no origin. */
export const previewPolicy =
  "sandbox allow-scripts allow-forms allow-modals allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

export interface BuiltAppServer {
  address(app: BuiltApp, setting: Setting): string;
  /** Requests for anything but the pages themselves; there must be none. */
  readonly strays: string[];
  close(): Promise<void>;
}

/** Serves builds under the preview's policy and plainly, and unpacks archives into a folder. */
export async function serveBuiltApps(): Promise<BuiltAppServer> {
  const pages = new Map<string, string>();
  const strays: string[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'builds-'));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const html = pages.get(pathname);
    if (html === undefined) strays.push(pathname);
    const policy = pathname.startsWith('/preview/')
      ? { 'content-security-policy': previewPolicy, 'referrer-policy': 'no-referrer' }
      : {};
    response.writeHead(html === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      ...policy,
    });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let count = 0;
  return {
    strays,
    address(app, setting) {
      count++;
      if (setting === 'file') {
        const file = path.join(folder, `${count}.html`);
        writeFileSync(file, strFromU8(unzipSync(app.package.zip)['index.html'] ?? new Uint8Array()));
        return `file://${file}`;
      }
      const pathname = `/${setting}/${count}/`;
      pages.set(pathname, app.html);
      return `http://127.0.0.1:${port}${pathname}`;
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

export interface OpenedApp {
  readonly page: Page;
  /** What the page asked for and complained about so far. */
  readonly problems: readonly string[];
  /** The page is sound as it stands: no complaint, no barrier in light or dark, nothing wider than the window. */
  sound(): Promise<void>;
}

export interface SpecApps {
  opened(parts: Partial<AppSpec>, width?: number, setting?: Setting): Promise<OpenedApp>;
}

/** Apps built from specs, in a browser, for the tests of the suite that calls this. */
export function specApps(): SpecApps {
  const opened = browserAndApps();
  return {
    async opened(parts, width = 375, setting = 'origin') {
      const spec = wholeSpec(parts);
      const { page, problems } = await watchedPage(opened.browser, width, 740);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.goto(opened.apps.address(await buildFromSpec(spec), setting));
      await page.getByRole('heading', { level: 1, name: spec.name }).waitFor();
      const sound = async () => {
        for (const theme of ['light', 'dark']) {
          await page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
          expect(await barriers(page), theme).toEqual([]);
        }
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
        expect(problems).toEqual([]);
        expect(opened.apps.strays.filter((path) => path !== '/favicon.ico')).toEqual([]);
        await shoot(page, `${spec.kind}-${spec.variant}-${spec.lang}`);
      };
      return { page, problems, sound };
    },
  };
}
