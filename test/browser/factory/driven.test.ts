/** Apps that a model has written, tried in a browser before they are delivered. The eight are what a strong model wrote. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { parse } from 'yaml';
import { openDrive } from '../../../src/factory/drive/drive.ts';
import { beyondKinds } from '../../../src/factory/model/planned.ts';
import type { Must } from '../../../src/factory/plan/design.ts';
import { type DebuggedBrowser, hasBrowser, startDebuggedBrowser } from '../../helpers/browser.ts';
import { root } from '../../helpers/contract.ts';
import { noticesIn, outline } from '../../helpers/factory-build.ts';
import { boundaryIn, kindOf, lastMessage, questionsTo } from '../../helpers/vendor-answers.ts';
import { changed, marketSpec, modelSetup, written } from '../../unit/factory/model/market-app.ts';

interface Recording {
  readonly prompt: string;
  readonly plan: { readonly must: readonly Must[]; readonly conflicts?: readonly string[] };
  readonly files: Readonly<Record<string, string>>;
}

const recordings = Object.entries<Recording>(
  parse(readFileSync(path.join(root, 'test/fixtures/factory-model.yaml'), 'utf8')),
);

let browser: DebuggedBrowser;

const driveAt = (address: string, onFailure?: (error: unknown) => void) =>
  openDrive({ address, patience: 10, ...(onFailure && { onFailure }) });

/** Builds with a model that plans and writes what was recorded, and repairs as is said. */
async function built(
  { prompt, plan, files }: Recording,
  mended: Readonly<Record<string, string>> = files,
  drive = driveAt(browser.address),
) {
  const { gateway, build } = await modelSetup({
    prompt,
    act: (question) => {
      if (kindOf(question) === 'plan') return JSON.stringify(plan);
      return written(kindOf(question) === 'repair' ? mended : files, boundaryIn(question));
    },
  });
  const { app, reports } = await build({ drive });
  const found = app.checks.flatMap(({ problems }) => problems.map(({ id, message }) => `${id} ${message}`));
  const driven = app.checks.filter(({ id }) => id.startsWith('drive.'));
  return { gateway, app, reports, found, driven };
}

const market = (
  must: readonly unknown[],
  files = changed('index.html', '<title>', '<title>'),
): Recording => ({
  prompt: 'a list of what to buy at the market',
  plan: { ...marketSpec, must } as unknown as Recording['plan'],
  files,
});

/** A page whose script does this as it loads. */
const doing = (script: string) =>
  changed('src/app.js', "document.getElementById('hint').hidden = persistent;", `${script}\n`);

describe.skipIf(!hasBrowser)('an app is driven before it is delivered', () => {
  beforeAll(async () => {
    browser = await startDebuggedBrowser();
  });
  afterAll(() => browser.kill());

  test('seven of the eight that were recorded pass as they are, each with its picture', async () => {
    const sound = recordings.filter(([name]) => name !== 'tile-count');
    expect(sound).toHaveLength(7);
    for (const [name, recording] of sound) {
      const { app, reports, found, driven } = await built(recording);
      expect(
        found.filter((text) => !text.startsWith('security.password')),
        name,
      ).toEqual([]);
      expect(
        noticesIn(reports).filter((notice) => notice !== beyondKinds),
        name,
      ).toEqual([]);
      expect(
        driven.map(({ status }) => status),
        name,
      ).toEqual(Array(6).fill('passed'));
      expect([...(app.picture ?? [])].slice(1, 4), name).toEqual([...Buffer.from('PNG')]);
    }
  });

  test('fields across each other are found, sent back with where they stand, and mended', async () => {
    const [, recording] = recordings.find(([name]) => name === 'tile-count') ?? [];
    if (!recording) throw new Error('there is no such recording');
    const style = `${recording.files['src/style.css']}\n.box input { min-width: 0; width: 100%; }\n.group { grid-template-columns: 1fr; }\n.field { min-width: 0; }\n`;
    const { gateway, reports, found } = await built(recording, { 'src/style.css': style });
    expect(questionsTo(gateway.vendor)).toBe('plan write repair');
    const asked = gateway.vendor.requests.map(lastMessage).at(-1) ?? '';
    expect(asked).toContain(
      '<input#length> “Room length” and <input#width> “Room width” lie across each other.',
    );
    expect(asked).toContain('[drive.layout] in src/style.css');
    expect(asked).toContain('"must":[');
    // This model sees.
    expect(JSON.stringify(gateway.vendor.requests.at(-1)?.body)).toContain('data:image/png;base64,');
    expect(found).toEqual([]);
    expect(outline(reports)).toBe(
      'planning spec generating verifying repairing repair verifying repaired packaging',
    );
  });

  test('what has to be so and is not goes to the model; where it cannot mend it, the app is delivered and says so', async () => {
    const { gateway, reports, found } = await built(
      market([
        {
          say: 'A thing can be added',
          steps: [{ fill: 'Thing', with: 'Plums' }, { key: 'Enter' }, { see: 'Plums' }],
        },
        { say: 'It sings', steps: [{ press: 'Sing\'); alert("' }, { see: '<b>la</b>' }] },
        { say: 'It is kind', steps: [{ hug: 'me' }] },
        {
          say: 'It stays',
          steps: [{ fill: 'Thing', with: 'Figs' }, { press: 'Add' }, { reload: true }, { see: 'Figs' }],
        },
      ]),
    );
    expect(questionsTo(gateway.vendor)).toBe('plan write repair');
    expect(noticesIn(reports)).toEqual([
      'The model could not repair its files; the app is delivered with what a browser has found: see its checks.',
    ]);
    expect(found.map((text) => text.slice(0, 40))).toEqual([
      'drive.must “It sings”: step 1, {"press":',
      'drive.must “It is kind”: step 1, {"uncle',
    ]);
  });

  test('what is said of an app is of the files that are delivered, and of what was tried', async () => {
    const overlapping = changed('src/app.css', 'main {', 'label + label { margin-left: -40px; }\n\nmain {');
    const worse = {
      ...overlapping,
      'src/app.css': `${overlapping['src/app.css']}\nmain { color: #777777; background: #888888; }\n`,
    };
    const { app, reports } = await built(market([], overlapping), worse);
    const last = new Map(
      reports.flatMap((report) =>
        report.type === 'check' ? [[report.result.id, report.result.status]] : [],
      ),
    );
    expect(app.checks.map(({ id }) => [id, last.get(id)])).toEqual(
      app.checks.map(({ id, status }) => [id, status]),
    );
    expect([last.get('drive.load'), last.get('drive.layout'), last.get('drive.must')]).toEqual([
      'passed',
      'warning',
      undefined,
    ]);
    const { checks } = await driveAt(browser.address)(
      { html: app.html, must: [], stylesheet: null, lookOnly: true },
      new AbortController().signal,
    );
    expect(checks.map(({ id }) => id)).toEqual([
      'drive.load',
      'drive.layout',
      'drive.storage',
      'drive.network',
    ]);
  });

  test('an app that does not open is not delivered, and one that asks the network gets nothing', async () => {
    const strays: string[] = [];
    const server = createServer((request, response) => {
      strays.push(request.url ?? '');
      response.end();
    });
    server.on('upgrade', (_request, socket) => {
      strays.push('socket');
      socket.destroy();
    });
    const port = await listening(server);
    // What hangs does so however long one waits.
    const impatient = openDrive({ address: browser.address });
    const loops = await built(market([], doing('for (;;) {}')), undefined, impatient);
    expect(noticesIn(loops.reports)).toEqual([
      "The model could not repair its files; the app is made from a template, with the model's plan.",
    ]);
    const html = `<!doctype html><html lang="en"><title>x</title><h1>x</h1><script>
      const to = '127.0.0.1:${port}/';
      fetch('http://' + to + 'fetch').catch(() => {});
      new Image().src = 'http://' + to + 'image';
      navigator.sendBeacon('http://' + to + 'beacon');
      new WebSocket('ws://' + to);
      open('http://' + to + 'window');
      location = 'http://' + to + 'location';
    </script></html>`;
    const asks = await driveAt(browser.address)(
      { html, must: [], stylesheet: null },
      new AbortController().signal,
    );
    expect(asks.checks.find(({ id }) => id === 'drive.network')?.status).toBe('failed');
    expect(strays).toEqual([]);
  });

  test('controls of all sorts stand well in the look that apps are given, without a style of their own', async () => {
    const page = changed(
      'index.html',
      '<ul id="list"',
      `<label>Sort <select><option>Fruit</option></select></label>
      <label>Day <input type="date"></label><label>More <textarea></textarea></label><label><input type="checkbox"> Organic</label>
      <p class="switch" role="group" aria-label="Show"><button type="button" id="all" aria-pressed="true">All</button>
        <button type="button" id="open" aria-pressed="false">To buy</button></p>
      <h2>Things</h2><p><small>As you like.</small> <a href="#list">To the list</a></p><ul id="list"`,
    );
    const files = {
      'index.html': (page['index.html'] ?? '').replace('src/app.css', 'src/kit/base.css'),
      'src/app.js': `document.getElementById('all').onclick = document.getElementById('open').onclick = () => {};\n${page['src/app.js']}`,
    };
    const plan = { ...marketSpec, files: Object.keys(files).map((path) => ({ path, purpose: '' })) };
    const { app, found } = await built({ prompt: 'x', plan: plan as unknown as Recording['plan'], files });
    expect(found).toEqual([]);
    const folder = process.env['SCREENSHOTS'];
    if (folder) writeFileSync(path.join(folder, 'base.png'), app.picture ?? '');
  });

  test('the Tab key goes through the parts of dates, and a control that keeps it is found', async () => {
    const keyboardOf = async (script: string) => {
      const html = `<!doctype html><html lang="en"><title>x</title><h1>x</h1><label>When <input type="datetime-local"></label>
        <label>Until <input type="date"></label><button>One</button><button>Two</button><button>Three</button><script>${script}</script></html>`;
      const app = { html, must: [], stylesheet: null };
      const { checks } = await driveAt(browser.address)(app, new AbortController().signal);
      return checks.find(({ id }) => id === 'drive.keyboard');
    };
    expect(await keyboardOf('')).toMatchObject({ status: 'passed' });
    const keeps = "document.querySelector('button').onkeydown = (event) => event.preventDefault();";
    const [found] = (await keyboardOf(keeps))?.problems ?? [];
    expect(found?.message).toBe('The Tab key does not leave the control after 3 of 5.');
  });

  test('a browser that is away, hangs, crashes or babbles costs the app nothing but the trial, and is told', async () => {
    const away = createServer();
    const port = await listening(away);
    await new Promise((resolve) => away.close(resolve));
    // Takes the connection, and never says a word.
    const silent = createServer();
    const silentPort = await listening(silent);
    const babbling = await listening(babbler());
    const crashing = await startDebuggedBrowser();
    onTestFinished(() => crashing.kill());
    let killed = false;
    const crash = driveAt(crashing.address);
    const failures: unknown[] = [];
    const cases: Record<string, ReturnType<typeof openDrive>> = {
      'The browser cannot be reached.': driveAt(`http://127.0.0.1:${port}`, (error) => failures.push(error)),
      'The browser cannot be reached. ': driveAt(`http://127.0.0.1:${silentPort}`),
      'The browser cannot be reached.  ': driveAt(`http://127.0.0.1:${babbling}`, (error) =>
        failures.push(error),
      ),
      'The browser has sent something that cannot be read.': driveAt(`ws://127.0.0.1:${babbling}/text`),
      'The browser has sent something that cannot be read. ': driveAt(`ws://127.0.0.1:${babbling}/events`),
      'The browser does not say what it is.': openDrive({ address: `ws://127.0.0.1:${babbling}/results` }),
      'The browser has broken off.': (app, signal) => {
        const driven = crash(app, signal);
        driven.catch(() => {});
        killed = true;
        // Somewhere on the way: whatever it does then has no end.
        void openedIn(crashing).then(() => crashing.kill());
        return driven;
      },
    };
    for (const [why, drive] of Object.entries(cases)) {
      const { reports, driven, found } = await built(
        market([{ say: 'x', steps: Array(10).fill({ see: 'Thing' }) }]),
        undefined,
        drive,
      );
      const [notice = '', ...others] = noticesIn(reports);
      expect(others).toEqual([]);
      expect(notice).toMatch(
        /^The browser (?:cannot be reached|has (?:broken off|failed|sent something that cannot be read)|does not (?:answer \S+|say what it is))\. The app was not tried in it; every other check holds\.$/,
      );
      if (why !== 'The browser has broken off.') expect(notice).toContain(why.trim());
      expect(driven).toEqual([]);
      expect(found).toEqual([]);
      expect(reports).toContainEqual(expect.objectContaining({ type: 'notice', code: 'not_driven' }));
    }
    expect(killed).toBe(true);
    expect(failures).toEqual([
      expect.anything(),
      expect.objectContaining({ cause: new Error('it says more than is read') }),
    ]);
  });
});

/** Resolves when an app is open in the browser. */
async function openedIn({ address }: DebuggedBrowser): Promise<void> {
  await expect
    .poll(async () => (await (await fetch(`${address}/json/list`)).text()).includes('https://app.invalid/'), {
      timeout: 60_000,
    })
    .toBe(true);
}

/** Answers without end where it is, and each command with what no browser would: no JSON, events without their parts, empty results. */
function babbler(): Server {
  const server = createServer((_request, response) => {
    const more = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', more);
    };
    more();
  });
  new WebSocketServer({ server }).on('connection', (socket, { url }) => {
    socket.on('message', (command) => {
      const { id, sessionId = 'x' } = JSON.parse(String(command)) as { id: number; sessionId?: string };
      socket.send(url === '/text' ? '<html>' : JSON.stringify({ id, result: {} }));
      if (url === '/events') socket.send(JSON.stringify({ method: 'Log.entryAdded', sessionId }));
    });
  });
  return server;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
