import type { WireCall } from '../../contract/wire-operations.ts';
import { withWholeCharacters } from '../../lib/json.ts';
import { withMembers } from '../../lib/json-splice.ts';
import type { Endpoint } from '../upstream/settings.ts';
import { type VendorCall, vendorHeaders } from '../upstream/vendor-client.ts';
import { forwardedHeaders } from './lane-headers.ts';
import type { WireContext } from './wire-context.ts';

/** Members at the top of a body that are to change, with their values. */
export type BodyChanges = Readonly<Record<string, unknown>>;

/** A body with such changes; every other byte of it stays, but for halves of characters. */
export function changedBody(bytes: Buffer, changes: BodyChanges): Buffer {
  const written = Object.entries(changes).map(([name, value]) => [name, JSON.stringify(value)]);
  const changed = withMembers(bytes, Object.fromEntries(written) as Record<string, string>);
  if (!changed.includes('\\ud') && !changed.includes('\\uD')) return changed;
  return Buffer.from(withWholeCharacters(changed.toString('latin1')), 'latin1');
}

/** Changes the body of a request so that it has the vendor's own name of the model. */
export type ModelNaming = (call: Pick<WireCall, 'path' | 'body'>, model: string) => BodyChanges;

/** For a wire that names the model in the body. */
export const namedInBody: ModelNaming = ({ body }, model) => (body['model'] === model ? {} : { model });

/** For a wire that names it in the path alone. */
export const namedInPath: ModelNaming = () => ({});

/** A client's request as it goes on to a vendor that speaks its wire. */
export interface NativeRequest {
  /** Where it is at the vendor, such as `/messages`. */
  readonly suffix: string;
  /** As the vendor names it. */
  readonly model: string;
  readonly method?: VendorCall['method'];
  readonly body: VendorCall['body'];
  /** The headers of the body, in place of those of JSON. */
  readonly bodyHeaders?: Readonly<Record<string, string>>;
  /** Of a client's socket. */
  readonly turn?: WireCall['turn'];
}

/** Such a request to a vendor's endpoint: the client's headers go with it but for those that are ours to keep. */
export function nativeCall(
  endpoint: Endpoint,
  { headers }: Pick<WireContext, 'headers'>,
  { suffix, model, method = 'POST', body, bodyHeaders, turn }: NativeRequest,
): VendorCall {
  const { 'anthropic-version': version, ...credentials } = endpoint.headers;
  const { 'content-type': mediaType, ...sent } = vendorHeaders({
    // A client may name the version of a wire, and never the credentials.
    ...(version !== undefined && { 'anthropic-version': version }),
    ...forwardedHeaders(headers),
    ...credentials,
    ...bodyHeaders,
  });
  return {
    method,
    path: endpoint.path(suffix, model),
    headers: body === null || mediaType === undefined ? sent : { 'content-type': mediaType, ...sent },
    body,
    ...(turn && { turn }),
  };
}
