import { ulid } from '../lib/ids.ts';
import { repeat } from '../lib/repeat.ts';
import type { Store } from '../store/store.ts';
import type { AdmissionObserver, StatusOf } from './admission.ts';
import { Admissions } from './admissions.ts';
import { sweepLedger } from './ledger-retention.ts';
import { Presence } from './presence.ts';
import type { PriceOf } from './prices.ts';
import { abandoned } from './settlements.ts';

export interface MeteringSettings {
  readonly priceOf: PriceOf;
  readonly statusOf: StatusOf;
  /** `LEDGER_RETENTION_DAYS`; null: rows of the ledger are kept for good. */
  readonly ledgerRetentionDays?: number | null;
  readonly observer?: AdmissionObserver;
  /** Is told of what goes wrong in the background, where nobody waits for it. */
  readonly onError?: (error: unknown) => void;
}

/** How often a process shows that it lives, in milliseconds. */
const beatMs = 5_000;
/** When a request that was never settled is given up, in milliseconds: no request is allowed to take this long. */
const maxRequestMs = 3_600_000;
/** How often the ledger is gone through for rows that are too old, in milliseconds. */
const retentionMs = 600_000;

/** What admits requests and settles them. */
export interface Metering {
  readonly admissions: Admissions;
  /** This process among those on the database. */
  readonly instanceId: string;
  /** Rows of the ledger that processes before this one left open. */
  readonly interrupted: number;
  /** What runs every few seconds. */
  beat(): Promise<void>;
  /** Writes all that is not on disk yet. The store stays open. */
  close(): Promise<void>;
}

/** Opens the metering of requests on a store, and closes what a crash left open. Throws `StoreError`. */
export async function openMetering(
  store: Store,
  { priceOf, statusOf, ledgerRetentionDays: days = null, observer, onError = ignore }: MeteringSettings,
): Promise<Metering> {
  const { clock } = store;
  const instanceId = ulid();
  const presence = new Presence(store, instanceId);
  await presence.renew();
  const interrupted = await presence.sweep();
  const admissions = new Admissions({
    ledger: store.ledger,
    clock,
    synchroniseClock: () => store.synchroniseClock(),
    instanceId,
    priceOf,
    statusOf,
    observer,
  });
  const beat = async () => {
    // First: what follows goes by it.
    await store.synchroniseClock();
    await presence.renew();
    await presence.sweep();
    admissions.forgetIdle();
    giveUp(admissions, clock.ago(maxRequestMs));
  };
  const pulse = repeat(beatMs, beat, onError);
  const retention =
    days === null ? null : repeat(retentionMs, (signal) => sweepLedger(store, days, signal), onError);
  return {
    admissions,
    instanceId,
    interrupted,
    beat,
    async close() {
      await Promise.all([pulse.stop(), retention?.stop()]);
      await admissions.flush();
      // Without the database the others find out by themselves that this process is gone.
      await presence.leave().catch(onError);
    },
  };
}

/** Settles what its handler has forgotten, so that it does not hold a place for ever. */
function giveUp({ open }: Admissions, before: number): void {
  for (const admission of open) {
    if (admission.createdAt > before) return;
    admission.settle(abandoned);
  }
}

const ignore = () => undefined;
