import type OpenAI from 'openai';
import { ServiceError } from '../../contract/errors.ts';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import { once } from '../../lib/once.ts';
import type { OutgoingProxy } from '../../lib/outgoing.ts';
import type { ModelMessage, Part, VendorWire } from '../../model/parts.ts';
import type { ModelAdapter, ModelCall, TimeLimits } from '../../model/port.ts';
import { sandboxId } from '../../model/usage.ts';
import { type DialectOf, vendorDialects } from '../dialects/dialect.ts';
import { inDialect } from '../dialects/speak.ts';
import { createSandboxAdapter } from '../sandbox/adapter.ts';
import { type Endpoint, endpointOf, type ProviderSettings } from '../upstream/settings.ts';
import { type Connection, createConnection } from '../upstream/vendor-client.ts';
import { createAnthropicAdapter } from '../wires/anthropic/vendor/request.ts';
import { createGeminiAdapter } from '../wires/gemini/vendor/request.ts';
import { createOpenAiAdapter } from '../wires/openai-chat/vendor/request.ts';
import { createResponsesAdapter } from '../wires/openai-responses/vendor/request.ts';
import { Breakers } from './breakers.ts';
import { openAiClient } from './discovery/sdk-clients.ts';

/** The media that a user may show a model on each wire, beside text. */
const taken: Readonly<Record<VendorWire, readonly Media[]>> = {
  'openai-chat': ['image', 'document', 'audio'],
  'openai-responses': ['image', 'document'],
  anthropic: ['image', 'document'],
  gemini: ['image', 'document', 'audio'],
};

/** Made when there is something to list: it loads the data of a language. */
let list: Intl.ListFormat | undefined;

const isText = ({ type }: Part) => type === 'text';

/** A vendor's account, or the sandbox, as requests see it. */
export interface Provider {
  readonly id: string;
  /** The wires that it speaks, the one for `/v1/chat` first; none for the sandbox, which is asked in our own terms. */
  readonly speaks: readonly VendorWire[];
  /** Null for the sandbox. */
  readonly connection: Connection | null;
  readonly breakers: Breakers;
  /** Where it has one of the wires that it speaks. */
  endpoint(wire: VendorWire): Endpoint;
  /** How its models are spoken to on one of the wires that it speaks. */
  dialect(wire: VendorWire): DialectOf;
  /** Whether it is the account of a vendor whose wires all say the same, so that the richest can be taken. */
  readonly ownWires: boolean;
  /** The adapter for one of the wires that it speaks; null: the first. */
  adapter(wire: VendorWire | null): ModelAdapter;
  /** The official client of its vendor for files and batches; null: it has none. */
  readonly files: (() => Promise<OpenAI>) | null;
}

const adapters: Readonly<
  Record<VendorWire, (provider: ProviderSettings, connection: Connection) => ModelAdapter>
> = {
  'openai-chat': createOpenAiAdapter,
  'openai-responses': createResponsesAdapter,
  anthropic: createAnthropicAdapter,
  gemini: createGeminiAdapter,
};

/** How long a file may take to be sent and to be taken, in milliseconds. */
const uploadMs = 600_000;

/** Gemini has files of another kind, and on its OpenAI-compatible interface none. */
function hasFiles({ speaks }: ProviderSettings): boolean {
  return (
    speaks.includes('openai-responses') || (speaks.includes('openai-chat') && !speaks.includes('gemini'))
  );
}

export function createProvider(
  settings: ProviderSettings,
  limits: TimeLimits,
  budget: ByteBudget,
  proxy: OutgoingProxy | null = null,
): Provider {
  const connection = createConnection(settings, limits, budget, proxy);
  const dialects = vendorDialects();
  const made = new Map<VendorWire, { endpoint: Endpoint; dialect: DialectOf; adapter: ModelAdapter }>();
  for (const wire of settings.speaks) {
    const dialect = dialects.at(settings, wire);
    const adapter = inDialect(adapters[wire](settings, connection), dialect);
    made.set(wire, { endpoint: endpointOf(settings, wire), dialect, adapter });
  }
  const at = (wire: VendorWire | null) => {
    const found = made.get(wire ?? settings.speaks[0]);
    if (!found) throw new Error(`The provider "${settings.id}" does not speak ${wire}.`);
    return found;
  };
  return {
    id: settings.id,
    speaks: settings.speaks,
    connection,
    breakers: new Breakers(),
    endpoint: (wire) => at(wire).endpoint,
    dialect: (wire) => at(wire).dialect,
    ownWires: dialects.isVendors(settings),
    adapter: (wire) => at(wire).adapter,
    files: hasFiles(settings) ? once(() => openAiClient(settings, uploadMs)) : null,
  };
}

export function createSandbox(): Provider {
  const adapter = createSandboxAdapter();
  return {
    id: sandboxId,
    speaks: [],
    connection: null,
    breakers: new Breakers(),
    endpoint() {
      throw new Error('The sandbox has no address.');
    },
    dialect: () => () => ({}),
    ownWires: true,
    adapter: () => adapter,
    files: null,
  };
}

type Media = Extract<Part['type'], 'image' | 'document' | 'audio'>;

/** A provider, as far as it matters here. */
interface Speaker {
  readonly id: string;
  /** Empty for the sandbox, which takes everything and says what it did not look at. */
  readonly speaks: readonly VendorWire[];
  dialect(wire: VendorWire): DialectOf;
}

/**
 * The first of the wires of a provider that can say what is in a conversation; null for a provider that speaks none. Throws
 * `invalid_request` where none can: it names the part, and the providers that take such.
 */
export function wireTaking(
  { id, speaks, dialect }: Speaker,
  model: string,
  { messages, tools, thinking }: Pick<ModelCall, 'messages' | 'tools' | 'thinking'>,
  providers: Iterable<Pick<Speaker, 'id' | 'speaks'>>,
): VendorWire | null {
  const [first = null] = speaks;
  if (first === null) return first;
  // The newest models of OpenAI take functions only on Responses, unless they are not to reason.
  const calls = tools !== undefined && thinking?.effort !== 'none';
  const reasons = (name: VendorWire) => !calls || dialect(name)(model).tools_while_reasoning !== false;
  const shown = mediaIn(messages);
  if (shown.length === 0) return speaks.find(reasons) ?? first;
  const able = speaks.filter((name) => shown.every(({ type }) => taken[name].includes(type)));
  const wire = able.find(reasons) ?? able[0];
  if (wire) return wire;
  const wrong = shown.find(({ type }) => !taken[first].includes(type)) as Shown;
  const others = [...providers].filter((other) =>
    other.speaks.some((name) => taken[name].includes(wrong.type)),
  );
  list ??= new Intl.ListFormat('en-GB');
  const who =
    others.length === 0
      ? 'no provider of this server does'
      : `${list.format(others.map((other) => JSON.stringify(other.id)))} of this server's providers can`;
  const reason = `${JSON.stringify(model)} of the provider ${JSON.stringify(id)} takes no ${wrong.type}; ${who}.`;
  throw new ServiceError('invalid_request', `${wrong.path}: ${reason}`, {
    details: [{ path: wrong.path, code: 'unsupported', message: reason }],
  });
}

interface Shown {
  readonly type: Media;
  readonly path: string;
}

/** The media in a conversation, results of tools included, with their paths. */
function mediaIn(messages: readonly ModelMessage[]): readonly Shown[] {
  const shown: Shown[] = [];
  for (const [index, { content }] of messages.entries()) {
    // A place is named only where something is shown: conversations are long.
    if (!content.every(isText)) add(content, `messages[${index}].content`, shown);
  }
  return shown;
}

function add(content: readonly Part[], at: string, shown: Shown[]): void {
  for (const [index, part] of content.entries()) {
    if (part.type === 'tool_result') add(part.content, at, shown);
    else if (part.type === 'image' || part.type === 'document' || part.type === 'audio')
      shown.push({ type: part.type, path: `${at}[${index}]` });
  }
}
