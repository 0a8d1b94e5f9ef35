import type { KeptObject, VendorObjects } from '../../background/vendor-objects/vendor-objects.ts';
import { ServiceError } from '../../contract/errors.ts';
import { filesNamed } from '../../contract/form.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import type { TokenUsage } from '../../model/usage.ts';
import { admit, type Delivered, type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import { clientFailure, isNotThere } from '../routing/discovery/sdk-clients.ts';
import type { Provider } from '../routing/provider.ts';
import { writeForm } from '../wires/openai-media/write-form.ts';
import { BatchUsage } from './batch-usage.ts';
import type { GenerationParts } from './generation.ts';
import { laneHeaders } from './lane-headers.ts';
import type { SandboxBatches } from './sandbox-batches.ts';
import { keepInSandbox } from './sandbox-files.ts';
import {
  chosenKeeper,
  keeperOf,
  listOf,
  listRequest,
  newFileId,
  noFile,
  ownFile,
  type VendorObject,
  withoutProvider,
} from './vendor-files.ts';
import type { WireContext } from './wire-context.ts';

const none = { warnings: [], model: '' } as const;

/** Uploads a file to the provider that is to keep it. It is never in memory as a whole, but for one that the sandbox keeps. */
export async function createFile(
  { models, admissions, objects }: FilesParts,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  const { form } = call;
  if (!form || filesNamed(form, 'file').length !== 1)
    throw new ServiceError('invalid_request', 'file must be one file.', { param: 'file' });
  const provider = chosenKeeper(models, call);
  const { tenantId } = context.caller;
  const id = newFileId();
  return metered(admissions, context, provider, async () => {
    if (provider.files === null) return keepInSandbox(objects, tenantId, id, form);
    const client = await provider.files();
    const written = writeForm(withoutProvider(form), {});
    const made = await client.post<VendorObject>('/files', {
      body: written.stream(),
      headers: { 'content-type': written.contentType },
      maxRetries: 0,
      signal: context.signal,
    });
    const file = { ...made, id };
    const object = { provider: provider.id, model: null, vendorId: made.id, data: file, counted: true };
    try {
      await objects.record({ tenantId, kind: 'file', id, ...object, keepMs: keepMsOf(made) });
    } catch (thrown) {
      // No client could name it.
      await client.files.delete(made.id).catch(() => undefined);
      throw thrown;
    }
    return file;
  });
}

/** Vendors say in seconds since the epoch when a file goes. */
function keepMsOf({ expires_at: at, created_at: made }: VendorObject): number | null {
  return typeof at === 'number' && typeof made === 'number' && at > made ? (at - made) * 1000 : null;
}

/** How a file of the tenant stands. */
export async function getFile(parts: FilesParts, call: WireCall, context: WireContext): Promise<WireReply> {
  const { kept, provider } = await keptFile(parts, call, context);
  return metered(parts.admissions, context, provider, async () => {
    if (provider.files === null) return kept.data as object;
    const client = await provider.files();
    const found = await orForgotten(parts.objects, kept, client.files.retrieve(kept.vendorId));
    return { ...found, id: kept.id };
  });
}

/** Deletes a file where it is kept. */
export async function deleteFile(
  parts: FilesParts,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  const { kept, provider } = await keptFile(parts, call, context);
  return metered(parts.admissions, context, provider, async () => {
    if (provider.files !== null) {
      const client = await provider.files();
      await orForgotten(parts.objects, kept, client.files.delete(kept.vendorId));
    }
    await parts.objects.remove(kept);
    return { id: kept.id, object: 'file', deleted: true };
  });
}

/** The tenant's files, page by page. */
export async function listFiles({ objects }: FilesParts, { query }: WireCall, context: WireContext) {
  const { limit, ...request } = listRequest(query, 1000, 1000);
  const purpose = query.get('purpose');
  const found: VendorObject[] = [];
  for (let { after } = request, more = true; more && found.length <= limit; ) {
    const page = await objects.list(context.caller.tenantId, 'file', { ...request, after, limit: limit + 1 });
    after = page.at(-1)?.id ?? null;
    more = page.length > limit;
    for (const { id, data } of page) {
      const file = { ...(data as object), id } as VendorObject;
      if (purpose === null || file['purpose'] === purpose) found.push(file);
    }
  }
  return json(listOf(found, limit));
}

/**
 * The bytes of a file, as they come. The usage of a batch is accounted for when its results are first asked for: they are
 * read to the end before any of them goes out, so that leaving early does not make them free.
 */
export async function getFileContent(
  parts: FilesParts,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  const { objects, admissions } = parts;
  const { kept, provider } = await keptFile(parts, call, context);
  const meter = await admit(admissions, context, {
    model: kept.model,
    callsNone: kept.model === null,
    onlyCounts: true,
  });
  const served = { ...none, provider: provider.id, model: kept.model ?? '' };
  let delivered: Delivered = { served, usage: null };
  try {
    const used = kept.counted
      ? null
      : await usageIn(await contentOf(objects, provider, kept, context.signal));
    const total = used?.total() ?? null;
    if (total !== null && (await objects.count(kept)))
      delivered = {
        served: { ...served, model: used?.model ?? served.model },
        usage: { tokens: total, source: 'provider' },
      };
    const source = await contentOf(objects, provider, kept, context.signal);
    meter.answering();
    return {
      mediaType: 'application/octet-stream',
      opaque: true,
      headers: laneHeaders(served, provider.files === null ? 'translated' : 'native'),
      chunks: settled(source, meter, delivered),
    };
  } catch (thrown) {
    const failure = clientFailure(provider, thrown);
    await meter.failed(failure, delivered);
    throw failure;
  }
}

async function usageIn(results: AsyncIterable<Uint8Array>): Promise<BatchUsage> {
  const usage = new BatchUsage();
  for await (const chunk of results) usage.read(chunk);
  return usage;
}

async function contentOf(
  objects: VendorObjects,
  { files }: Provider,
  kept: KeptObject,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (files === null) {
    const bytes = await objects.content(kept.tenantId, kept.id);
    if (bytes === null) throw noFile(kept.id);
    return (async function* () {
      yield bytes;
    })();
  }
  const client = await files();
  const reply = await orForgotten(objects, kept, client.files.content(kept.vendorId, { signal }));
  return reply.body ?? (async function* () {})();
}

/** The chunks as they come; the last is held back until the request is settled. */
async function* settled(
  source: AsyncIterable<Uint8Array>,
  meter: Meter,
  delivered: Delivered,
): AsyncGenerator<Buffer, undefined> {
  let held: Buffer | null = null;
  let over = false;
  let failure: unknown = null;
  try {
    for await (const chunk of source) {
      if (held !== null) yield held;
      held = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
    over = true;
    await meter.succeeded(delivered);
    if (held !== null) yield held;
    return undefined;
  } catch (thrown) {
    failure = thrown;
    throw new ServiceError('provider_stream_interrupted', 'The file broke off.', { cause: thrown });
  } finally {
    // Also when the reader has disconnected.
    if (!over && failure === null) meter.cancelled(delivered);
    else if (!over) await meter.failed(failure, delivered);
  }
}

async function keptFile({ objects, models }: FilesParts, { path }: WireCall, context: WireContext) {
  const id = path['file_id'] ?? '';
  const kept = await ownFile(objects, context, id);
  return { kept, provider: keeperOf(models, kept, () => noFile(id)) };
}

/** The vendor's answer; a file that the vendor no longer has is forgotten here too. */
async function orForgotten<T>(objects: VendorObjects, kept: KeptObject, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (thrown) {
    if (!isNotThere(thrown)) throw thrown;
    await objects.remove(kept);
    throw noFile(kept.id);
  }
}

/**
 * Makes a call that concerns a provider but no model, within the limits of the tenant.
 * @param work may report once what a model has used meanwhile
 * @param spends whether a model is given work by it
 */
export async function metered(
  admissions: FilesParts['admissions'],
  context: WireContext,
  provider: Provider,
  work: (use: (usage: TokenUsage, model: string) => void) => Promise<object>,
  spends = false,
): Promise<WireReply> {
  const meter = await admit(admissions, context, { model: null, callsNone: true, onlyCounts: !spends });
  const served = { ...none, provider: provider.id };
  let delivered: Delivered = nothingDelivered;
  const use = (usage: TokenUsage, model: string) => {
    delivered = { served: { ...served, model }, usage: { tokens: usage, source: 'provider' } };
  };
  try {
    const reply = json(
      await work(use),
      laneHeaders(served, provider.files === null ? 'translated' : 'native'),
    );
    await meter.succeeded(delivered);
    return reply;
  } catch (thrown) {
    const failure = clientFailure(provider, thrown);
    await meter.failed(failure, nothingDelivered);
    throw failure;
  }
}

export function json(body: object, headers: Readonly<Record<string, string>> = {}): WireReply {
  return { status: 200, mediaType: 'application/json', headers, body: JSON.stringify(body) };
}

/** The parts that files and batches need. */
export interface FilesParts extends GenerationParts {
  /** Those of files that the sandbox keeps. */
  readonly batches: SandboxBatches;
}
