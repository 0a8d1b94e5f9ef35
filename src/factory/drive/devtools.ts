import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The browser is not there, does not answer or has broken off: nothing is known of the app. */
export class BrowserAway extends Error {
  override readonly name = 'BrowserAway';
}

/** The browser has refused a command: mostly, what it is about is not there any more. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

type Params = Readonly<Record<string, unknown>>;

export interface DevToolsEvent {
  readonly method: string;
  readonly params: Params;
  readonly sessionId?: string;
}

interface Waiting {
  resolve(result: Params): void;
  reject(error: Error): void;
}

/** Most that one message may hold: a picture, or what a page says of itself. */
const maxMessage = 16 * 1024 * 1024;
/** Most that it may say of where its socket is, in characters. */
const maxAddress = 64 * 1024;
/** A browser that is there answers within this, in milliseconds. */
const connectMs = 5_000;

/** A connection to a browser over the DevTools protocol. Every command has a time limit; whatever goes wrong is `BrowserAway`. */
export class DevTools {
  readonly #socket: WebSocket;
  /** Times by which every limit is taken; more than 1 on a machine that has much else to do. */
  readonly patience: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(event: DevToolsEvent) => void>();
  #count = 0;
  #closed: Error | null = null;

  private constructor(socket: WebSocket, patience: number) {
    this.#socket = socket;
    this.patience = patience;
    socket.addEventListener('message', ({ data }) => this.#take(data));
    socket.addEventListener('close', () => this.#end(new BrowserAway('The browser has broken off.')));
    socket.addEventListener('error', () => this.#end(new BrowserAway('The browser has broken off.')));
  }

  /** @param address `http://` of a debugging port, or `ws://` of a browser */
  static async connect(address: string, patience = 1): Promise<DevTools> {
    try {
      const socket = new WebSocket(await socketAddress(address));
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('it does not answer')), connectMs);
        socket.addEventListener('open', () => {
          clearTimeout(late);
          resolve();
        });
        socket.addEventListener('error', () => {
          clearTimeout(late);
          reject(new Error('the connection was refused'));
        });
      }).catch((error: unknown) => {
        socket.close();
        throw error;
      });
      return new DevTools(socket, patience);
    } catch (cause) {
      throw new BrowserAway('The browser cannot be reached.', { cause });
    }
  }

  /** @param session left out: of the browser itself */
  send(method: string, params: Params = {}, session?: string, limitMs = 5_000): Promise<Params> {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new BrowserAway(`The browser does not answer ${method}.`));
      }, limitMs * this.patience);
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(late);
          settle(value);
        };
      this.#waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
      this.#socket.send(JSON.stringify({ id, method, params, ...(session && { sessionId: session }) }));
    });
  }

  /** Throws `BrowserAway` unless the browser says what it is. */
  async assertThere(): Promise<void> {
    const { product } = await this.send('Browser.getVersion');
    if (typeof product !== 'string') throw new BrowserAway('The browser does not say what it is.');
  }

  /** Tells of each event until the function that is given back is called. */
  listen(listener: (event: DevToolsEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#end(new BrowserAway('The connection to the browser was closed.'));
    this.#socket.close();
  }

  #take(data: unknown): void {
    if (typeof data !== 'string' || data.length > maxMessage) {
      this.#end(new BrowserAway('The browser has sent more than is read.'));
      this.#socket.close();
      return;
    }
    try {
      this.#read(data);
    } catch (cause) {
      // Thrown in a listener of the socket, it would end the process.
      this.#end(new BrowserAway('The browser has sent something that cannot be read.', { cause }));
      this.#socket.close();
    }
  }

  #read(data: string): void {
    const message = JSON.parse(data) as {
      id?: number;
      result?: Params;
      error?: { message: string };
    } & DevToolsEvent;
    if (message.id === undefined) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new CommandRefused(message.error.message));
    else waiting?.resolve(message.result ?? {});
  }

  #end(reason: Error): void {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

/** Chromium takes no host names but `localhost`, so that no page can reach its port by a name of its own. */
async function socketAddress(address: string): Promise<string> {
  const url = new URL(address);
  if (url.hostname !== 'localhost' && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0) {
    const found = await lookup(url.hostname);
    url.hostname = found.family === 6 ? `[${found.address}]` : found.address;
  }
  if (url.protocol.startsWith('ws')) return url.href;
  const answer = await fetch(new URL('/json/version', url), { signal: AbortSignal.timeout(connectMs) });
  let said = '';
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    said += piece;
    if (said.length > maxAddress) throw new Error('it says more than is read');
  }
  const { webSocketDebuggerUrl } = JSON.parse(said) as { webSocketDebuggerUrl: string };
  const socket = new URL(webSocketDebuggerUrl);
  socket.host = url.host;
  return socket.href;
}
