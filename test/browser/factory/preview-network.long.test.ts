/** No way leads from a preview to a foreign server: every one that works in an ordinary page is tried in previews. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FactoryJob } from '../../../generated/types.gen.ts';
import { startApp, type TestApp } from '../../helpers/app.ts';
import { hasBrowser, launch } from '../../helpers/browser.ts';
import { eventsIn, finalJob, postDemo, scripted, tinyApp } from '../../helpers/factory.ts';
import {
  type Attempt,
  allTried,
  attempts,
  clicked,
  openStranger,
  peerWays,
  type Stranger,
} from './ways-out.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let stranger: Stranger;
let app: TestApp;
let plain: Server;
let tried: ReadonlyMap<string, Attempt>;
const jobs = new Map<string, FactoryJob>();

const pageOf = (name: string) =>
  `<!doctype html><html lang="en"><head><title>${name}</title></head><body><h1>Way out</h1>${tried.get(name)?.body}</body></html>`;

beforeAll(async () => {
  if (!hasBrowser) return;
  stranger = await openStranger(peerWays);
  tried = attempts(stranger);
  app = await startApp({
    factory: {
      loadBuilder: async () => async (context) => {
        await scripted()(context);
        return { ...tinyApp, html: pageOf(context.prompt) };
      },
    },
  });
  plain = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    const name = request.url?.slice(1) ?? '';
    response.end(tried.has(name) ? pageOf(name) : '');
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  for (const name of tried.keys()) {
    jobs.set(name, finalJob(eventsIn((await postDemo(app, name)).text)));
  }
});
afterAll(async () => {
  if (!hasBrowser) return;
  await app.close();
  plain.close();
  await stranger.close();
});

const settings: readonly [string, (name: string) => string][] = [
  ['at the server’s own address', (name) => jobs.get(name)?.preview?.url ?? ''],
  ['on an origin of its own', (name) => jobs.get(name)?.preview?.origin_url ?? ''],
  ['in the page of its build', (name) => `${app.url}/factory/jobs/${jobs.get(name)?.id}`],
];

/** How long is waited for what must not happen, in milliseconds: all that happens in an ordinary page happens sooner. */
const patience = 1500;

/** Opens every page, clicks where it wants to be clicked, and gives the ways that have led to the stranger. */
async function reachedFrom(browser: Browser, address: (name: string) => string): Promise<string[]> {
  stranger.reached.clear();
  const left = [...tried];
  const contexts: BrowserContext[] = [];
  // One for each: pages that nobody looks at speculate about nothing.
  const newContext = async () => {
    const context = await browser.newContext();
    contexts.push(context);
    return context;
  };
  const next = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const [name, { body }] = one;
      if (body.includes('id="go"')) {
        // A click of a person, in whatever frame the app is.
        const frame = await openUntil(newContext, address(name), clicked);
        await frame.locator(clicked).click({ noWaitAfter: true });
      } else if (body.includes(allTried)) await openUntil(newContext, address(name), done);
      else await open(await (await newContext()).newPage(), address(name));
    }
  };
  await Promise.all(Array.from({ length: 6 }, next));
  await new Promise((resolve) => setTimeout(resolve, patience));
  await Promise.all(contexts.map((context) => context.close()));
  const known = new Set([...tried.values()].flatMap(({ ways }) => ways));
  return [...stranger.reached].filter((way) => known.has(way)).sort();
}

const done = `h1:text-is("${allTried}")`;

/** Those that end at once never finish to load. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' }).catch(() => undefined);
}

/** Opens a page and gives the frame that has such an element. One that a busy machine did not open is opened again. */
async function openUntil(
  newContext: () => Promise<BrowserContext>,
  url: string,
  selector: string,
): Promise<Frame> {
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    const page = await (await newContext()).newPage();
    await open(page, url);
    const frame = await frameWith(page, selector);
    if (frame) return frame;
    void page.close().catch(() => undefined);
  }
  throw new Error(`${url} shows no ${selector}`);
}

/** The frame in which there is such an element; null when it does not come within 15 seconds. */
async function frameWith(page: Page, selector: string): Promise<Frame | null> {
  const until = performance.now() + 15_000;
  while (performance.now() < until) {
    const found = await Promise.all(page.frames().map((frame) => has(frame, selector)));
    const frame = page.frames()[found.indexOf(true)];
    if (frame) return frame;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return null;
}

/** A frame that is on its way somewhere, or gone, may never answer. */
async function has(frame: Frame, selector: string): Promise<boolean> {
  const late = new Promise<number>((resolve) => setTimeout(() => resolve(0), 1000));
  const count = frame.locator(selector).count();
  return (await Promise.race([count.catch(() => 0), late])) > 0;
}

describe.skipIf(!hasBrowser)('ways out, in Chromium (skipped where there is none)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  it('all work in an ordinary page', { timeout: 600_000 }, async () => {
    const { port } = plain.address() as AddressInfo;
    const reached = await reachedFrom(browser, (name) => `http://127.0.0.1:${port}/${name}`);
    expect(reached).toEqual([...tried.values()].flatMap(({ ways }) => ways).sort());
  });

  it.each(settings)('none works in a preview %s', { timeout: 600_000 }, async (_place, address) => {
    expect(await reachedFrom(browser, address)).toEqual([]);
  });
});

/** Stands for the browsers that do not know `Connection-Allowlist`: frame, sandbox and guard alone. */
describe.skipIf(!hasBrowser)('ways out, in a Chromium without Connection-Allowlist', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(['--disable-features=ConnectionAllowlists']);
  });
  afterAll(() => browser.close());

  it.each(settings)('none works in a preview %s', { timeout: 600_000 }, async (_place, address) => {
    expect(await reachedFrom(browser, address)).toEqual([]);
  });
});
