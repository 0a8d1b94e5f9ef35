import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startApp, type TestApp } from './app.ts';
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
export async function barriers(page: Pick<Page, 'evaluate'>): Promise<string[]> {
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

/** A Chromium whose debugging port is open, as an operator gives one to the factory. */
export interface DebuggedBrowser {
  readonly address: string;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

export async function startDebuggedBrowser(): Promise<DebuggedBrowser> {
  const profile = mkdtempSync(path.join(tmpdir(), 'debugged-browser-'));
  const child = spawn(
    browserPath,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stderr)) {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1];
    if (port === undefined) continue;
    child.stderr.resume();
    return {
      address: `http://127.0.0.1:${port}`,
      async kill() {
        child.kill('SIGKILL');
        await exited;
        rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      },
    };
  }
  throw new Error('Chromium has ended before it opened its port.');
}

/** The application and the browser of a group of tests; they are there as soon as its first test runs. */
export interface Opened {
  readonly app: TestApp;
  readonly browser: Browser;
}

/** Opens both before the tests of the group that it is called in, and closes them after. */
export function openForAll(): Opened {
  let opened: Opened | null = null;
  beforeAll(async () => {
    const [app, browser] = await Promise.all([startApp(), launch()]);
    opened = { app, browser };
  });
  afterAll(async () => {
    await opened?.browser.close();
    await opened?.app.close();
  });
  const there = () => {
    if (opened === null) throw new Error('It is only there while tests run.');
    return opened;
  };
  return {
    get app() {
      return there().app;
    },
    get browser() {
      return there().browser;
    },
  };
}

/** What stands between a browser and the application, as a proxy would, and can fail as one. */
export interface Front {
  readonly url: string;
  /** Method and path of what was asked for. */
  readonly asked: string[];
  /** The address that requests come from; the application must trust one proxy. */
  client: string;
  /** Answers in place of the application; false leaves a request to it. */
  answer: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** Of the next stream of events so many are passed on, and then nothing more; null: all of them. */
  holdAfter: number | null;
  /** Breaks the connections of the streams that are held. */
  breakHeld(): void;
  close(): Promise<void>;
}

export async function openFront(appUrl: string): Promise<Front> {
  const { hostname, port } = new URL(appUrl);
  const held = new Set<ServerResponse>();
  const server = createServer((req, res) => {
    front.asked.push(`${req.method} ${req.url}`);
    if (front.answer(req, res)) return;
    const { method, url: path } = req;
    const headers = { ...req.headers, 'x-forwarded-for': front.client };
    const passed = request({ hostname, port, method, path, headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      if (front.holdAfter === null || !isStream(reply)) {
        reply.pipe(res);
        return;
      }
      held.add(res);
      passEvents(reply, res, front.holdAfter);
      front.holdAfter = null;
    });
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    client: '192.0.2.1',
    answer: () => false,
    holdAfter: null,
    breakHeld() {
      for (const res of held) res.destroy();
      held.clear();
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return front;
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false;
}

function passEvents(reply: IncomingMessage, res: ServerResponse, max: number): void {
  let rest = '';
  let left = max;
  res.flushHeaders();
  reply.setEncoding('utf8');
  reply.on('data', (text: string) => {
    const events = (rest + text).split(/(?<=\n\n)/);
    rest = events.at(-1)?.endsWith('\n\n') ? '' : (events.pop() ?? '');
    res.write(events.slice(0, left).join(''));
    left = Math.max(left - events.length, 0);
  });
}
