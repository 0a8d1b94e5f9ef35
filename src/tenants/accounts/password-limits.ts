import { type KeyObject, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { isLoopback, siteOf } from '../../lib/address.ts';
import type { Store } from '../../store/store.ts';
import { type AttemptLimit, type Attempts, attemptsOf, type KnownClients, knownClients } from './attempts.ts';

/**
 * Cost of a hash by who made the password. A person: 32 MiB and about 0.2 s
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt). A generator of at least 128 random
 * bits: too many to try, whatever a try costs, so it is 1 MiB and a few milliseconds.
 */
const costs = { person: { N: 2 ** 15, r: 8, p: 3 }, generator: { N: 2 ** 10, r: 8, p: 1 } };

const hashLength = 32;

const windowMs = 15 * 60_000;
/** Wrong passwords of one client: an IPv4 address or an IPv6 /64. */
const byClient = { kind: 'password', max: 10, windowMs } as const satisfies AttemptLimit;
/** Of one IPv6 /48, which a single subscriber may have all of: 65,536 clients. */
const bySite = { kind: 'password_site', max: 30, windowMs } as const satisfies AttemptLimit;
/** Of all strangers together, from however many addresses. */
const byAll = { kind: 'password_all', max: 100, windowMs } as const satisfies AttemptLimit;
const everyone = 'everyone';

/** The limit that is spent. */
export type Whose = 'client' | 'site' | 'all';

interface Wait {
  /** Milliseconds until the next attempt; 0: now. */
  readonly ms: number;
  readonly whose: Whose;
}

const now: Wait = { ms: 0, whose: 'client' };

/**
 * How often passwords may be guessed: by one client, by one network, and by all together, in all processes of a store. The
 * last two are for strangers alone. Who gave the right password within the last 30 days, and programs of this machine,
 * are held to the first only, so that no flood of strangers' guesses can keep an administrator out.
 */
export class PasswordLimits {
  readonly #client: Attempts;
  readonly #site: Attempts;
  readonly #all: Attempts;
  readonly #known: KnownClients;

  /** @param secret what the digests of clients are keyed with. */
  constructor(store: Store, secret: KeyObject) {
    this.#client = attemptsOf(store, secret, byClient);
    this.#site = attemptsOf(store, secret, bySite);
    this.#all = attemptsOf(store, secret, byAll);
    this.#known = knownClients(store, secret);
  }

  /** Whether a client is no stranger. */
  async isKnown(client: string): Promise<boolean> {
    return isLoopback(client) || this.#known.has(client);
  }

  /** The longest wait of a client before its next attempt. */
  async wait(client: string, known: boolean): Promise<Wait> {
    return longest(await this.#each(client, known, (attempts, name) => attempts.waitMs(name)));
  }

  /** Counts an attempt if there is one left everywhere, so that a refused one costs nothing. */
  async take(client: string, known: boolean): Promise<Wait> {
    const wait = await this.wait(client, known);
    if (wait.ms > 0) return wait;
    return longest(await this.#each(client, known, (attempts, name) => attempts.take(name)));
  }

  /** The client has given the right password. */
  async succeeded(client: string): Promise<void> {
    await this.#client.forget(client);
    await this.#known.add(client);
  }

  async #each(
    client: string,
    known: boolean,
    ask: (attempts: Attempts, name: string) => Promise<number>,
  ): Promise<readonly Wait[]> {
    const waits: Wait[] = [{ ms: await ask(this.#client, client), whose: 'client' }];
    if (known) return waits;
    const site = siteOf(client);
    if (site !== null) waits.push({ ms: await ask(this.#site, site), whose: 'site' });
    waits.push({ ms: await ask(this.#all, everyone), whose: 'all' });
    return waits;
  }
}

function longest(waits: readonly Wait[]): Wait {
  return waits.reduce((most, wait) => (wait.ms > most.ms ? wait : most), now);
}

/** Hashes a password as `scrypt$N$r$p$salt$hash`, so that the cost can be raised without breaking old hashes. */
export async function hashPassword(password: string, maker: keyof typeof costs): Promise<string> {
  const salt = randomBytes(16);
  const cost = costs[maker];
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Whether the password is the one of the hash. Throws for a text that is no hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, hash] = stored.split('$');
  if (kind !== 'scrypt' || !salt || !hash) throw new Error('the stored hash of the password is damaged');
  const expected = Buffer.from(hash, 'base64');
  const given = await derive(password, Buffer.from(salt, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function derive(
  password: string,
  salt: Buffer,
  options: { N: number; r: number; p: number },
): Promise<Buffer> {
  const { N, r, p } = options;
  // Unicode has several spellings of one text, and users do not choose among them.
  const text = password.normalize('NFKC');
  // OpenSSL needs 128 r (N + p + 2) bytes.
  const settings: ScryptOptions = { ...options, maxmem: 256 * r * (N + p + 2) };
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashLength, settings, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
