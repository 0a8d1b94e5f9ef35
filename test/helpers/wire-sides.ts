/** Both sides of each wire as functions: what a client does with an answer, and what a vendor is sent. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { ChatCompletion } from 'openai/resources/chat/completions/completions';
import type { Warning } from '../../generated/types.gen.ts';
import { anthropicWire } from '../../src/gateway/wires/anthropic/client/read.ts';
import { anthropicCall } from '../../src/gateway/wires/anthropic/vendor/request.ts';
import { geminiWire } from '../../src/gateway/wires/gemini/client/wire.ts';
import { geminiCall } from '../../src/gateway/wires/gemini/vendor/request.ts';
import { openAiChatWire } from '../../src/gateway/wires/openai-chat/client/wire.ts';
import { openAiCall } from '../../src/gateway/wires/openai-chat/vendor/request.ts';
import { openAiResponsesWire } from '../../src/gateway/wires/openai-responses/client/wire.ts';
import { responsesCall } from '../../src/gateway/wires/openai-responses/vendor/request.ts';
import type { Body, Wire } from '../../src/gateway/wires/wire.ts';
import type { ToolResultPart, VendorWire } from '../../src/model/parts.ts';
import type { ModelCall, UnroutedCall } from '../../src/model/port.ts';

export const clientWires = {
  'openai-chat': openAiChatWire,
  'openai-responses': openAiResponsesWire,
  anthropic: anthropicWire,
  gemini: geminiWire,
} as const satisfies Record<VendorWire, Wire>;

/** The model that a vendor of each wire is asked for; the newest forms, which have the most. */
export const vendorModels = {
  'openai-chat': 'gpt-4o',
  'openai-responses': 'gpt-5',
  anthropic: 'claude-opus-4-6',
  gemini: 'gemini-3-pro-preview',
} as const satisfies Record<VendorWire, string>;

export interface SentToVendor {
  readonly request: unknown;
  readonly warnings: readonly Warning[];
}

/** What a vendor of a wire is sent for a call. Its provider has the name of the wire. */
export function sentTo(wire: VendorWire, call: UnroutedCall): SentToVendor {
  const routed: ModelCall = { ...call, model: vendorModels[wire], temperatureRange: null };
  const { request, warnings } = senders[wire](routed);
  return { request: JSON.parse(JSON.stringify(request)), warnings };
}

const senders: Record<VendorWire, (call: ModelCall) => SentToVendor> = {
  'openai-chat': (call) => openAiCall(call, { id: 'openai-chat', maxTokensField: 'max_completion_tokens' }),
  'openai-responses': (call) => responsesCall(call, 'openai-responses'),
  anthropic: (call) => anthropicCall(call, 'anthropic'),
  gemini: (call) => geminiCall(call, { provider: 'gemini', baseUrl: 'https://gemini.test/v1beta' }),
};

type Items = readonly unknown[];

/** How a client continues its conversation. */
export interface Conversing {
  /** A request with what was said so far. */
  body(history: Items, more?: object): Body;
  user(text: string): Items;
  /** An answer, as the vendor's own guide says that it goes back. */
  answered(answer: unknown): Items;
  results(results: readonly ToolResultPart[], names: ReadonlyMap<string, string>): Items;
  /** The ids of the calls in an answer, as the client knows them. */
  callIds(answer: unknown): readonly string[];
}

const textIn = ({ content }: ToolResultPart) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

const imagesIn = ({ content }: ToolResultPart) =>
  content.flatMap((part) => (part.type === 'image' && part.source.type === 'base64' ? [part.source] : []));

const chat: Conversing = {
  body: (messages, more) => ({ model: 'm', messages, ...more }),
  user: (content) => [{ role: 'user', content }],
  answered: (answer) => [(answer as ChatCompletion).choices[0]?.message],
  results: (results) =>
    results.map((result) => ({
      role: 'tool',
      tool_call_id: result.callId,
      content: [
        { type: 'text', text: result.isError ? `Error: ${textIn(result)}` : textIn(result) },
        ...imagesIn(result).map(({ mediaType, data }) => ({
          type: 'image_url',
          image_url: { url: `data:${mediaType};base64,${data}` },
        })),
      ],
    })),
  callIds: (answer) => (answer as ChatCompletion).choices[0]?.message.tool_calls?.map(({ id }) => id) ?? [],
};

interface ResponseAnswer {
  readonly output: readonly { readonly type: string; readonly call_id?: string }[];
}

const responses: Conversing = {
  body: (input, more) => ({ model: 'm', input, store: false, ...more }),
  user: (content) => [{ role: 'user', content }],
  answered: (answer) => (answer as ResponseAnswer).output,
  results: (results) =>
    results.map((result) => ({
      type: 'function_call_output',
      call_id: result.callId,
      output: [
        { type: 'input_text', text: result.isError ? `Error: ${textIn(result)}` : textIn(result) },
        ...imagesIn(result).map(({ mediaType, data }) => ({
          type: 'input_image',
          image_url: `data:${mediaType};base64,${data}`,
        })),
      ],
    })),
  callIds: (answer) => (answer as ResponseAnswer).output.flatMap(({ call_id }) => call_id ?? []),
};

interface MessageAnswer {
  readonly content: readonly { readonly type: string; readonly id?: string }[];
}

const anthropic: Conversing = {
  body: (messages, more) => ({
    model: 'm',
    max_tokens: 20_000,
    thinking: { type: 'adaptive' },
    messages,
    ...more,
  }),
  user: (content) => [{ role: 'user', content }],
  answered: (answer) => [{ role: 'assistant', content: (answer as MessageAnswer).content }],
  results: (results) => [
    {
      role: 'user',
      content: results.map((result) => ({
        type: 'tool_result',
        tool_use_id: result.callId,
        content: [
          { type: 'text', text: textIn(result) },
          ...imagesIn(result).map(({ mediaType, data }) => ({
            type: 'image',
            source: { type: 'base64', media_type: mediaType, data },
          })),
        ],
        ...(result.isError !== undefined && { is_error: result.isError }),
      })),
    },
  ],
  callIds: (answer) => (answer as MessageAnswer).content.flatMap(({ id }) => id ?? []),
};

interface GeminiAnswer {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly { readonly functionCall?: { readonly id: string } }[] };
  }[];
}

const gemini: Conversing = {
  body: (contents, more) => ({
    contents,
    generationConfig: { thinkingConfig: { includeThoughts: true } },
    ...more,
  }),
  user: (text) => [{ role: 'user', parts: [{ text }] }],
  answered: (answer) => [(answer as GeminiAnswer).candidates[0]?.content],
  results: (results, names) => [
    {
      role: 'user',
      parts: results.map((result) => ({
        functionResponse: {
          id: result.callId,
          name: names.get(result.callId),
          response: result.isError ? { error: textIn(result) } : { output: textIn(result) },
          ...(imagesIn(result).length > 0 && {
            parts: imagesIn(result).map(({ mediaType, data }) => ({
              inlineData: { mimeType: mediaType, data },
            })),
          }),
        },
      })),
    },
  ],
  callIds: (answer) =>
    (answer as GeminiAnswer).candidates[0]?.content.parts.flatMap(
      ({ functionCall }) => functionCall?.id ?? [],
    ) ?? [],
};

export const conversing: Readonly<Record<VendorWire, Conversing>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic,
  gemini,
};

const replying = (sse: string) => () =>
  Promise.resolve(new Response(sse, { headers: { 'content-type': 'text/event-stream' } }));

const openAi = (sse: string) => new OpenAI({ apiKey: 'sk-test', maxRetries: 0, fetch: replying(sse) });

/** What each vendor's own client makes of a stream. */
export const readBySdk: Readonly<Record<VendorWire, (sse: string) => Promise<unknown>>> = {
  async 'openai-chat'(sse) {
    const stream = openAi(sse).chat.completions.stream({ model: 'm', messages: [] });
    // OpenAI's client keeps the last piece only of a field that it does not know; those of DeepSeek join them.
    let reasoning = '';
    stream.on('chunk', ({ choices }) => {
      reasoning += (choices[0]?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? '';
    });
    const answer = plain(await stream.finalChatCompletion()) as { choices: { message: object }[] };
    if (reasoning !== '') Object.assign(answer.choices[0]?.message ?? {}, { reasoning_content: reasoning });
    return answer;
  },
  'openai-responses': async (sse) =>
    plain(await openAi(sse).responses.stream({ model: 'm', input: 'Hi' }).finalResponse()),
  anthropic: async (sse) => {
    const client = new Anthropic({ apiKey: 'sk-test', maxRetries: 0, fetch: replying(sse) });
    return plain(await client.messages.stream({ model: 'm', max_tokens: 9, messages: [] }).finalMessage());
  },
  async gemini(sse) {
    // Google's own client keeps the parts of all pieces.
    const pieces = sse
      .split(/\r?\n\r?\n/)
      .filter((event) => event.startsWith('data: '))
      .map((event) => JSON.parse(event.slice('data: '.length)) as GeminiAnswer);
    const parts = pieces.flatMap(({ candidates }) => candidates[0]?.content?.parts ?? []);
    return { candidates: [{ content: { role: 'model', parts } }] };
  },
};

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
