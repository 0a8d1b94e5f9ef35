import { ulid } from '../../lib/ids.ts';
import type { About } from '../../lib/server-about.ts';
import { repeat } from '../../lib/timers.ts';
import type { Authority } from '../../limits/authority.ts';
import type { PriceBook } from '../../model/usage.ts';
import type { Store } from '../../store/store.ts';
import { Admissions } from './admissions.ts';
import { sweepLedger } from './ledger-retention.ts';
import { Presence, showing } from './presence.ts';
import { keepPrices } from './price-book.ts';
import { abandoned } from './settlements.ts';

type AdmissionsParts = ConstructorParameters<typeof Admissions>[0];
type Instead = 'ledger' | 'authority' | 'clock' | 'synchroniseClock' | 'instanceId';

export interface MeteringSettings extends Omit<AdmissionsParts, Instead> {
  /** The price book of `priceOf`, to be kept with the ledger; none if left out. */
  readonly prices?: PriceBook;
  /** `LEDGER_RETENTION_DAYS`; null: rows of the ledger are kept for good. */
  readonly ledgerRetentionDays?: number | null;
  /** Who knows how much of the limits is left; the store if left out. */
  readonly authority?: Authority | undefined;
  /** The facts that this process publishes about itself; none if left out. */
  readonly about?: () => About;
  /** Called with errors of background work. */
  readonly onError?: (error: unknown) => void;
}

/** How often a process shows that it lives, in milliseconds. */
const beatMs = 5_000;
/** When a request that was never settled is given up, in milliseconds: no request is allowed to take this long. */
const maxRequestMs = 3_600_000;
/** How often what was settled goes into the sums of days, in milliseconds. */
const sumMs = 1_000;
/** How often the ledger is made ready for coming days, in milliseconds. */
const daysMs = 3_600_000;
/** Pause between searches of the ledger for rows that are too old, in milliseconds. */
const retentionMs = 600_000;

/** Admits requests and settles them. */
export type Metering = Awaited<ReturnType<typeof openMetering>>;

/** Opens the metering of requests on a store, and closes what a crash left open. Throws `StoreError`. */
export async function openMetering(store: Store, settings: MeteringSettings) {
  const { prices = {}, ledgerRetentionDays: days = null, about, onError = ignore } = settings;
  const { clock } = store;
  const instanceId = ulid();
  await keepPrices(store, prices);
  const presence = new Presence(store, instanceId, about);
  await store.ledger.prepareDays(clock.now());
  await presence.renew();
  const interrupted = await presence.sweep();
  const admissions = new Admissions({
    ...settings,
    authority: settings.authority ?? store.authority,
    ledger: showing(store.ledger, presence),
    clock,
    synchroniseClock: () => store.synchroniseClock(),
    instanceId,
  });
  const beat = async () => {
    // First: the steps below use its time.
    await store.synchroniseClock();
    await presence.renew();
    await presence.sweep();
    admissions.forgetIdle();
    giveUp(admissions, clock.ago(maxRequestMs));
  };
  const pulse = repeat(beatMs, beat, onError);
  const sums = repeat(sumMs, () => store.ledger.sum(clock.now()), onError);
  const coming = repeat(daysMs, () => store.ledger.prepareDays(clock.now()), onError);
  const retention =
    days === null ? null : repeat(retentionMs, (signal) => sweepLedger(store, days, signal), onError);
  return {
    admissions,
    /** This process among those on the database. */
    instanceId,
    /** Rows of the ledger that processes before this one left open. */
    interrupted,
    /** Runs every few seconds. */
    beat,
    /** Writes all that is not on disk yet. The store stays open. */
    async close() {
      await Promise.all([pulse.stop(), sums.stop(), coming.stop(), retention?.stop()]);
      await admissions.close();
      await store.ledger.sum(clock.now()).catch(onError);
      // Without the database the others notice by themselves that this process has ended.
      await presence.leave().catch(onError);
    },
  };
}

/** Settles what its handler has forgotten, so that it does not hold a place for ever. */
function giveUp({ open }: Admissions, before: number): void {
  for (const admission of open) {
    if (admission.createdAt <= before) admission.settle(abandoned);
  }
}

const ignore = () => undefined;
