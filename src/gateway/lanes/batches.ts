import type { KeptObject } from '../../background/vendor-objects/vendor-objects.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import type { VendorUsage } from '../../model/port.ts';
import { clientFailure, isNotThere } from '../routing/discovery/sdk-clients.ts';
import type { Provider } from '../routing/provider.ts';
import { readUsage } from '../wires/openai-responses/vendor/reply.ts';
import { type FilesParts, json, metered } from './files.ts';
import { batchKeepMs, keeperOf, listOf, listRequest, newBatchId, type VendorObject } from './vendor-files.ts';
import type { WireContext } from './wire-context.ts';

/** Begins a batch where its file is kept. */
export async function createBatch(
  parts: FilesParts,
  call: WireCall,
  context: WireContext,
): Promise<WireReply> {
  const { models, objects, admissions, batches } = parts;
  const { tenantId } = context.caller;
  const fileId = String(call.body['input_file_id']);
  const input = await objects.find({ tenantId, kind: 'file', id: fileId });
  const missing = () =>
    new ServiceError('invalid_request', `No such File object: ${fileId}`, { param: 'input_file_id' });
  if (!input) throw missing();
  const provider = keeperOf(models, input, missing);
  const { files } = provider;
  if (files === null)
    return metered(admissions, context, provider, () => batches.begin(input, call, context), true);
  const begun = async () => {
    const client = await files();
    const body = { ...call.body, input_file_id: input.vendorId };
    const made = await client.post<VendorObject>('/batches', { body, signal: context.signal });
    const id = newBatchId();
    const data = { ...made, id, input_file_id: input.id };
    const object = { provider: provider.id, model: null, vendorId: made.id, data, counted: false };
    try {
      await objects.record({ tenantId, kind: 'batch', id, ...object, keepMs: batchKeepMs });
    } catch (thrown) {
      // No client could name it.
      await client.batches.cancel(made.id).catch(() => undefined);
      throw thrown;
    }
    return data;
  };
  return metered(admissions, context, provider, begun, true);
}

/** The state of a tenant's batch, as its provider reports it. */
export function getBatch(parts: FilesParts, call: WireCall, context: WireContext): Promise<WireReply> {
  const { batches } = parts;
  return seen(parts, call, context, {
    vendor: (client, id) => client.batches.retrieve(id),
    async sandbox(kept) {
      const batch = kept.data as VendorObject;
      return (await batches.now(kept.tenantId, [batch]))[0] ?? batch;
    },
  });
}

/** Cancels a batch of the tenant. One that has ended stays as it is in the sandbox. */
export function cancelBatch(parts: FilesParts, call: WireCall, context: WireContext): Promise<WireReply> {
  return seen(parts, call, context, {
    vendor: (client, id) => client.batches.cancel(id),
    sandbox: (kept) => parts.batches.cancel(kept),
  });
}

/** The tenant's batches, each as it was last seen. */
export async function listBatches(
  { objects, batches }: FilesParts,
  { query }: WireCall,
  context: WireContext,
): Promise<WireReply> {
  const { limit, ...request } = listRequest(query, 20, 100);
  const { tenantId } = context.caller;
  const page = await objects.list(tenantId, 'batch', { ...request, limit: limit + 1 });
  const found = page.map(({ data }) => data as VendorObject);
  return json(listOf(await batches.now(tenantId, found), limit));
}

/** How a batch is asked for, where it is kept. */
interface Ways {
  readonly vendor: (client: Client, vendorId: string) => Promise<object>;
  readonly sandbox: (kept: KeptObject) => Promise<object>;
}

type Client = Awaited<ReturnType<NonNullable<Provider['files']>>>;

async function seen(
  { models, objects, admissions }: FilesParts,
  { path }: WireCall,
  context: WireContext,
  { vendor, sandbox }: Ways,
): Promise<WireReply> {
  const id = path['batch_id'] ?? '';
  const { tenantId } = context.caller;
  const missing = () => new ServiceError('not_found', `No batch found with id '${id}'.`, { param: 'id' });
  const kept = await objects.find({ tenantId, kind: 'batch', id });
  if (!kept) throw missing();
  const provider = keeperOf(models, kept, missing);
  const { files } = provider;
  if (files === null) return metered(admissions, context, provider, () => sandbox(kept));
  return metered(admissions, context, provider, async (use) => {
    try {
      const batch = (await vendor(await files(), kept.vendorId)) as VendorObject;
      const { shown, usage } = await named({ objects }, kept, batch);
      if (usage !== null && (await objects.count(kept))) use(usage, modelOf(batch));
      await objects.update(kept, shown);
      return shown;
    } catch (thrown) {
      if (!isNotThere(thrown)) throw clientFailure(provider, thrown);
      await objects.remove(kept);
      throw missing();
    }
  });
}

function modelOf({ model }: VendorObject): string {
  return typeof model === 'string' ? model : '';
}

/** A vendor's batch with ids of our own: the files of its results are the tenant's too. */
async function named(
  { objects }: Pick<FilesParts, 'objects'>,
  kept: KeptObject,
  batch: VendorObject,
): Promise<{ shown: VendorObject; usage: VendorUsage }> {
  const usage = batch['status'] === 'completed' && !kept.counted ? readUsage(batch['usage']) : null;
  const counted = kept.counted || usage !== null;
  const fileOf = async (vendorId: unknown, suffix: 'o' | 'e') => {
    if (typeof vendorId !== 'string' || vendorId === '') return vendorId ?? null;
    // Of the batch's own id, so that it is the same whoever sees it first.
    const id = `file-sy${kept.id.slice('batch_sy'.length)}${suffix}`;
    const filename = `${kept.id}_${suffix === 'o' ? 'output' : 'error'}.jsonl`;
    const data = {
      id,
      object: 'file',
      bytes: null,
      created_at: batch['created_at'],
      filename,
      purpose: 'batch_output',
    };
    const model = modelOf(batch) || null;
    const object = { provider: kept.provider, model, vendorId, data, keepMs: batchKeepMs };
    const { tenantId } = kept;
    await objects.recordOnce({ tenantId, kind: 'file', id, ...object, counted: counted || suffix === 'e' });
    return id;
  };
  const { input_file_id: inputId } = kept.data as VendorObject;
  const shown = {
    ...batch,
    id: kept.id,
    input_file_id: inputId,
    output_file_id: await fileOf(batch['output_file_id'], 'o'),
    error_file_id: await fileOf(batch['error_file_id'], 'e'),
  };
  return { shown, usage };
}
