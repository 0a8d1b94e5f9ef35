import { isObject } from '../lib/json.ts';
import { type Member, membersOf } from '../lib/json-splice.ts';

/**
 * The messages of clients on a socket for responses
 * (https://developers.openai.com/api/docs/guides/websocket-mode).
 */

/** An error about a message, in OpenAI's form. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;
  readonly param: string | null;
  readonly streamId: string | null;
  readonly status: number;

  constructor(
    code: string,
    message: string,
    param: string | null,
    streamId: string | null = null,
    status = 400,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.streamId = streamId;
  }
}

/** `response.create`: a request for a response. */
export interface Create {
  readonly type: 'response.create';
  /** The lane; null: the one without a name. */
  readonly streamId: string | null;
  readonly previous: string | null;
  /** Whether a model is to answer; otherwise it only prepares a later one. */
  readonly generate: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly members: readonly Member[];
  readonly bytes: number;
}

/** `response.steer`: further input for a response that is being made, which no response of this server takes. */
export interface Steer {
  readonly type: 'response.steer';
  readonly input: unknown;
  readonly previous: unknown;
}

/** Reads a message. Throws `Refused`. */
export function readMessage(bytes: Buffer): Create | Steer {
  const body = parsed(bytes);
  const streamId = streamIdOf(body['stream_id']);
  const { type, input } = body;
  const previous = body['previous_response_id'] ?? null;
  if (type === 'response.steer') return { type, input, previous };
  if (type !== 'response.create') {
    const message = 'The type of a message must be "response.create".';
    throw new Refused('invalid_value', message, 'type', streamId);
  }
  if (body['background'] === true) {
    const message = 'There is no background on a WebSocket: leave it out, or send the request by POST.';
    throw new Refused('unsupported_parameter', message, 'background', streamId);
  }
  if (previous !== null && typeof previous !== 'string')
    throw new Refused('invalid_type', 'It must be a text.', 'previous_response_id', streamId);
  const generate = body['generate'] !== false;
  const members = membersOf(bytes);
  return { type, streamId, previous, generate, body, members, bytes: bytes.length };
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new Refused('malformed_json', `The message is not valid JSON: ${reason}.`, null);
  }
  if (!isObject(value)) throw new Refused('malformed_json', 'The message must be an object.', null);
  return value;
}

function streamIdOf(given: unknown): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given === 'string' && /^[\w.-]{1,256}$/.test(given)) return given;
  const message =
    "The 'stream_id' field must be a non-empty string with at most 256 characters and may only contain letters, numbers, underscores, hyphens, and periods.";
  throw new Refused('invalid_stream_id', message, 'stream_id');
}

/** Of the socket alone, or said in another way. */
const ofTheSocket: ReadonlySet<string> = new Set(['type', 'stream', 'stream_id', 'generate', 'background']);
const ofTheConversation: ReadonlySet<string> = new Set(['previous_response_id', 'input']);

/**
 * The body of the request that a message stands for: a stream.
 * @param earlier items of the conversation that it continues, for its input to begin with; null: it continues none that is known here
 */
export function bodyOf(create: Create, earlier: Buffer | null): Buffer {
  const pieces: Buffer[] = [Buffer.from('{"stream":true')];
  for (const { name, whole } of create.members)
    if (!ofTheSocket.has(name) && !(earlier && ofTheConversation.has(name))) pieces.push(comma, whole);
  if (earlier) pieces.push(Buffer.from(',"input":['), joined(earlier, itemsOf(create)), Buffer.from(']'));
  pieces.push(Buffer.from('}'));
  return Buffer.concat(pieces);
}

const comma = Buffer.from(',');
const none = Buffer.alloc(0);

/** The items of its input as JSON, with commas between them. */
export function itemsOf({ body, members }: Create): Buffer {
  const value = members.findLast(({ name }) => name === 'input')?.value;
  if (value === undefined) return none;
  const { input } = body;
  if (Array.isArray(input)) return input.length === 0 ? none : value.subarray(1, -1);
  if (typeof input !== 'string') return none;
  return Buffer.concat([Buffer.from('{"type":"message","role":"user","content":'), value, Buffer.from('}')]);
}

/** Lists of items as one. */
export function joined(...lists: readonly Buffer[]): Buffer {
  const some = lists.filter(({ length }) => length > 0);
  return Buffer.concat(some.flatMap((list, index) => (index === 0 ? [list] : [comma, list])));
}
