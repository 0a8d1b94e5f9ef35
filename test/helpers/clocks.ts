import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { ledgerStatus } from '../../src/http/exchange.ts';
import type { Authority } from '../../src/limits/authority.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { TimeLine, type TimeReading, type TimeRecords } from '../../src/store/time-line.ts';
import { plansOf } from '../../src/tenants/accounts/plans.ts';
import { Admissions } from '../../src/tenants/metering/admissions.ts';
import { MemoryAuthority } from '../lib/memory-authority.ts';
import type { StoreTests } from './store.ts';

/**
 * A made-up world for the time of a store: true time, machines whose clocks step or stand, and servers on them that
 * admit requests of one tenant. Only the database is replaced.
 */

const beatMs = 5_000;
const { keys: _, ...unlimited } = plansOf('A').enterprise;

interface Machine {
  boot: string;
  /** What makes its monotonic clock and its wall clock of true time. */
  monotonic: number;
  wall: number;
}

interface Server {
  readonly machine: Machine;
  /** How far its own wall clock is from its machine's. */
  wall: number;
  readonly line: TimeLine;
  readonly admissions: Admissions;
}

export class ClockWorld {
  readonly dialect: 'sqlite' | 'postgres';
  readonly limit: number;
  /** True times of admissions. */
  readonly admitted: number[] = [];
  /** The longest `Retry-After` of a client. */
  longestWait = 0;
  readonly servers: Server[] = [];
  #time = Date.parse('2026-05-05T05:05:05Z');
  /** How far the clock of the database server is from true time. */
  #database = 0;
  #boots = 0;
  #beaten = this.#time;
  readonly #machines: Machine[] = [];
  #rows: number[] = [];
  /** Each server brings its own time. */
  readonly #authority = new MemoryAuthority(() => ({ elapsed: 0, stamp: 0, doubtMs: 0 }));
  #stored: Omit<TimeReading, 'server'> = { line: null, seen: null };

  /** Three servers: on one machine for SQLite, on one each for PostgreSQL. */
  static async open(dialect: 'sqlite' | 'postgres', limit: number): Promise<ClockWorld> {
    const world = new ClockWorld(dialect, limit);
    for (let index = 0; index < 3; index += 1) {
      if (dialect === 'postgres' || index === 0) world.#machines.push(world.#started());
      await world.restart(index);
    }
    return world;
  }

  private constructor(dialect: 'sqlite' | 'postgres', limit: number) {
    this.dialect = dialect;
    this.limit = limit;
  }

  get time(): number {
    return this.#time;
  }

  async ask(index: number, count: number): Promise<void> {
    const server = this.servers[index] as Server;
    const caller = { tenantId: 'acme', keyId: 'k', limits: { ...unlimited, requestsPerMinute: this.limit } };
    const request = { caller, requestId: 'r', operation: 'createChat', model: null };
    const results = await Promise.all(Array.from({ length: count }, () => server.admissions.admit(request)));
    for (const result of results) {
      if (result.admitted) this.admitted.push(this.#time);
      else this.longestWait = Math.max(this.longestWait, result.rejection.retryAfterMs ?? 0);
    }
  }

  /** Lets time go by, in which the servers beat; without those on a machine that sleeps. */
  async pass(milliseconds: number, asleep: Machine | null = null): Promise<void> {
    const end = this.#time + milliseconds;
    while (this.#time < end) {
      const next = Math.min(end, this.#beaten + beatMs);
      if (asleep) asleep.monotonic -= next - this.#time;
      this.#time = next;
      if (next < this.#beaten + beatMs) continue;
      this.#beaten = next;
      for (const { line, machine, admissions } of this.servers) {
        if (machine === asleep) continue;
        await line.synchronise();
        admissions.forgetIdle();
      }
    }
  }

  /** Lets time go by without any server. */
  async nobody(milliseconds: number): Promise<void> {
    this.servers.length = 0;
    this.#time += milliseconds;
    this.#beaten = this.#time;
  }

  /** Suspends the machine of a server. */
  sleep(index: number, milliseconds: number): Promise<void> {
    return this.pass(milliseconds, (this.servers[index] as Server).machine);
  }

  /** Sets the wall clock of one server, by libfaketime as it were; or of its whole machine. */
  step(index: number, milliseconds: number, whole: boolean): void {
    const server = this.servers[index] as Server;
    if (whole) server.machine.wall += milliseconds;
    else server.wall += milliseconds;
  }

  stepDatabase(milliseconds: number): void {
    this.#database += milliseconds;
  }

  /** Ends a server and starts it again: where it was, or on PostgreSQL on a new machine. */
  async restart(index: number, elsewhere = false): Promise<void> {
    const number = this.dialect === 'sqlite' ? 0 : index;
    if (elsewhere && this.dialect === 'postgres') this.#machines[number] = this.#started();
    const machine = this.#machines[number] as Machine;
    const server: { wall: number } = { wall: 0 };
    const line = new TimeLine(this.#records(), {
      wall: () => this.#time + machine.wall + server.wall,
      monotonic: () => this.#time + machine.monotonic,
      get boot() {
        return machine.boot;
      },
    });
    await line.synchronise();
    const admissions = new Admissions({
      ledger: this.#ledger(),
      authority: this.#authorityBy(line),
      clock: line,
      synchroniseClock: () => line.synchronise(),
      instanceId: 'i',
      priceOf: () => null,
      statusOf: ledgerStatus,
    });
    this.servers[index] = Object.assign(server, { machine, line, admissions });
  }

  /** Starts the machine of all servers again, with the wall clock that it is left with. */
  async reboot(wall: number): Promise<void> {
    const machine = this.#machines[0] as Machine;
    this.#time += 15_000;
    this.#beaten = this.#time;
    Object.assign(machine, this.#started(), { wall: machine.wall + wall });
    for (const index of [0, 1, 2]) await this.restart(index);
  }

  #started(): Machine {
    this.#boots += 1;
    return { boot: `boot ${this.#boots}`, monotonic: 1_000 - this.#time, wall: 0 };
  }

  #records(): TimeRecords {
    return {
      read: async () => ({
        ...this.#stored,
        server: this.dialect === 'sqlite' ? null : this.#time + this.#database,
      }),
      replaceLine: async (before, after) => {
        if (this.#stored.line !== before) return false;
        this.#stored = { ...this.#stored, line: after };
        return true;
      },
      writeSeen: async (seen) => {
        this.#stored = { ...this.#stored, seen };
      },
    };
  }

  #ledger(): Ledger {
    return {
      admitted: async (_tenant, since) => {
        const counts = new Map<number, number>();
        for (const at of this.#rows) if (at >= since) counts.set(at, (counts.get(at) ?? 0) + 1);
        return [...counts].map(([at, count]) => ({ at, count, tokens: 0 })).sort((a, b) => a.at - b.at);
      },
      countSince: async (_tenant, since) => this.#rows.filter((at) => at >= since).length,
      commit: async ({ rows }) => {
        this.#rows.push(...rows.map(({ created_at }) => created_at));
        return {};
      },
      sum: async () => undefined,
      prepareDays: async () => undefined,
      dropDays: async () => 0,
    };
  }

  /** As the database does it: a call by another time line, or another time, than the server's is refused. */
  #authorityBy(line: TimeLine): Authority {
    return {
      take: async (call) => {
        for (;;) {
          const late = this.#time + this.#database - line.believed();
          const inTime =
            this.dialect === 'sqlite' || (Math.abs(late) <= 1_000 && line.text === this.#stored.line);
          if (!inTime) await line.synchronise();
          else {
            const moment = { elapsed: line.elapsed(), stamp: line.now(), doubtMs: line.doubtMs };
            return this.#authority.takeAt(moment, call);
          }
        }
      },
    };
  }
}

/** Where Debian's package `libfaketime` has it, on the machines that we know. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync);

/** A wall clock of processes that can be set while they run; time since the start of the machine is left alone. */
export interface SteppingClock {
  readonly environment: Readonly<Record<string, string>>;
  /** Sets it to so many seconds before or after the right time. */
  set(seconds: number): Promise<void>;
}

/** Skips the test where libfaketime is not installed; under `CI` that is a failure. */
export function requireSteppingClock(skip: TestContext['skip']): void {
  if (library !== undefined) return;
  const problem = 'the package libfaketime is not installed';
  if (process.env['CI']) throw new Error(problem);
  skip(problem);
}

export async function steppingClock(on: StoreTests): Promise<SteppingClock> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-clock-'));
  on.cleanUp(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'offset');
  const set = async (seconds: number) => {
    // Renamed, so that no process reads half of it.
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
    await rename(`${file}.new`, file);
  };
  await set(0);
  return {
    environment: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}
