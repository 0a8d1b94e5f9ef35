import { onTestFinished } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { createModelGateway } from '../../src/gateway/routing/gateway.ts';
import type { ModelsSettings, ProviderSettings } from '../../src/gateway/upstream/settings.ts';
import { contentOf, shownIn, toolCallsOf } from '../../src/model/contract-form.ts';
import { said } from '../../src/model/parts.ts';
import type {
  Attempt,
  Completion,
  CompletionEvent,
  ModelGateway,
  TimeLimits,
  UnroutedCall,
} from '../../src/model/port.ts';
import { type ScriptedVendor, startVendor, type VendorRequest, type VendorScript } from '../lib/vendor.ts';
import type { AnyWireFixture } from './vendor-fixtures.ts';

/** The key that every test provider has. It must not show anywhere. */
export const canaryKey = 'sk-canary-5f1e0c7a9b3d2468ACEG';

export const longLimits: TimeLimits = { connect: 30_000, firstByte: 30_000, idle: 5_000, total: 60_000 };

export function callOf(content = 'Why is the sky blue?', more: Partial<UnroutedCall> = {}): UnroutedCall {
  return {
    messages: [said('user', content)],
    temperature: 0.7,
    temperatureGiven: false,
    maxTokens: 2048,
    ...more,
  };
}

const patterns = {
  openai: ['gpt-*', 'o1*'],
  anthropic: ['claude-*'],
  gemini: ['gemini-*'],
  responses: ['gpt-*'],
} as const;
const firstWire = {
  openai: 'openai-chat',
  anthropic: 'anthropic',
  gemini: 'gemini',
  responses: 'openai-responses',
} as const;

export function providerOf(
  wire: keyof typeof firstWire,
  baseUrl: string,
  more: Partial<ProviderSettings> = {},
): ProviderSettings {
  return {
    id: wire,
    speaks: [firstWire[wire]],
    azureApiVersion: null,
    baseUrl,
    apiKey: canaryKey,
    patterns: patterns[wire],
    maxTokensField: wire === 'openai' ? 'max_completion_tokens' : 'max_tokens',
    connections: 16,
    ...more,
  };
}

export function settingsOf(
  providers: readonly ProviderSettings[],
  more: Partial<ModelsSettings> = {},
): ModelsSettings {
  return {
    providers,
    models: [],
    aliases: {},
    defaultModel: null,
    timeLimits: longLimits,
    maxAttempts: 1,
    ...more,
  };
}

/** A vendor that is stopped when the test is over. */
export async function vendorFor(script: VendorScript): Promise<ScriptedVendor> {
  const vendor = await startVendor(script);
  onTestFinished(() => vendor.close());
  return vendor;
}

export interface TestGateway extends ModelGateway {
  readonly vendor: ScriptedVendor;
  readonly attempts: readonly Attempt[];
  /** Asks for a whole answer, or throws. */
  ask(call?: UnroutedCall, signal?: AbortSignal): ReturnType<ModelGateway['complete']>;
  /** Reads a stream to its end. */
  read(call?: UnroutedCall, signal?: AbortSignal): Promise<ReadStream>;
}

export interface ReadStream {
  readonly events: readonly CompletionEvent[];
  readonly text: string;
  /** What it ended with in place of an `end` event. */
  readonly error: unknown;
}

/** A gateway to one scripted vendor on that wire, without retries unless the settings say so. */
export async function gatewayTo(
  fixture: Pick<AnyWireFixture, 'wire' | 'model'>,
  script: VendorScript,
  more: Partial<ModelsSettings> = {},
  provider: Partial<ProviderSettings> = {},
): Promise<TestGateway> {
  const vendor = await vendorFor(script);
  const gateway = createModelGateway(settingsOf([providerOf(fixture.wire, vendor.baseUrl, provider)], more));
  const attempts: Attempt[] = [];
  const onAttempt = (attempt: Attempt) => void attempts.push(attempt);
  const never = new AbortController().signal;
  return {
    ...gateway,
    vendor,
    attempts,
    ask: (call = callOf(), signal = never) => gateway.complete(fixture.model, call, { signal, onAttempt }),
    async read(call = callOf(), signal = never) {
      const events: CompletionEvent[] = [];
      let error: unknown = null;
      try {
        for await (const event of (await gateway.stream(fixture.model, call, { signal, onAttempt })).events)
          events.push(event);
      } catch (thrown) {
        error = thrown;
      }
      return { events, text: textOf(events), error };
    },
  };
}

/** The text of the first message that the vendor was sent. */
export function questionIn({ json }: VendorRequest): string {
  if (json['contents']) {
    const [first] = json['contents'] as { readonly parts: readonly { readonly text: string }[] }[];
    return first?.parts[0]?.text ?? '';
  }
  const [first] = (json['messages'] ?? json['input']) as { readonly content: string }[];
  return first?.content ?? '';
}

export function textOf(events: readonly CompletionEvent[]): string {
  return events.map(shownIn).join('');
}

/** An answer as `/v1/chat` shows it. */
export function shown({ parts, finishReason, usage }: Completion) {
  return { content: contentOf(parts), toolCalls: toolCallsOf(parts), finishReason, usage };
}

/** What a promise is rejected with, which has to be a `ServiceError`. */
export async function errorOf(promise: Promise<unknown>): Promise<ServiceError> {
  const thrown: unknown = await promise.then(
    (value) => new Error(`It did not fail but gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof ServiceError) return thrown;
  throw thrown;
}

/** Resolves as soon as the condition holds. The test's own time limit is the only one. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}
