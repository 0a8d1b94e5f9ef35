import type OpenAI from 'openai';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import { once } from '../../lib/once.ts';
import type { VendorWire } from '../../model/parts.ts';
import { type ModelAdapter, sandboxId, type TimeLimits } from '../../model/port.ts';
import { createSandboxAdapter } from '../sandbox/adapter.ts';
import { type Connection, createConnection } from '../upstream/connection.ts';
import { type Endpoint, endpointOf } from '../upstream/endpoints.ts';
import type { ProviderSettings } from '../upstream/settings.ts';
import { createAnthropicAdapter } from '../wires/anthropic/vendor/adapter.ts';
import { createGeminiAdapter } from '../wires/gemini/vendor/adapter.ts';
import { createOpenAiAdapter } from '../wires/openai-chat/vendor/adapter.ts';
import { createResponsesAdapter } from '../wires/openai-responses/vendor/adapter.ts';
import { Breakers } from './breakers.ts';
import { openAiClient } from './discovery/sdk-clients.ts';

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
  /** What asks it in one of the wires that it speaks; null: the first. */
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

export function createProvider(settings: ProviderSettings, limits: TimeLimits, budget: ByteBudget): Provider {
  const connection = createConnection(settings, limits, budget);
  const made = new Map<VendorWire, { endpoint: Endpoint; adapter: ModelAdapter }>();
  for (const wire of settings.speaks) {
    made.set(wire, { endpoint: endpointOf(settings, wire), adapter: adapters[wire](settings, connection) });
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
    adapter: () => adapter,
    files: null,
  };
}
