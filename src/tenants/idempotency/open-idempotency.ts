import type { Idempotency } from '../../contract/idempotency.ts';
import { repeat } from '../../lib/timers.ts';
import type { Store } from '../../store/store.ts';
import { KeyStore, Room } from './key-store.ts';
import { IdempotencyKeys, UnwrittenEnds } from './keys.ts';
import { type KeyFor, Sealing } from './sealing.ts';

export interface IdempotencySettings {
  /** This process among those on the database. */
  readonly instanceId: string;
  /** `IDEMPOTENCY_HOURS`, `IDEMPOTENCY_MAX_ANSWER`, `IDEMPOTENCY_MAX_KEYS`, `IDEMPOTENCY_MAX_TOTAL`. */
  readonly idempotencyHours: number;
  readonly idempotencyMaxAnswer: number;
  readonly idempotencyMaxKeys: number;
  readonly idempotencyMaxTotal: number;
  readonly keyFor: KeyFor;
  /** Called with errors of background work. */
  readonly onError: (error: unknown) => void;
}

export interface OpenIdempotency {
  readonly keys: Idempotency;
  /** Writes all that is not on disk yet, as far as it can be. The store stays open. */
  close(): Promise<void>;
}

const hourMs = 3_600_000;
/** How often keys whose time is over are deleted, in milliseconds. */
const sweepMs = 600_000;

/** Opens the records of requests with an `Idempotency-Key`, and deletes expired ones. */
export function openIdempotency(
  store: Store,
  { instanceId, keyFor, onError, ...settings }: IdempotencySettings,
): OpenIdempotency {
  const keys = new KeyStore(store, instanceId, settings.idempotencyHours * hourMs);
  const { idempotencyMaxKeys: maxKeys, idempotencyMaxTotal: maxTotalBytes } = settings;
  const room = new Room(keys, { maxKeys, maxTotalBytes });
  const unwritten = new UnwrittenEnds(onError);
  const sweeping = repeat(
    sweepMs,
    async (signal) => {
      room.forgetIdle();
      await keys.forgetOld(signal);
    },
    onError,
  );
  const sealing = new Sealing(keyFor);
  const maxAnswerBytes = settings.idempotencyMaxAnswer;
  return {
    keys: new IdempotencyKeys({ keys, sealing, room, unwritten, maxKeys, maxAnswerBytes, onError }),
    async close() {
      await sweeping.stop();
      await unwritten.stop();
    },
  };
}
