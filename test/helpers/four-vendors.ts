/** One vendor that speaks all four wires, behind a provider for each. */
import type { VendorWire } from '../../src/model/parts.ts';
import { appForThisTest, type TestApp, type TestAppOptions } from './app.ts';
import { geminiFixture } from './gemini-fixture.ts';
import type { ScriptedVendor, VendorRequest, VendorScript } from './vendor.ts';
import { anthropicFixture, openAiFixture } from './vendor-fixtures.ts';
import { providerOf, vendorFor } from './vendor-gateway.ts';
import { wireJson, wireText } from './wire-fixtures.ts';

/** What a client asks for to reach the vendor on a wire. */
export const modelOn = {
  'openai-chat': 'gpt-4o',
  'openai-responses': 'responses/gpt-4o',
  anthropic: 'claude-sonnet-4-6',
  gemini: 'gemini-2.5-flash',
} as const satisfies Record<VendorWire, string>;

/** On which wire a vendor is asked. */
export function wireOf({ path }: Pick<VendorRequest, 'path'>): VendorWire {
  if (path.includes(':')) return 'gemini';
  if (path.endsWith('/messages')) return 'anthropic';
  return path.endsWith('/responses') ? 'openai-responses' : 'openai-chat';
}

export function isStreamed({ path, json }: Pick<VendorRequest, 'path' | 'json'>): boolean {
  return path.includes(':stream') || json['stream'] === true;
}

export interface VendorAnswer {
  readonly reply: object;
  readonly stream: string;
}

/** A plain text on each wire. */
export const textAnswers: Readonly<Record<VendorWire, VendorAnswer>> = {
  'openai-chat': openAiFixture,
  'openai-responses': {
    reply: wireJson('openai-responses/text.json'),
    stream: wireText('openai-responses/text.sse'),
  },
  anthropic: anthropicFixture,
  gemini: geminiFixture,
};

export const answerText: VendorScript = ({ request, json, events }) => {
  const answer = textAnswers[wireOf(request)];
  if (isStreamed(request)) events(answer.stream);
  else json(answer.reply);
};

/** The server in front of it. */
export async function beforeFourVendors(
  script: VendorScript = answerText,
  options: TestAppOptions = {},
): Promise<{ readonly app: TestApp; readonly vendor: ScriptedVendor }> {
  const vendor = await vendorFor(script);
  const providers = [
    providerOf('openai', vendor.baseUrl),
    providerOf('openai', vendor.baseUrl, { id: 'responses', speaks: ['openai-responses'], patterns: [] }),
    providerOf('anthropic', vendor.baseUrl),
    providerOf('gemini', vendor.baseUrl),
  ];
  const models = [
    {
      id: modelOn['openai-responses'],
      provider: 'responses',
      model: 'gpt-4o',
      temperature: null,
      fallbacks: [],
    },
  ];
  const app = await appForThisTest({
    ...options,
    models: { providers, models, maxAttempts: 1, ...options.models },
  });
  return { app, vendor };
}
