import type { WebSocket, WebSocketServer } from 'ws';
import type { Principal, WatchKey } from '../contract/registry.ts';
import type { SocketsInService } from '../http/listen.ts';
import type { Handshake, Sockets } from '../http/sockets.ts';
import { noWebSocket } from '../http/upgrade.ts';
import type { ByteBudget } from '../lib/byte-budget.ts';
import { ConversationMemory } from './conversations.ts';
import { ResponsesSocket, type SocketParts } from './responses-socket.ts';

export interface SocketSettings {
  /** In all, in this process. */
  readonly maxSockets: number;
  readonly maxPerKey: number;
  readonly idleMs: number;
  /** 60 minutes, as OpenAI has it, if left out. */
  readonly maxAgeMs?: number;
  /** 10 seconds if left out. */
  readonly pingMs?: number;
}

export interface OpenSocketsParts {
  readonly settings: SocketSettings;
  readonly budget: ByteBudget;
  /** Maximum size of a message, in bytes. */
  readonly maxMessage: number;
  readonly watchKey: WatchKey;
}

const hourMs = 3_600_000;
/** How long a client has to close its side, in milliseconds. */
const closeTimeout = 2_000;
/** Share of the memory for requests in flight that conversations of sockets may have beside it. */
const shareOfConversations = 1 / 8;

/** The sockets that are open in this process. */
export class OpenSockets implements Sockets, SocketsInService {
  readonly #server: WebSocketServer;
  readonly #settings: SocketSettings;
  readonly #watchKey: WatchKey;
  readonly #ofEach: SocketParts;
  readonly #open = new Set<ResponsesSocket>();
  readonly #byKey = new Map<string, number>();
  #answer: SocketParts['answer'] = () => undefined;
  #ticking: NodeJS.Timeout | null = null;
  #draining = false;

  private constructor(server: WebSocketServer, parts: OpenSocketsParts) {
    const { settings, budget } = parts;
    this.#server = server;
    this.#settings = settings;
    this.#watchKey = parts.watchKey;
    this.#ofEach = {
      answer: (req, res) => this.#answer(req, res),
      budget,
      conversations: new ConversationMemory(budget.limit * shareOfConversations),
      pingMs: settings.pingMs ?? 10_000,
      idleMs: settings.idleMs,
      maxAgeMs: settings.maxAgeMs ?? hourMs,
    };
  }

  /** Null where there are to be none. */
  static async create(parts: OpenSocketsParts): Promise<OpenSockets | null> {
    if (parts.settings.maxSockets === 0) return null;
    const { WebSocketServer } = await import('ws');
    const options = { noServer: true, clientTracking: false, maxPayload: parts.maxMessage, closeTimeout };
    return new OpenSockets(new WebSocketServer(options), parts);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Has requests take this way. */
  answerBy(answer: SocketParts['answer']): void {
    this.#answer = answer;
  }

  admit({ keyId }: Principal): void {
    const { maxSockets, maxPerKey } = this.#settings;
    if (this.#open.size >= maxSockets)
      throw noWebSocket('This server has as many WebSockets open as it may; send the request by POST.');
    if ((this.#byKey.get(keyId) ?? 0) >= maxPerKey)
      throw noWebSocket(
        `This key has ${maxPerKey} WebSockets open, which is all that it may; send the request by POST.`,
      );
    if (this.#draining) throw noWebSocket('This server is stopping; send the request by POST.');
  }

  open({ req, upgrade: { socket, head }, principal, requestId }: Handshake): boolean {
    let opened: WebSocket | null = null;
    const headers = (lines: string[]) => lines.push(`x-request-id: ${requestId}`);
    // Both are called before it returns.
    this.#server.once('headers', headers);
    this.#server.handleUpgrade(req, socket, head, (ws) => {
      opened = ws;
      this.#add(ws, new ResponsesSocket(ws, socket, req, principal, this.#ofEach));
    });
    this.#server.off('headers', headers);
    return opened !== null;
  }

  drain(): void {
    this.#draining = true;
    for (const socket of this.#open) socket.drain();
  }

  cut(): void {
    for (const socket of this.#open) socket.cut();
  }

  #add(ws: WebSocket, socket: ResponsesSocket): void {
    const { keyId } = socket.principal;
    this.#open.add(socket);
    this.#byKey.set(keyId, (this.#byKey.get(keyId) ?? 0) + 1);
    const unwatch = this.#watchKey(socket.principal, () => socket.revoke());
    ws.once('close', () => {
      unwatch();
      this.#open.delete(socket);
      const left = (this.#byKey.get(keyId) ?? 1) - 1;
      if (left > 0) this.#byKey.set(keyId, left);
      else this.#byKey.delete(keyId);
      if (this.#open.size > 0 || !this.#ticking) return;
      clearInterval(this.#ticking);
      this.#ticking = null;
    });
    this.#ticking ??= this.#tick();
  }

  #tick(): NodeJS.Timeout {
    const { idleMs, pingMs, maxAgeMs } = this.#ofEach;
    const tick = () => {
      const now = performance.now();
      for (const socket of this.#open) socket.tick(now);
    };
    return setInterval(tick, Math.max(10, Math.min(idleMs, pingMs, maxAgeMs) / 2));
  }
}
