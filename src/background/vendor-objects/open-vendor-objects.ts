import { repeat } from '../../lib/repeat.ts';
import type { Store } from '../../store/store.ts';
import { OpenBatches } from './open-batches.ts';
import { VendorObjects } from './vendor-objects.ts';

/** How often what is past its time is deleted, in milliseconds. */
const sweepMs = 3_600_000;

export interface Kept {
  readonly objects: VendorObjects;
  readonly batches: OpenBatches;
  close(): Promise<void>;
}

/** Opens what is known of what vendors keep, and deletes what is past its time. */
export function openVendorObjects(store: Store, onError: (error: unknown) => void): Kept {
  const objects = new VendorObjects(store);
  const sweeping = repeat(sweepMs, (signal) => objects.forgetOld(signal), onError);
  return { objects, batches: new OpenBatches(store, objects), close: () => sweeping.stop() };
}
