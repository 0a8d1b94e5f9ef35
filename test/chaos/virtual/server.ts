import type { Authority, Need, ReservationResult, Seed } from '../../../src/limits/authority.ts';
import { LeaseHolder } from '../../../src/limits/lease-holder.ts';
import type { Random } from '../random.ts';
import type { AdmissionsLog, Tenants, VirtualTime } from './world.ts';

/** When the simulation begins, as wall clocks have it. */
export const epoch = Date.UTC(2026, 10, 22, 12);
const minuteMs = 60_000;

/** What became of requests. */
export interface Counts {
  requests: number;
  admitted: number;
  /** Of these without asking the authority. */
  fromLeases: number;
  refused: number;
  /** Of these without asking the authority. */
  refusedHere: number;
  /** Those that got no decision: the authority did not answer, or the server died. */
  undecided: number;
}

export interface Ground {
  readonly time: VirtualTime;
  readonly tenants: Tenants;
  readonly log: AdmissionsLog;
  readonly counts: Counts;
}

/** One life of a server: the product's lease holder, with a clock of its own. */
export class Server {
  readonly #ground: Ground;
  readonly #leaseHolder: LeaseHolder;
  #alive = true;

  constructor(ground: Ground, authority: Authority, holder: string, random: Random) {
    this.#ground = ground;
    const { time } = ground;
    // Its clock was set to anything, and runs at a rate that is off by up to 0.01 %, as those of computers are.
    const offset = random.int(0, 1e9);
    const rate = 1 + (random.next() - 0.5) * 2e-4;
    const clock = () => offset + rate * time.now;
    this.#leaseHolder = new LeaseHolder({
      authority,
      holder,
      clock: { monotonic: clock, elapsed: clock },
      seedsOf: (needs) => this.#seeds(needs),
      mayBeDone: () => true,
    });
  }

  /** Takes a request of a tenant. */
  request(tenant: number): void {
    const { counts, tenants } = this.#ground;
    counts.requests += 1;
    const limit = tenants.limit(tenant);
    // A month that is never spent goes with every minute, as plans have it.
    const taking = this.#leaseHolder.take([
      needOf(`${tenant}/minute`, 'minute', limit),
      needOf(`${tenant}/month`, 'month', limit * 10_000),
    ]);
    if (!(taking instanceof Promise)) this.#decided(tenant, taking, true);
    else
      taking.then(
        (come) => this.#decided(tenant, come, false),
        () => {
          counts.undecided += 1;
        },
      );
  }

  /** What it holds is lost, and nothing that it has asked for is carried out. */
  crash(): void {
    this.#alive = false;
  }

  forgetIdle(): void {
    this.#leaseHolder.forgetIdle();
  }

  #decided(tenant: number, taking: ReservationResult, here: boolean): void {
    const { counts, log, time } = this.#ground;
    if (!this.#alive) counts.undecided += 1;
    else if (taking.granted) {
      counts.admitted += 1;
      if (here) counts.fromLeases += 1;
      // As the ledger has it: when the authority decided, or now.
      log.add(tenant, taking.at === null ? time.now : taking.at - epoch);
    } else {
      counts.refused += 1;
      if (here) counts.refusedHere += 1;
    }
  }

  async #seeds(needs: readonly Need[]): Promise<readonly Seed[]> {
    const { time, log } = this.#ground;
    await time.pause(1);
    return needs.map(({ bucket: { id, window } }) => {
      const tenant = Number.parseInt(id, 10);
      if (window !== 'minute') return { bucketId: id, window, entries: [], used: log.total(tenant) };
      const times = log.within(tenant, time.now - minuteMs, time.now);
      return { bucketId: id, window, entries: times.map((at) => [at, 1] as const), used: times.length };
    });
  }
}

function needOf(id: string, window: 'minute' | 'month', limit: number): Need {
  return { bucket: { id, window, limit }, amount: 1, unit: 'requests', name: window, hard: true };
}
