import type { KeptObject, VendorObjects } from '../../background/vendor-objects/vendor-objects.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import { objectIn } from '../../lib/json.ts';
import type { ServerTimeLimits, TimeLimits } from '../../model/port.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import { admit, type Delivered, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { LaneGateway } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import { type NativeWhole, vendorSaid, wholeReply } from '../upstream/native-reply.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import { readUsage } from '../wires/openai-responses/vendor/reply.ts';
import { unread } from './forward.ts';
import { laneHeaders } from './lane-headers.ts';
import { nativeCall } from './native-call.ts';
import type { WireContext } from './wire-context.ts';

export interface StoredParts {
  readonly models: LaneGateway;
  readonly admissions: Admissions;
  readonly objects: VendorObjects;
  readonly timeLimits: ServerTimeLimits;
}

/** The actions on a response that a vendor keeps. */
export const storedActions = {
  getResponse: { method: 'GET', suffix: '' },
  deleteResponse: { method: 'DELETE', suffix: '' },
  cancelResponse: { method: 'POST', suffix: '/cancel' },
  listResponseInputItems: { method: 'GET', suffix: '/input_items' },
} as const;

export type StoredOperation = keyof typeof storedActions;

/**
 * Carries out an action on a response at the provider that keeps it, for the tenant that owns it. A response made in the
 * background is accounted for when it is first seen to be complete. Throws `ServiceError`: `not_found` for any other
 * response.
 */
export async function storedResponse(
  { models, admissions, objects, timeLimits }: StoredParts,
  operation: StoredOperation,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  const id = call.path['response_id'] ?? '';
  if (call.query.get('stream') === 'true')
    throw new ServiceError('invalid_request', 'stream: a stored response is only given whole.', {
      param: 'stream',
    });
  const { tenantId } = context.caller;
  const kept = await objects.find({ tenantId, kind: 'response', id });
  const provider = kept && models.provider(kept.provider);
  if (!kept || !provider?.speaks.includes('openai-responses')) throw notFound(id);
  const meter = await admit(admissions, context, {
    model: kept.model,
    callsNone: kept.model === null,
    onlyCounts: true,
  });
  try {
    const reply = await ask(provider, kept, operation, call, context, timeLimits);
    if (operation === 'deleteResponse') await objects.remove(kept);
    const served = { provider: kept.provider, model: kept.model ?? '', warnings: [] };
    await meter.succeeded(await delivered(objects, kept, reply, served));
    const { mediaType, body } = reply;
    return { status: 200, mediaType, body, headers: laneHeaders(served, 'native') };
  } catch (thrown) {
    await meter.failed(thrown, nothingDelivered);
    if (thrown instanceof ProviderError && thrown.code === 'model_not_found') {
      // The vendor has forgotten it.
      if (operation === 'deleteResponse') await objects.remove(kept);
      throw notFound(id);
    }
    const said = vendorSaid(thrown);
    if (said === null) throw thrown;
    return said;
  }
}

function notFound(id: string): ServiceError {
  return new ServiceError('not_found', `Response with id '${id}' not found.`);
}

async function ask(
  { connection, endpoint }: Provider,
  { vendorId, model }: KeptObject,
  operation: StoredOperation,
  { query }: WireCall,
  context: WireContext,
  limits: TimeLimits,
): Promise<NativeWhole> {
  const { signal, memory } = context;
  if (connection === null) throw new Error('The sandbox keeps nothing.');
  const { method, suffix } = storedActions[operation];
  const call = nativeCall(endpoint('openai-responses'), context, {
    suffix: `/responses/${encodeURIComponent(vendorId)}${suffix}`,
    model: model ?? '',
    method,
    body: null,
  });
  const native = {
    model: model ?? '',
    reader: unread,
    call: { ...call, path: withQuery(call.path, query) },
  };
  return wholeReply(connection, native, { signal, memory: memory ?? null, limits });
}

/** The client's query, but for its key. */
function withQuery(path: string, query: URLSearchParams): string {
  const passed = new URLSearchParams(query);
  passed.delete('key');
  if (passed.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${passed}`;
}

const overStates: ReadonlySet<unknown> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

/** The usage of a response that is seen to be done for the first time; nothing of any other. */
async function delivered(
  objects: VendorObjects,
  kept: KeptObject,
  { body }: NativeWhole,
  served: NonNullable<Delivered['served']>,
): Promise<Delivered> {
  if (kept.counted) return { served, usage: null };
  const response = objectIn(body.toString()) ?? {};
  const usage = overStates.has(response['status']) ? readUsage(response['usage']) : null;
  if (usage === null || !(await objects.count(kept))) return { served, usage: null };
  return { served, usage: { tokens: usage, source: 'provider' } };
}
