// Over 300 lines: one connection as a state machine.
import { createClient, ErrorReply } from 'redis';
import { serverName } from '../../lib/address.ts';
import type { StoreError } from '../errors.ts';
import { keyPrefix, type Place, placeMovedTo, type RedisAddress, redisAddress } from './address.ts';
import { redisError, toRedisError } from './redis-error.ts';

/** How long a connection may take to come about, and an answer to a command, in milliseconds. */
const connectMs = 2_000;
export const answerMs = 2_000;
/** A connection on which nothing has come in for so long is dead. Without other use it is asked for a sign of life. */
const silentMs = 5_000;
const pingEveryMs = 2_000;
/** Pause before a lost connection is made again, in milliseconds; it doubles, and is never quite the same for all servers. */
const minPauseMs = 100;
const maxPauseMs = 3_000;
/** Pause between looks whether a Redis that did not answer does so again, in milliseconds. */
const probeEveryMs = 500;
/** Pause before another place is tried than the one that cannot be used, in milliseconds; not the same for all servers. */
const elsewhereMs = 250;
/** A Redis that can only be read makes the connection again at most this often, in milliseconds. */
const renewEveryMs = 1_000;

/** The version from which on there are functions that stay on the server. */
const minVersion = 7;

type RedisClient = ReturnType<typeof makeClient>;

interface RedisLinkParts {
  /** With user and password. */
  readonly url: string;
  /** Called with a sentence about why Redis cannot be used or needs another setting; once for each reason. */
  readonly onProblem: (message: string) => void;
  /** Called when it can be used again. */
  readonly onBack: () => void;
}

/**
 * The one connection to Redis, for commands and for messages. It is made again for good when it is lost. While it is away,
 * commands are refused at once; a single one that gets no answer in time opens this breaker, and an answer to PING closes it.
 *
 * Where there are several places, it is made to the next one when it is lost. In a cluster it is made to the node that has our
 * keys, which are all in one slot: any other node names it.
 */
export class RedisLink {
  readonly #parts: RedisLinkParts;
  readonly #address: RedisAddress;
  #client: RedisClient;
  /** Where the client connects to, and which of the places of the address that is; null: where a node of a cluster has sent us. */
  #at: Place;
  #entry: number | null = 0;
  #leaving = false;
  /** The client that was ready last. */
  #known: RedisClient | null = null;
  #clustered = false;
  readonly #readyListeners: ((again: boolean) => void)[] = [];
  /** Why it cannot be used; null: it can. */
  #away: StoreError | null = redisError('unreachable', { mayBeDone: false });
  /** The problem of a Redis that answers. */
  #misfit: string | null = null;
  #reported = '';
  #probing = false;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** Begins to connect and waits for nothing. Throws `ConfigError` for an address that is none. */
  constructor(parts: RedisLinkParts) {
    this.#parts = parts;
    this.#address = redisAddress(parts.url);
    this.#at = this.#address.places[0] as Place;
    this.#client = this.#connected();
  }

  /** Whether commands are taken. */
  get up(): boolean {
    return this.#away === null;
  }

  /**
   * Calls the listener whenever a connection is ready, with what the last one knew forgotten.
   * @param listener called with whether the client is a new one
   */
  onReady(listener: (again: boolean) => void): void {
    this.#readyListeners.push(listener);
    if (this.up) listener(true);
  }

  /** Runs a command. Rejects with `StoreError`, at once while Redis is away. */
  async run<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.#away) throw redisError(failureOf(this.#away), { cause: this.#away.cause, mayBeDone: false });
    return this.#inTime(command);
  }

  /** Resolves with a sentence for the operator; rejects with what is wrong, within two seconds. */
  async check(): Promise<string> {
    const startedAt = performance.now();
    await this.run((client) => client.ping());
    if (this.#misfit) throw new Error(this.#misfit);
    return `Redis answered in ${Math.ceil(performance.now() - startedAt)} ms.`;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#away = redisError('unreachable', { mayBeDone: false });
    if (this.#client.isOpen) this.#client.destroy();
  }

  /** A client that connects to where we are. */
  #connected(): RedisClient {
    const client = makeClient(this.#address, this.#at);
    // One that was given up has nothing more to say.
    client.on('error', (thrown: unknown) => client === this.#client && this.#lost(toRedisError(thrown)));
    client.on('ready', () => client === this.#client && void this.#ready());
    this.#client = client;
    this.#connect();
    return client;
  }

  #connect(): void {
    // It tries for good; it rejects only when it is closed before it was connected.
    this.#client.connect().catch(() => undefined);
  }

  /** Goes to where a node of a cluster has sent us; null: to the next place of the address. */
  #go(place: Place | null): void {
    if (this.#closed) return;
    const { places } = this.#address;
    this.#entry = place ? null : this.#entry === null ? 0 : (this.#entry + 1) % places.length;
    this.#at = place ?? (places[this.#entry ?? 0] as Place);
    this.#away ??= redisError('unreachable', { mayBeDone: false });
    const { isOpen } = this.#client;
    const former = this.#client;
    this.#connected();
    if (isOpen) former.destroy();
  }

  get #hasElsewhere(): boolean {
    return this.#entry === null || this.#address.places.length > 1;
  }

  /** Where there is another place than this one, it is tried instead, soon. */
  #leave(): void {
    if (this.#leaving || !this.#hasElsewhere) return;
    this.#leaving = true;
    const left = this.#client;
    setTimeout(
      () => {
        this.#leaving = false;
        // It may have come back by itself, or we have been sent elsewhere meanwhile.
        if (this.#client === left && !left.isReady) this.#go(null);
      },
      elsewhereMs * (0.75 + Math.random() / 2),
    ).unref();
  }

  async #inTime<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const client = this.#client;
    const late = new Promise<never>((_, reject) => {
      // Behind what has come in already: a process that was busy for long has not looked yet.
      timer = setTimeout(() => setImmediate(() => setImmediate(reject, redisError('slow'))), answerMs);
    });
    try {
      return await Promise.race([command(client), late]);
    } catch (thrown) {
      const elsewhere = thrown instanceof ErrorReply ? placeMovedTo(thrown.message, this.#at) : null;
      if (elsewhere) {
        if (this.#client === client) this.#go(elsewhere);
        throw redisError('unreachable', { cause: thrown, mayBeDone: false });
      }
      const error = toRedisError(thrown);
      if (error.failure === 'slow') this.#silent(error);
      // It may have been the primary once, and another has taken its place: a new connection finds that one.
      if (error.failure === 'read_only') this.#renew();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #renew(): void {
    if (this.#closed || !this.#client.isReady || performance.now() - this.#renewedAt < renewEveryMs) return;
    this.#renewedAt = performance.now();
    this.#away ??= redisError('unreachable', { mayBeDone: false });
    if (this.#hasElsewhere) {
      this.#go(null);
    } else {
      this.#client.destroy();
      this.#connect();
    }
  }

  async #ready(): Promise<void> {
    const client = this.#client;
    try {
      const info = await this.#inTime((client) => client.info());
      this.#misfit = misfitOf(info);
      this.#clustered = saidIn(info, 'cluster_enabled') === '1';
    } catch (thrown) {
      // A user may be kept from INFO; any other failure ends the connection, or is found by a probe.
      if (toRedisError(thrown).failure === 'slow') return;
      this.#misfit = null;
    }
    while (!(await this.#serves())) {
      if (client !== this.#client || !client.isReady) return;
      await new Promise((resolve) => setTimeout(resolve, probeEveryMs).unref());
    }
    // It may be lost again by now; the next one that is ready says so.
    if (client !== this.#client || !client.isReady) return;
    if (this.#misfit) this.#tell(this.#misfit);
    this.#back();
    const again = client !== this.#known;
    this.#known = client;
    for (const listener of this.#readyListeners) listener(again);
  }

  /** Whether a node of a cluster has our keys, and can be asked for them. */
  async #serves(): Promise<boolean> {
    if (!this.#clustered) return true;
    try {
      await this.#inTime((client) => client.exists(`${keyPrefix}epoch`));
      return true;
    } catch (thrown) {
      return toRedisError(thrown).failure === 'refused';
    }
  }

  #lost(error: StoreError): void {
    if (this.#closed) return;
    this.#away = error;
    this.#tell(error.message);
    if (!this.#client.isReady) this.#leave();
  }

  /** A probe finds out whether it was a single command, so that not every request waits for its own. */
  #silent(error: StoreError): void {
    this.#lost(error);
    if (!this.#probing) void this.#probe();
  }

  /**
   * Asks until there is an answer. If none comes for long, the connection is made again: its other end may have disappeared
   * silently, and writes to it would keep the client's own limit from being reached.
   */
  async #probe(): Promise<void> {
    this.#probing = true;
    const silentSince = performance.now();
    while (!this.#closed && this.#client.isReady) {
      const answered = await this.#inTime((client) => client.ping()).catch(() => null);
      if (answered !== null) break;
      if (performance.now() - silentSince > silentMs) {
        this.#renew();
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, probeEveryMs).unref());
    }
    this.#probing = false;
    // Without a connection, the next one that is ready says so.
    if (!this.#client.isReady || this.#closed) return;
    this.#back();
  }

  #back(): void {
    if (this.#closed) return;
    const wasAway = this.#reported !== '' && this.#reported !== this.#misfit;
    this.#away = null;
    this.#reported = this.#misfit ?? '';
    if (wasAway) this.#parts.onBack();
  }

  #tell(message: string): void {
    if (message === this.#reported) return;
    this.#reported = message;
    this.#parts.onProblem(message);
  }
}

function failureOf({ failure }: StoreError) {
  return failure === 'slow' || failure === 'refused' || failure === 'failed' ? failure : 'unreachable';
}

export function saidIn(info: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? '';
}

/** The setting that an operator has to change, according to `INFO`; null: none. */
export function misfitOf(info: string): string | null {
  const said = (name: string) => saidIn(info, name);
  const version = said('redis_version');
  if (Number.parseInt(version, 10) < minVersion)
    return `Redis is of version ${version}; expected ${minVersion} or later, or Valkey.`;
  // A node of a cluster leads to the primary by itself.
  if (said('role') === 'slave' && said('cluster_enabled') !== '1')
    return 'Redis is a replica; REDIS_URL has to lead to its primary.';
  const policy = said('maxmemory_policy');
  if (policy !== '' && policy !== 'noeviction')
    return `The maxmemory-policy of Redis is ${policy}; expected noeviction, or it forgets what counts.`;
  return null;
}

/** The options of a client. */
export function clientOptions<Limits>(
  { tls, username, password, database }: Omit<RedisAddress, 'places'>,
  { host, port }: Place,
  limits: Limits,
) {
  return {
    socket: tls ? { host, port, tls, ...serverName(host), ...limits } : { host, port, ...limits },
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    database,
    name: 'switchyard',
    maintNotifications: 'disabled',
  } as const;
}

function makeClient(address: RedisAddress, place: Place) {
  const reconnectStrategy = (retries: number) =>
    Math.min(minPauseMs * 2 ** retries, maxPauseMs) * (0.75 + Math.random() / 2);
  return createClient({
    ...clientOptions(address, place, { connectTimeout: connectMs, reconnectStrategy }),
    // Commands that cannot be sent now are dropped: their callers would have given up by then.
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    pingInterval: pingEveryMs,
    disableClientInfo: true,
  });
}
