// Over 300 lines: one page of a browser, whose parts share its connection.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { untilAborted } from '../../lib/timers.ts';
import { BrowserAway, CommandRefused, type DevTools, type DevToolsEvent } from './devtools.ts';

/** The page has stopped answering: it is the app's fault as long as its browser answers. */
export class PageHangs extends Error {
  override readonly name = 'PageHangs';
}

/** Where apps seem to be: a name that nobody can have, on which everything a secure page may do is possible. */
const origin = 'https://app.invalid';
/** Time that a page has for whatever it is asked, in milliseconds. */
const pageMs = 4_000;

const probe = readFileSync(path.join(import.meta.dirname, 'in-page.js'), 'utf8');

export interface PageOptions {
  readonly html: string;
  readonly width: number;
  readonly height: number;
  /** Whether it may keep things, as on an origin of its own; without it stands in a sandbox as a preview does. */
  readonly storage: boolean;
}

/** A node of the accessibility tree. */
export interface AxNode {
  readonly role: string;
  readonly name: string;
  readonly node: number;
}

type Argument = { readonly value: unknown } | { readonly objectId: string };

/** An app in a page of a browser profile that nothing else has, and that is thrown away with it. */
export class DrivenPage {
  readonly #tools: DevTools;
  readonly #options: PageOptions;
  readonly #context: string;
  readonly #session: string;
  readonly #unlisten: () => void;
  /** The world of the probe, and the probe in it. */
  #world: { readonly id: number; readonly probe: string } | null = null;
  #loaded: (() => void) | null = null;
  /** What the page complained about and asked for, in its order. */
  readonly faults: { readonly kind: 'error' | 'logged' | 'network'; readonly text: string }[] = [];

  private constructor(tools: DevTools, options: PageOptions, context: string, session: string) {
    this.#tools = tools;
    this.#options = options;
    this.#context = context;
    this.#session = session;
    this.#unlisten = tools.listen((event) => {
      if (event.sessionId === session) this.#heard(event);
    });
  }

  static async open(tools: DevTools, options: PageOptions): Promise<DrivenPage> {
    // Whatever is not answered from here meets a proxy that is not there: sockets, windows and look-ups of names, too.
    const { browserContextId } = await tools.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: 'http://127.0.0.1:9',
      proxyBypassList: '<-loopback>',
    });
    const context = String(browserContextId);
    const { targetId } = await tools.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: context,
    });
    const { sessionId } = await tools.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new DrivenPage(tools, options, context, String(sessionId));
    await tools.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: context });
    await page.#send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    for (const domain of ['Page', 'Runtime', 'Log', 'DOM', 'Accessibility'])
      await page.#send(`${domain}.enable`);
    await page.resize(options.width, options.height);
    return page;
  }

  get patience(): number {
    return this.#tools.patience;
  }

  resize(width: number, height: number): Promise<unknown> {
    return this.#send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  /** Opens the app, and waits until it stands. */
  async load({ fresh = false } = {}): Promise<void> {
    if (fresh) {
      // An app may keep something as it is left.
      await this.#opened(() => this.#send('Page.navigate', { url: 'about:blank' }));
      await this.#send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    }
    await this.#opened(() => this.#send('Page.navigate', { url: `${origin}/` }));
  }

  async reload(): Promise<void> {
    await this.#opened(() => this.#send('Page.reload'));
  }

  async #opened(open: () => Promise<unknown>): Promise<void> {
    this.#world = null;
    const late = AbortSignal.timeout(pageMs * this.patience);
    const loaded = new Promise<void>((resolve) => {
      this.#loaded = resolve;
    });
    await open();
    await untilAborted(loaded, late).catch(() => this.#hangs('The page does not finish loading.'));
    await this.settled();
  }

  /** Waits until what was begun has been drawn. */
  async settled(): Promise<void> {
    await this.#evaluated('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 30)))');
  }

  /** Asks the page something in the world of the probe. */
  async ask<Answer>(what: string, ...given: readonly Argument[]): Promise<Answer> {
    const { probe: objectId } = await this.#probe();
    const { result, exceptionDetails } = (await this.#inPage('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function (...given) { return this.${what}(...given); }`,
      arguments: given,
      returnByValue: true,
    })) as { result: { value: Answer }; exceptionDetails?: unknown };
    if (exceptionDetails) throw new CommandRefused(`The page could not be asked for its ${what}.`);
    return result.value;
  }

  /** An element in the world of the probe, as something to ask it about. */
  async element(node: number): Promise<Argument> {
    const { id } = await this.#probe();
    const { object } = (await this.#send('DOM.resolveNode', {
      backendNodeId: node,
      executionContextId: id,
    })) as {
      object: { objectId: string };
    };
    return { objectId: object.objectId };
  }

  /** What assistive technology hears of the page, in its order. */
  async heard(): Promise<AxNode[]> {
    const { nodes } = (await this.#inPage('Accessibility.getFullAXTree', {})) as {
      nodes: {
        ignored: boolean;
        role?: { value: string };
        name?: { value: string };
        backendDOMNodeId?: number;
      }[];
    };
    return nodes.flatMap(({ ignored, role, name, backendDOMNodeId: node }) =>
      ignored || node === undefined || !name?.value
        ? []
        : [{ role: role?.value ?? '', name: name.value, node }],
    );
  }

  focus(node: number): Promise<unknown> {
    return this.#send('DOM.focus', { backendNodeId: node });
  }

  async click({ x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
      await this.#inPage('Input.dispatchMouseEvent', {
        type,
        x,
        y,
        button: type === 'mouseMoved' ? 'none' : 'left',
        clickCount: 1,
      });
    await this.settled();
  }

  async type(text: string): Promise<void> {
    await this.#inPage('Input.insertText', { text });
  }

  async key(name: string): Promise<void> {
    const key = name === 'Space' ? ' ' : name;
    const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
    const code = codes[key] ?? (key.length === 1 ? key.toUpperCase().charCodeAt(0) : 0);
    const about = { key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: code };
    await this.#inPage('Input.dispatchKeyEvent', {
      type: text ? 'keyDown' : 'rawKeyDown',
      ...about,
      ...(text && { text }),
    });
    await this.#inPage('Input.dispatchKeyEvent', { type: 'keyUp', ...about });
  }

  /** What can be seen of it now, as PNG. */
  async picture(): Promise<Uint8Array> {
    const { data } = await this.#inPage('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  async close(): Promise<void> {
    this.#unlisten();
    await this.#tools
      .send('Target.disposeBrowserContext', { browserContextId: this.#context })
      .catch(() => {});
  }

  async #probe() {
    if (this.#world) return this.#world;
    const { frameTree } = (await this.#send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
    const { executionContextId } = await this.#inPage('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
    });
    const id = Number(executionContextId);
    const { result } = (await this.#inPage('Runtime.evaluate', { expression: probe, contextId: id })) as {
      result: { objectId: string };
    };
    this.#world = { id, probe: result.objectId };
    return this.#world;
  }

  async #evaluated(expression: string): Promise<void> {
    await this.#inPage('Runtime.evaluate', { expression, awaitPromise: true });
  }

  #send(method: string, params: Readonly<Record<string, unknown>> = {}) {
    return this.#tools.send(method, params, this.#session);
  }

  /** Has the page itself do something. Throws `PageHangs` where it does not, although its browser answers. */
  async #inPage(method: string, params: Readonly<Record<string, unknown>>) {
    try {
      return await this.#tools.send(method, params, this.#session, pageMs);
    } catch (thrown) {
      if (!(thrown instanceof BrowserAway)) throw thrown;
      return this.#hangs('The page has stopped answering.', thrown);
    }
  }

  /** Throws `PageHangs`, or what the browser throws: then the page may not be at fault. */
  async #hangs(why: string, cause?: unknown): Promise<never> {
    await this.#tools.assertThere();
    throw new PageHangs(why, { cause });
  }

  #heard({ method, params }: DevToolsEvent): void {
    if (method === 'Fetch.requestPaused') void this.#answer(params).catch(() => {});
    else if (method === 'Page.loadEventFired') this.#loaded?.();
    else if (method === 'Page.javascriptDialogOpening')
      void this.#send('Page.handleJavaScriptDialog', { accept: true, promptText: '' }).catch(() => {});
    else if (method === 'Inspector.targetCrashed') this.#fault('error', 'The page has crashed.');
    else if (method === 'Runtime.exceptionThrown') this.#fault('error', exceptionIn(params));
    else if (method === 'Log.entryAdded') {
      const { level, text, source } = params['entry'] as { level: string; text: string; source: string };
      if (level === 'error' && source !== 'network') this.#fault('logged', text);
    } else if (method === 'Runtime.consoleAPICalled' && params['type'] === 'error') {
      const values = (params['args'] as { value?: unknown; description?: string }[]) ?? [];
      this.#fault(
        'logged',
        values.map(({ value, description }) => String(value ?? description ?? '')).join(' '),
      );
    }
  }

  #fault(kind: 'error' | 'logged' | 'network', text: string): void {
    if (this.faults.length < 50) this.faults.push({ kind, text });
  }

  /** The app's own page is all that there is. */
  async #answer(params: Readonly<Record<string, unknown>>): Promise<void> {
    const { requestId, resourceType } = params;
    const { url } = params['request'] as { url: string };
    if (url === `${origin}/` && resourceType === 'Document') {
      const { html, storage } = this.#options;
      const sandbox = storage
        ? []
        : [
            {
              name: 'content-security-policy',
              value: 'sandbox allow-scripts allow-forms allow-modals allow-downloads',
            },
          ];
      await this.#send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: [{ name: 'content-type', value: 'text/html; charset=utf-8' }, ...sandbox],
        body: Buffer.from(html).toString('base64'),
      });
      return;
    }
    if (url !== `${origin}/favicon.ico` && !/^(?:data|blob):/.test(url)) this.#fault('network', url);
    const isOwn = /^(?:data|blob):/.test(url);
    await this.#send(isOwn ? 'Fetch.continueRequest' : 'Fetch.failRequest', {
      requestId,
      ...(!isOwn && { errorReason: 'BlockedByClient' }),
    });
  }
}

const codes: Readonly<Record<string, number>> = {
  Enter: 13,
  Tab: 9,
  Escape: 27,
  ' ': 32,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Backspace: 8,
  Delete: 46,
  Home: 36,
  End: 35,
  PageUp: 33,
  PageDown: 34,
};

function exceptionIn(params: Readonly<Record<string, unknown>>): string {
  const { text, exception } = params['exceptionDetails'] as {
    text: string;
    exception?: { description?: string };
  };
  return (exception?.description ?? text).split('\n')[0] ?? text;
}
