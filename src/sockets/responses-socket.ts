import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Principal } from '../contract/registry.ts';
import type { SocketTurn } from '../contract/wire-operations.ts';
import { MessageHead, MessageReply } from '../http/message-exchange.ts';
import { type ByteBudget, Holding } from '../lib/byte-budget.ts';
import { type ConversationMemory, Conversations, continued } from './conversations.ts';
import { bodyOf, type Create, itemsOf, Refused, readMessage, type Steer } from './create.ts';
import { Lanes } from './lanes.ts';
import { errorFrame, preparedEvents, ReplyFrames, refusalIn, socketError } from './reply-frames.ts';

export interface SocketParts {
  /** The way of every request. */
  readonly answer: (req: IncomingMessage, res: ServerResponse) => unknown;
  readonly budget: ByteBudget;
  readonly conversations: ConversationMemory;
  /** Milliseconds between pings; a client that is silent for three of them is considered disconnected. */
  readonly pingMs: number;
  /** Milliseconds without a request after which it is closed. */
  readonly idleMs: number;
  /** Milliseconds after which it takes no more requests. */
  readonly maxAgeMs: number;
}

/** So much of a message may be here before it is counted as memory, in bytes. */
const uncounted = 64 * 1024;
const inBinary =
  'The message came as binary data, which is not read. Send it as text: a JSON object with the type "response.create".';
const noLongerValid = 'The API key is not valid any more.';

/** One connection of a client: requests in, events out. */
export class ResponsesSocket {
  readonly principal: Principal;
  readonly #ws: WebSocket;
  readonly #connection: Socket;
  readonly #parts: SocketParts;
  readonly #head: MessageHead;
  readonly #lanes = new Lanes(() => this.#endIfIdle());
  readonly #conversations: Conversations;
  readonly #running = new Set<MessageReply>();
  /** The vendor's socket of each lane. */
  readonly #vendors = new Map<string, { close(): void }>();
  /** Of a message that has not come whole yet, and of those that wait. */
  readonly #arriving: Holding;
  readonly #waiting: Holding;
  readonly #openedAt = performance.now();
  #arrived = 0;
  #lastRequest = this.#openedAt;
  #lastHeard = this.#openedAt;
  #lastPing = this.#openedAt;
  /** Why it takes no more requests; null: it does. */
  #ending: 'draining' | 'expired' | null = null;
  #wantRoom: (() => void)[] = [];

  constructor(
    ws: WebSocket,
    connection: Socket,
    req: IncomingMessage,
    principal: Principal,
    parts: SocketParts,
  ) {
    this.#ws = ws;
    this.#connection = connection;
    this.principal = principal;
    this.#parts = parts;
    this.#head = new MessageHead(req);
    this.#arriving = new Holding(parts.budget);
    this.#waiting = new Holding(parts.budget);
    this.#conversations = new Conversations(parts.conversations);
    ws.on('message', (data, isBinary) => this.#message(data as Buffer, isBinary));
    ws.on('close', () => this.#closed());
    // An invalid frame; the library closes the connection with the code for it.
    ws.on('error', () => undefined);
    connection.on('data', (chunk: Buffer) => this.#arrive(chunk.length));
    connection.on('drain', () => this.#haveRoom());
  }

  /** Looks whether its client is there, and whether it has been open for long enough. */
  tick(now: number): void {
    const { idleMs, maxAgeMs, pingMs } = this.#parts;
    if (now - this.#openedAt > maxAgeMs) this.#end('expired');
    else if (this.#lanes.idle && now - this.#lastRequest > idleMs) this.#ws.close(1000, 'idle');
    else if (now - this.#lastHeard > 3 * pingMs && !this.#ws.isPaused) this.#ws.terminate();
    else if (now - this.#lastPing >= pingMs && !this.#connection.writableNeedDrain) {
      this.#lastPing = now;
      this.#ws.ping();
    }
  }

  /** Closes it as soon as nothing runs on it any more. */
  drain(): void {
    this.#end('draining');
  }

  /** Closes it with all that runs, as its key is good no more. */
  revoke(): void {
    this.#send(errorFrame(401, socketError('invalid_api_key', noLongerValid), null));
    this.#ws.close(1008, noLongerValid);
    this.#stop();
  }

  cut(): void {
    this.#ws.terminate();
  }

  #message(bytes: Buffer, isBinary: boolean): void {
    this.#arrived = 0;
    this.#arriving.keep(0);
    this.#lastRequest = performance.now();
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    try {
      if (isBinary) throw new Refused('invalid_message', inBinary, null);
      const message = readMessage(bytes);
      if (message.type === 'response.steer') this.#steer(message);
      else this.#take(message);
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      this.#refuse(thrown);
    }
    // A client that reads no answers is not read either.
    if (this.#connection.writableNeedDrain) this.#ws.pause();
  }

  #take(create: Create): void {
    const { streamId, bytes } = create;
    if (this.#ending === 'expired') throw expired(this.#parts.maxAgeMs, streamId);
    if (this.#ending === 'draining')
      throw new Refused('server_error', 'The server is stopping.', null, streamId, 503);
    if (!this.#waiting.begin(bytes)) throw full(streamId);
    try {
      this.#lanes.add(streamId, () => {
        this.#waiting.give(bytes);
        return this.#run(create);
      });
    } catch (refused) {
      this.#waiting.give(bytes);
      throw refused;
    }
  }

  /** Sends a request on its way. Resolves when it is over. Never rejects. */
  #run(create: Create): Promise<void> {
    const { streamId, previous, generate } = create;
    if (this.#ws.readyState !== this.#ws.OPEN) return Promise.resolve();
    const earlier = this.#conversations.find(previous);
    const frames = new ReplyFrames({
      streamId,
      send: (frame) => this.#send(frame),
      whenRoom: (done) => {
        if (this.#connection.writableNeedDrain) this.#wantRoom.push(done);
        else done();
      },
    });
    const reply = new MessageReply(frames);
    this.#running.add(reply);
    return new Promise((resolve) => {
      reply.once('close', () => {
        this.#running.delete(reply);
        this.#lastRequest = performance.now();
        if (!reply.writableFinished) this.#brokenOff(create);
        else if (!generate) this.#prepared(create, frames);
        const { ended } = frames;
        if (ended) this.#conversations.latest(streamId, ...continued(create, earlier, ended));
        else this.#conversations.evict(previous);
        resolve();
      });
      // A message that only prepares a request is checked by a dry run, which asks no model and costs nothing.
      const more = generate ? {} : { 'x-switchyard-dry-run': 'true' };
      const turn: SocketTurn = {
        lane: streamId ?? '',
        continues: previous !== null && earlier ? { id: previous, items: itemsOf(create) } : null,
        opened: () => (this.#ws.readyState === this.#ws.OPEN ? this.#vendors : null),
      };
      this.#parts.answer(this.#head.request(bodyOf(create, earlier), turn, more), reply.asResponse());
    });
  }

  #prepared({ streamId, body }: Create, frames: ReplyFrames): void {
    if (!frames.succeeded) return;
    const refusal = refusalIn(frames.whole);
    if (refusal) this.#send(errorFrame(refusal.status, refusal.error, streamId));
    else frames.events(preparedEvents(body));
  }

  /** A reply that was cut off: its reader took nothing for too long, or the server failed in the middle. */
  #brokenOff({ streamId }: Create): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    if (this.#connection.writableNeedDrain) {
      this.#ws.terminate();
      return;
    }
    const error = { ...socketError('server_error', 'The answer broke off.'), type: 'server_error' };
    this.#send(errorFrame(500, error, streamId));
  }

  /** No model of this server takes input while it answers, which OpenAI has a reply for. */
  #steer({ input, previous: previous_response_id }: Steer): void {
    const code = 'steering_not_supported';
    const message = 'No response of this server takes input while it is made.';
    this.#send(
      JSON.stringify({
        type: 'response.steer.failed',
        sequence_number: 0,
        error: { type: 'invalid_request_error', code, message },
        steer: { input, previous_response_id },
      }),
    );
  }

  #arrive(bytes: number): void {
    this.#lastHeard = performance.now();
    this.#arrived += bytes;
    if (this.#arrived <= uncounted || this.#arriving.cover(this.#arrived)) return;
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    this.#refuse(full(null));
    this.#ws.close(1013, 'no memory for this message');
    this.#ws.pause();
  }

  #haveRoom(): void {
    for (const done of this.#wantRoom.splice(0)) done();
    if (this.#ws.isPaused) this.#ws.resume();
  }

  #refuse({ status, code, message, param, streamId }: Refused): void {
    this.#send(errorFrame(status, socketError(code, message, param), streamId));
  }

  #send(frame: string): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.send(frame);
  }

  #end(why: 'draining' | 'expired'): void {
    if (this.#ending !== null) return;
    this.#ending = why;
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#ending === null || !this.#lanes.idle || this.#ws.readyState !== this.#ws.OPEN) return;
    if (this.#ending === 'expired') this.#refuse(expired(this.#parts.maxAgeMs, null));
    this.#ws.close(1001, this.#ending === 'expired' ? 'open for too long' : 'the server is stopping');
  }

  /** Cancels the running requests, as the client has disconnected. */
  #stop(): void {
    for (const reply of this.#running) reply.destroy();
  }

  #closed(): void {
    this.#stop();
    this.#haveRoom();
    for (const socket of this.#vendors.values()) socket.close();
    this.#conversations.clear();
    this.#arriving.release();
    this.#waiting.release();
  }
}

function expired(maxAgeMs: number, streamId: string | null): Refused {
  const minutes = Math.round(maxAgeMs / 60_000);
  const message = `Responses websocket connection limit reached (${minutes} minutes). Create a new websocket connection to continue.`;
  return new Refused('websocket_connection_limit_reached', message, null, streamId);
}

function full(streamId: string | null): Refused {
  const message = 'The server has no memory left for this message at the moment. Try again in a moment.';
  return new Refused('server_is_overloaded', message, null, streamId, 503);
}
