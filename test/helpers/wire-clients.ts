import type { VendorWire } from '../../src/model/parts.ts';
import type { ScriptedVendor, VendorRequest, VendorScript } from '../lib/vendor.ts';
import { appForThisTest, type TestApp, type TestAppOptions, testKey } from './app.ts';
import { textUntilItEnds } from './http.ts';
import { anthropicFixture, geminiFixture, openAiFixture, wireJson, wireText } from './vendor-fixtures.ts';
import { providerOf, vendorFor } from './vendor-gateway.ts';

/** Clients of the four foreign interfaces, as far as tests that hold on all of them need them. */

/** A picture, an answer to whose bytes no vendor looks at in tests. */
export const pngData = 'iVBORw0KGgo=';

/** How a client of one wire says things. */
export interface WireClient {
  readonly wire: VendorWire;
  path(model: string, streaming: boolean): string;
  /** A request of one message of the user. */
  body(model: string, content: UserContent, more?: object): Record<string, unknown>;
  /** Where the picture of such a request stands. */
  readonly imagePath: string;
  /** The path of the field that an error names; null where it names none. */
  field(error: unknown): string | null;
  message(error: unknown): string;
}

export interface UserContent {
  readonly text: string;
  readonly image?: { readonly mediaType: string; readonly data: string };
}

interface OpenAiError {
  readonly error: { readonly message: string; readonly param: string | null };
}

const openAiErrors = {
  field: (error: unknown) => (error as OpenAiError).error.param,
  message: (error: unknown) => (error as OpenAiError).error.message,
};

const streamed = (streaming: boolean) => streaming && { stream: true };

const chat: WireClient = {
  wire: 'openai-chat',
  path: () => '/v1/chat/completions',
  imagePath: 'messages[0].content[1].image_url',
  body(model, { text, image }, more) {
    const parts = image && [
      { type: 'text', text },
      { type: 'image_url', image_url: { url: `data:${image.mediaType};base64,${image.data}` } },
    ];
    return { model, messages: [{ role: 'user', content: parts ?? text }], ...more };
  },
  ...openAiErrors,
};

const responses: WireClient = {
  wire: 'openai-responses',
  path: () => '/v1/responses',
  imagePath: 'input[0].content[1]',
  body(model, { text, image }, more) {
    const parts = image && [
      { type: 'input_text', text },
      { type: 'input_image', image_url: `data:${image.mediaType};base64,${image.data}` },
    ];
    return { model, input: [{ role: 'user', content: parts ?? text }], store: false, ...more };
  },
  ...openAiErrors,
};

const anthropic: WireClient = {
  wire: 'anthropic',
  path: () => '/v1/messages',
  imagePath: 'messages[0].content[1]',
  body(model, { text, image }, more) {
    const parts = image && [
      { type: 'text', text },
      { type: 'image', source: { type: 'base64', media_type: image.mediaType, data: image.data } },
    ];
    return { model, max_tokens: 1000, messages: [{ role: 'user', content: parts ?? text }], ...more };
  },
  ...openAiErrors,
};

interface GeminiError {
  readonly error: {
    readonly message: string;
    readonly details: readonly { readonly fieldViolations?: readonly { readonly field: string }[] }[];
  };
}

const gemini: WireClient = {
  wire: 'gemini',
  path: (model, streaming) =>
    streaming
      ? `/v1beta/models/${model}:streamGenerateContent?alt=sse`
      : `/v1beta/models/${model}:generateContent`,
  imagePath: 'contents[0].parts[1].inlineData',
  body(_model, { text, image }, more) {
    const parts = [
      { text },
      ...(image ? [{ inlineData: { mimeType: image.mediaType, data: image.data } }] : []),
    ];
    return { contents: [{ role: 'user', parts }], ...more };
  },
  field: (error) =>
    (error as GeminiError).error.details.flatMap(({ fieldViolations = [] }) => fieldViolations)[0]?.field ??
    null,
  message: (error) => (error as GeminiError).error.message,
};

export const wireClients = { 'openai-chat': chat, 'openai-responses': responses, anthropic, gemini } as const;

export const wireNames = Object.keys(wireClients) as readonly VendorWire[];

/** What a server answered. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a body as it is; the key goes in the header that every interface takes. Throws where the connection breaks off, but after an
 * error.
 */
export async function sendTo(
  app: Pick<TestApp, 'url'>,
  client: WireClient,
  model: string,
  body: object,
  { streaming = false, headers = {} }: { streaming?: boolean; headers?: Record<string, string> } = {},
): Promise<WireAnswer> {
  const inBody = client.wire === 'gemini' ? {} : streamed(streaming);
  const reply = await fetch(app.url + client.path(model, streaming), {
    method: 'POST',
    body: JSON.stringify({ ...body, ...inBody }),
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...headers },
  });
  if (reply.body === null) throw new Error('There is no body.');
  const { text, whole } = await textUntilItEnds(reply.body as AsyncIterable<unknown>);
  if (!whole && !/"error":/.test(text.slice(-4096)))
    throw new Error(`The connection broke off without an error before it: ${text.slice(-500)}`);
  return { status: reply.status, headers: reply.headers, text };
}

/** A question of one text. */
export function askOn(
  app: Pick<TestApp, 'url'>,
  wire: VendorWire,
  model: string,
  text: string,
  streaming = false,
): Promise<WireAnswer> {
  const client = wireClients[wire];
  return sendTo(app, client, model, client.body(model, { text }), { streaming });
}

/** One vendor that speaks all four wires, behind a provider for each. */

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
