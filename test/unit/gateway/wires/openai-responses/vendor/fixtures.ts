import OpenAI from 'openai';
import type { Response as SdkResponse } from 'openai/resources/responses/responses';
import { onTestFinished } from 'vitest';
import { createConnection } from '../../../../../../src/gateway/upstream/vendor-client.ts';
import { createResponsesAdapter } from '../../../../../../src/gateway/wires/openai-responses/vendor/request.ts';
import { ByteBudget } from '../../../../../../src/lib/byte-budget.ts';
import { said } from '../../../../../../src/model/parts.ts';
import type {
  CompletionEvent,
  ModelAdapter,
  ModelCall,
  SendOptions,
} from '../../../../../../src/model/port.ts';
import { wireText } from '../../../../../helpers/vendor-fixtures.ts';
import { longLimits, providerOf } from '../../../../../helpers/vendor-gateway.ts';
import { startVendor, type VendorScript } from '../../../../../lib/vendor.ts';

/** What OpenAI's reference pages and its SDK's types say that the vendor sends. */
export const fixtureNames = ['text', 'reasoning-and-calls', 'custom-call', 'refusal', 'incomplete'] as const;

export const fixture = (name: string) => Buffer.from(wireText(`openai-responses/${name}`));

export const sending: SendOptions = { signal: new AbortController().signal, memory: null, limits: null };

export function modelCall(more: Partial<ModelCall> = {}): ModelCall {
  return {
    model: 'gpt-5.5',
    messages: [said('user', 'Hi')],
    temperatureGiven: false,
    temperatureRange: null,
    ...more,
  };
}

/** The adapter, and a vendor that does what the script says. */
export async function adapterTo(script: VendorScript) {
  const vendor = await startVendor(script);
  const provider = providerOf('openai', vendor.baseUrl, { id: 'openai' });
  const connection = createConnection(provider, longLimits, new ByteBudget(64 * 1024 * 1024));
  const adapter: ModelAdapter = createResponsesAdapter(provider, connection);
  onTestFinished(async () => {
    await connection.close();
    await vendor.close();
  });
  return { adapter, vendor };
}

/** All events of a stream. */
export async function eventsOf(adapter: ModelAdapter, call = modelCall()): Promise<CompletionEvent[]> {
  const events: CompletionEvent[] = [];
  for await (const event of await adapter.prepare(call).stream(sending)) events.push(event);
  return events;
}

/** What the official SDK makes of a stream. */
export async function bySdk(sse: Buffer): Promise<SdkResponse> {
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: 'http://vendor.test/v1',
    maxRetries: 0,
    fetch: async () =>
      new Response(new Uint8Array(sse), { headers: { 'content-type': 'text/event-stream' } }),
  });
  return await client.responses.stream({ model: 'any', input: 'any' }).finalResponse();
}
