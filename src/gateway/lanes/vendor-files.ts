import type { KeptObject, VendorObjects } from '../../background/vendor-objects/vendor-objects.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Form, fieldName } from '../../contract/form.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import { ulid } from '../../lib/ids.ts';
import { sandboxId } from '../../model/usage.ts';
import type { LaneGateway } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import type { WireContext } from './wire-context.ts';

/** How long a vendor keeps batches and their results, in milliseconds. */
export const batchKeepMs = 30 * 86_400_000;

/** An object of OpenAI's, of which nothing is known but its id. */
export type VendorObject = Readonly<Record<string, unknown>> & { readonly id: string };

/** Ids of our own sort by time, and are of the forms that clients know. */
export const newFileId = () => `file-sy${ulid().toLowerCase()}`;
export const newBatchId = () => `batch_sy${ulid().toLowerCase()}`;

/** The file of a tenant. Throws `ServiceError` for any other, in OpenAI's words. */
export async function ownFile(
  objects: VendorObjects,
  { caller: { tenantId } }: WireContext,
  id: string,
): Promise<KeptObject> {
  const kept = await objects.find({ tenantId, kind: 'file', id });
  if (!kept) throw noFile(id);
  return kept;
}

export function noFile(id: string): ServiceError {
  return new ServiceError('not_found', `No such File object: ${id}`, { param: 'id' });
}

/** The provider that keeps an object. Throws `ServiceError` where the operator has taken it away. */
export function keeperOf(models: LaneGateway, kept: KeptObject, missing: () => ServiceError): Provider {
  const provider = models.provider(kept.provider);
  if (provider === null || (provider.files === null && provider.id !== sandboxId)) throw missing();
  return provider;
}

/** Who is to keep a file: the provider that the client names, or the first that has files, or the sandbox. */
export function chosenKeeper(models: LaneGateway, { form, query, headers }: WireCall): Provider {
  const field = form?.parts.find(({ name, filename }) => fieldName(name) === 'provider' && filename === null);
  const named = field?.text ?? query.get('provider') ?? headers['x-switchyard-provider'];
  const able = models.providers().filter(({ id, files }) => files !== null || id === sandboxId);
  if (named === undefined || named === null)
    return (able.find(({ speaks }) => speaks.includes('openai-responses')) ?? able[0]) as Provider;
  const found = able.find(({ id }) => id === named);
  if (found) return found;
  const message = `There is no provider ${JSON.stringify(String(named).slice(0, 100))} that has files; there are ${able.map(({ id }) => id).join(', ')}.`;
  throw new ServiceError('invalid_request', message, { param: 'provider' });
}

/** The form for the vendor: all but the name of the provider. */
export function withoutProvider({ parts }: Form): Form {
  return { parts: parts.filter(({ name }) => fieldName(name) !== 'provider') };
}

export interface ListRequest {
  readonly after: string | null;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

/** The page that a client asks for. Throws `invalid_request`. */
export function listRequest(query: URLSearchParams, usual: number, max: number): ListRequest {
  const limit = query.get('limit') === null ? usual : Number(query.get('limit'));
  if (!Number.isInteger(limit) || limit < 1 || limit > max)
    throw new ServiceError('invalid_request', `limit must be a whole number from 1 to ${max}.`, {
      param: 'limit',
    });
  return { after: query.get('after'), limit, order: query.get('order') === 'asc' ? 'asc' : 'desc' };
}

/** A list in OpenAI's form. @param found one more than the page has, where there are more */
export function listOf(found: readonly VendorObject[], limit: number): object {
  const data = found.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}
