import { MemoryAuthority } from '../../lib/memory-authority.ts';
import { createRandom, type Random } from '../random.ts';
import { type Counts, epoch, type Ground, Server } from './server.ts';
import { AdmissionsLog, Link, type Tenants, type VirtualTime } from './world.ts';

export interface SimulationOptions {
  readonly servers: number;
  readonly tenants: Tenants;
  /** Requests a second of all tenants. */
  readonly perSecond: number;
  /** How long it is measured, after a minute in which windows fill. */
  readonly minutes: number;
  readonly seed: string;
}

export interface Figures {
  readonly counts: Counts;
  readonly seconds: number;
  readonly calls: number;
  readonly asks: number;
  readonly crashes: number;
  readonly cuts: number;
  /** Tenants that sent a tenth more than they may, or more still. */
  readonly saturated: number;
  /** What these were admitted of what they may, in whole minutes; null: there are none. */
  readonly admittedOfLimit: number | null;
  /** What of the limits of these the authority counted and nobody used, on average; null as above. */
  readonly withheld: number | null;
  /** The most that any tenant was admitted in any 60 seconds, of its limit. */
  readonly worst: {
    readonly share: number;
    readonly tenant: number;
    readonly admitted: number;
    readonly limit: number;
  };
}

const minuteMs = 60_000;
/** How often a server crashes and is cut off for three seconds, in milliseconds. */
const crashEveryMs = 5_000;
const cutEveryMs = 20_000;
/** How often it is looked at what is withheld, in milliseconds: at ever other parts of a second, as ends are rounded up. */
const sampleEveryMs = 4_618;

/** Lets servers, tenants and a network live for a while, in a time that must be new. */
export async function simulate(options: SimulationOptions, time: VirtualTime): Promise<Figures> {
  const { servers: count, tenants, minutes, seed } = options;
  const random = createRandom(seed);
  const counts: Counts = {
    requests: 0,
    admitted: 0,
    fromLeases: 0,
    refused: 0,
    refusedHere: 0,
    undecided: 0,
  };
  const ground: Ground = { time, tenants, log: new AdmissionsLog(), counts };
  const authority = new MemoryAuthority(() => ({ elapsed: time.now, stamp: epoch + time.now, doubtMs: 0 }));
  const fleet = new Fleet(ground, authority, count, random.fork('fleet'));
  sendRequests(options, ground, fleet, random.fork('requests'));
  const measured = minutes * minuteMs;
  await time.runUntil(minuteMs);
  const before = { ...counts };
  const [calls, asks] = [fleet.calls, fleet.asks];
  const offered = (tenant: number) => tenants.rate(tenant) * minutes;
  const saturated = [...ground.log.tenants].filter(
    (tenant) => offered(tenant) >= 1.1 * tenants.limit(tenant) * minutes,
  );
  const withheld: number[] = [];
  while (time.now < minuteMs + measured) {
    await time.runUntil(Math.min(time.now + sampleEveryMs, minuteMs + measured));
    const { used } = authority;
    for (const tenant of saturated) {
      const admitted = ground.log.within(tenant, time.now - minuteMs, time.now).length;
      withheld.push(((used.get(`${tenant}/minute`) ?? 0) - admitted) / tenants.limit(tenant));
    }
  }
  const limits = sum(saturated.map((tenant) => tenants.limit(tenant) * minutes));
  const admitted = sum(saturated.map((tenant) => ground.log.within(tenant, minuteMs, time.now).length));
  return {
    counts: difference(counts, before),
    seconds: measured / 1000,
    calls: fleet.calls - calls,
    asks: fleet.asks - asks,
    crashes: fleet.crashes,
    cuts: fleet.cuts,
    saturated: saturated.length,
    admittedOfLimit: limits === 0 ? null : admitted / limits,
    withheld: withheld.length === 0 ? null : sum(withheld) / withheld.length,
    worst: worstOf(ground.log, tenants),
  };
}

/** Servers that crash and are restarted, each time as somebody else, and at times hear nothing of the authority. */
class Fleet {
  readonly #servers: Server[] = [];
  readonly #links: Link[];
  readonly #random: Random;
  crashes = 0;
  cuts = 0;

  constructor(ground: Ground, authority: MemoryAuthority, count: number, random: Random) {
    const { time } = ground;
    this.#random = random;
    this.#links = Array.from(
      { length: count },
      (_, index) => new Link(authority, time, random.fork(`link ${index}`)),
    );
    const start = (index: number) => {
      const holder = `server ${index}, life ${this.crashes}`;
      this.#servers[index] = new Server(ground, this.#links[index] as Link, holder, random.fork(holder));
    };
    for (let index = 0; index < count; index += 1) start(index);
    every(time, crashEveryMs, () => {
      const index = random.int(0, count - 1);
      this.crashes += 1;
      this.#servers[index]?.crash();
      start(index);
    });
    every(time, cutEveryMs, () => {
      this.cuts += 1;
      for (const link of random.some(this.#links, Math.ceil(count / 10))) link.cutUntil = time.now + 3_000;
    });
    every(time, minuteMs / 4, () => {
      for (const server of this.#servers) server.forgetIdle();
    });
  }

  get calls(): number {
    return sum(this.#links.map(({ calls }) => calls));
  }

  get asks(): number {
    return sum(this.#links.map(({ asks }) => asks));
  }

  /** Whoever a balancer sends the next request to. */
  pick(): Server {
    return this.#random.pick(this.#servers);
  }
}

function sendRequests({ perSecond }: SimulationOptions, ground: Ground, fleet: Fleet, random: Random): void {
  const next = () => {
    fleet.pick().request(ground.tenants.pick(random));
    ground.time.after((-1000 * Math.log(1 - random.next())) / perSecond, next);
  };
  next();
}

function every(time: VirtualTime, milliseconds: number, run: () => void): void {
  time.after(milliseconds, () => {
    run();
    every(time, milliseconds, run);
  });
}

function worstOf(log: AdmissionsLog, tenants: Tenants): Figures['worst'] {
  let worst = { share: 0, tenant: 0, admitted: 0, limit: 0 };
  for (const tenant of log.tenants) {
    const [admitted, limit] = [log.worstMinute(tenant), tenants.limit(tenant)];
    if (admitted / limit > worst.share) worst = { share: admitted / limit, tenant, admitted, limit };
  }
  return worst;
}

function difference(after: Counts, before: Counts): Counts {
  const entries = Object.entries(after) as [keyof Counts, number][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value - before[name]]),
  ) as unknown as Counts;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
