import { ServiceError } from '../../contract/errors.ts';
import type { ModelMessage, Part, VendorWire } from '../../model/parts.ts';
import { nameOnWire } from './own-names.ts';

/** Where parts of conversations stand in the requests of their clients; only of parts that a model may be unable to take. */
const places = new WeakMap<Part, string>();

/** The part, with its path in the client's request: of a call of a tool that of its arguments. */
export function withPath<P extends Part>(part: P, path: string): P {
  places.set(part, path);
  return part;
}

/** A part that stands for another, with its path. */
export function withPathOf<P extends Part>(part: P, other: Part): P {
  const path = places.get(other);
  if (path !== undefined) places.set(part, path);
  return part;
}

/** The parts on the way through a conversation in our own terms. */
const inside =
  /^messages\[(?<message>\d+)\](?:\.content\[(?<part>\d+)\](?:\.content\[(?<inner>\d+)\])?|\.tool_calls\[(?<call>\d+)\])/;

/** An error about a conversation in our own terms, with the path that the client's request has for it. */
export function inClientsTerms(
  error: ServiceError,
  wire: VendorWire,
  messages: readonly ModelMessage[],
): ServiceError {
  const { param } = error;
  if (param === null) return error;
  const place = placeOf(param, messages) ?? nameOnWire(param, wire);
  if (place === undefined || place === param) return error;
  const message = error.message.startsWith(param) ? place + error.message.slice(param.length) : error.message;
  return new ServiceError(error.code, message, {
    param: place,
    details: error.details.map((detail) => (detail.path === param ? { ...detail, path: place } : detail)),
    cause: error,
  });
}

function placeOf(path: string, messages: readonly ModelMessage[]): string | undefined {
  const { message, part, inner, call } = inside.exec(path)?.groups ?? {};
  const content = messages[Number(message)]?.content;
  if (!content) return undefined;
  if (call !== undefined) {
    const found = content.filter(({ type }) => type === 'tool_call')[Number(call)];
    return found && places.get(found);
  }
  const outer = content[Number(part)];
  const within =
    inner !== undefined && outer?.type === 'tool_result' ? outer.content[Number(inner)] : undefined;
  const found = within ?? outer;
  return found && places.get(found);
}
