/**
 * What the tables promise against what readers and adapters do: in a request with every field, one that is mapped cannot be
 * taken away unnoticed, and one that is dropped makes no difference to what the vendor gets.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ServiceError } from '../../../../../src/contract/errors.ts';
import { anthropicWire } from '../../../../../src/gateway/wires/anthropic/client/read.ts';
import { anthropicCall } from '../../../../../src/gateway/wires/anthropic/vendor/request.ts';
import { wrapped } from '../../../../../src/gateway/wires/envelope.ts';
import { type ClientWire, clientWires, wires } from '../../../../../src/gateway/wires/fields/field-rows.ts';
import { fieldTree, parseFieldPath, type Step } from '../../../../../src/gateway/wires/fields/field-tree.ts';
import { fieldTable, judgeFields } from '../../../../../src/gateway/wires/fields/table.ts';
import { geminiWire } from '../../../../../src/gateway/wires/gemini/client/wire.ts';
import { geminiCall } from '../../../../../src/gateway/wires/gemini/vendor/request.ts';
import { openAiCompletionsWire } from '../../../../../src/gateway/wires/openai-chat/client/completions-wire.ts';
import { openAiChatWire } from '../../../../../src/gateway/wires/openai-chat/client/wire.ts';
import { openAiCall } from '../../../../../src/gateway/wires/openai-chat/vendor/request.ts';
import { openAiResponsesWire } from '../../../../../src/gateway/wires/openai-responses/client/wire.ts';
import { responsesCall } from '../../../../../src/gateway/wires/openai-responses/vendor/request.ts';
import type { Body, Wire } from '../../../../../src/gateway/wires/wire.ts';
import type { VendorWire } from '../../../../../src/model/parts.ts';
import type { ModelCall } from '../../../../../src/model/port.ts';
import { rowsOnTheWay } from '../../../../helpers/idempotency.ts';

const clients: Readonly<Record<ClientWire, Wire>> = {
  'openai-completions': openAiCompletionsWire,
  'openai-chat': openAiChatWire,
  'openai-responses': openAiResponsesWire,
  anthropic: anthropicWire,
  gemini: geminiWire,
};

const file = new URL('../../../../fixtures/wires/rich-requests.yaml', import.meta.url);
const compaction = wrapped({ summary: 'They spoke of tea.' });
const richRequests = parse(readFileSync(file, 'utf8'), (_, value) =>
  value === 'wrapped' ? compaction : value,
) as Readonly<Record<ClientWire, Body>>;

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const generationConfig = richRequests.gemini['generationConfig'] as object;
const hello = { role: 'user', content: 'Hello' };

/** What cannot stand beside other fields of these requests, in requests of their own. */
const otherRequests: Readonly<Record<ClientWire, readonly Body[]>> = {
  'openai-completions': [],
  'openai-chat': [
    {
      ...richRequests['openai-chat'],
      max_completion_tokens: null,
      max_tokens: 9000,
      user: null,
      safety_identifier: 'user-1',
    },
    { ...richRequests['openai-chat'], tool_choice: 'auto' },
    ...['reasoning', 'reasoning_content'].map((field) => ({
      ...richRequests['openai-chat'],
      messages: [hello, { role: 'assistant', [field]: 'Hm.', content: 'Two.' }, hello],
      tool_choice: { type: 'custom', custom: { name: 'patch' } },
      reasoning_effort: null,
    })),
    ...[
      { reasoning: { effort: 'low', exclude: true } },
      { reasoning: { enabled: false, effort: 'low' } },
      { reasoning: { max_tokens: 2048 } },
      { thinking: { type: 'disabled', budget_tokens: 2048 } },
      { thinking: { type: 'enabled', budget_tokens: 2048 } },
    ].map((thinking) => ({
      ...richRequests['openai-chat'],
      tool_choice: 'auto',
      reasoning_effort: null,
      ...thinking,
    })),
  ],
  'openai-responses': [
    {
      ...richRequests['openai-responses'],
      user: null,
      safety_identifier: 'user-1',
      reasoning: { generate_summary: 'auto' },
      tool_choice: 'auto',
    },
    { ...richRequests['openai-responses'], tool_choice: null },
    {
      ...richRequests['openai-responses'],
      reasoning: null,
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'add' }] },
    },
    ...[
      { encrypted_content: 'c2VjcmV0' },
      { summary: [{ type: 'summary_text', text: 'Hm.' }] },
      { content: [{ type: 'reasoning_text', text: 'Hm.' }] },
    ].map((thought) => ({
      ...richRequests['openai-responses'],
      input: [hello, { type: 'reasoning', id: 'rs_1', summary: [], ...thought }, hello],
    })),
  ],
  anthropic: [
    {
      ...richRequests.anthropic,
      thinking: null,
      output_config: null,
      output_format: { type: 'json_schema', schema },
    },
    { ...richRequests.anthropic, thinking: { type: 'adaptive', display: 'summarized' }, tool_choice: null },
    { ...richRequests.anthropic, output_config: null, tool_choice: null },
    ...[
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'c2VjcmV0' },
    ].map((block) => ({
      ...richRequests.anthropic,
      messages: [
        hello,
        { role: 'assistant', content: [block, { type: 'text', text: 'One moment.' }] },
        hello,
      ],
    })),
  ],
  gemini: [
    {
      ...richRequests.gemini,
      toolConfig: null,
      generationConfig: {
        ...generationConfig,
        responseSchema: null,
        responseJsonSchema: schema,
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
      },
    },
    { ...richRequests.gemini, toolConfig: null },
    {
      ...richRequests.gemini,
      generationConfig: { ...generationConfig, thinkingConfig: null, responseSchema: null },
    },
    {
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        { role: 'model', parts: [{ text: 'One moment.', thoughtSignature: 'c2ln' }] },
        { role: 'user', parts: [{ text: 'Go on' }] },
      ],
    },
  ],
};

type Said = { readonly request: object; readonly warnings: readonly object[] };

/** Models of each vendor that between them take all that the wire has. */
const vendors: Readonly<Record<VendorWire, readonly ((call: Omit<ModelCall, 'model'>) => Said)[]>> = {
  'openai-chat': ['gpt-4.1', 'gpt-5.5'].map(
    (model) => (call) => openAiCall({ ...call, model }, { id: 'p', maxTokensField: 'max_completion_tokens' }),
  ),
  'openai-responses': ['gpt-4.1', 'gpt-5.5'].map((model) => (call) => responsesCall({ ...call, model }, 'p')),
  anthropic: ['claude-sonnet-4-5', 'claude-opus-4-8'].map(
    (model) => (call) => anthropicCall({ ...call, model }, 'p'),
  ),
  gemini: ['gemini-2.5-pro', 'gemini-3-pro-preview'].map(
    (model) => (call) => geminiCall({ ...call, model }, { provider: 'p', baseUrl: 'https://example.com' }),
  ),
};

/** What the vendors get of a request; what is wrong with it where it is refused. */
function said(wire: ClientWire, target: VendorWire, body: Body): readonly (Said | string)[] {
  try {
    const { call } = clients[wire].read(body);
    return vendors[target].map((write) => write({ ...call, temperatureRange: null }));
  } catch (error) {
    if (error instanceof ServiceError) return [error.message];
    throw error;
  }
}

/** The request without what is refused on this way. */
function acceptable(wire: ClientWire, target: VendorWire, request: object): Body {
  const body = structuredClone(request) as Record<string, unknown>;
  try {
    judgeFields(wire, target, body);
    return body;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    for (const { path } of error.details.toReversed()) remove(body, placeOf(path));
    return acceptable(wire, target, body);
  }
}

type Place = readonly (string | number)[];

function placeOf(path: string): Place {
  const steps = path.match(/\w+/g) ?? [];
  const place = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  // A part without what it is made of is none.
  const inPart = place.some((step) => step === 'content' || step === 'parts');
  return inPart ? place.slice(0, place.findLastIndex((step) => typeof step === 'number') + 1) : place;
}

function remove(body: object, place: Place): void {
  const [last = '', around] = [place.at(-1), place.slice(0, -1).reduce(inside, body as unknown)];
  if (Array.isArray(around)) around.splice(Number(last), 1);
  else if (typeof around === 'object' && around) delete (around as Record<string, unknown>)[last];
}

/** Exchanges a text for another. */
function replace(body: object, place: Place): void {
  const around = place.slice(0, -1).reduce(inside, body as unknown) as Record<string | number, unknown>;
  const last = place.at(-1) ?? '';
  around[last] = `${String(around[last])}2`;
}

function inside(value: unknown, step: string | number): unknown {
  return (value as Record<string | number, unknown>)[step];
}

/** The places of a request that a path of the table leads to. */
function placesOf(value: unknown, steps: readonly Step[], place: Place = []): Place[] {
  const [step, ...rest] = steps;
  if (value === null || value === undefined) return [];
  switch (step?.kind) {
    case undefined:
      return [place];
    case 'field':
      return typeof value === 'object' && !Array.isArray(value)
        ? placesOf((value as Body)[step.name], rest, [...place, step.name])
        : [];
    case 'items':
      return Array.isArray(value)
        ? value.flatMap((item, index) => placesOf(item, rest, [...place, index]))
        : [];
    case 'variant':
      return step.values.includes(String((value as Body)[step.by])) ? placesOf(value, rest, place) : [];
    case 'value':
      return value === step.value ? [place] : [];
  }
}

/** Fields whose effect is not in the request to the vendor: it is in the answer, or always there, or other fields say the same. */
const elsewhere: Readonly<Record<ClientWire, readonly string[]>> = {
  'openai-completions': ['model', 'echo', 'stream', 'stream_options', 'stream_options.include_usage'],
  'openai-chat': [
    'model',
    'stream',
    'stream_options',
    'stream_options.include_usage',
    'response_format{type=json_schema}.json_schema.strict',
  ],
  'openai-responses': [
    'model',
    'stream',
    'stream_options',
    'include',
    'include[]=reasoning.encrypted_content',
    'input[].id',
    'input[].status',
    'input[type=function_call_output].name',
    'input[type=function_call_output].namespace',
    'text.format{type=json_schema}.strict',
  ],
  anthropic: [
    'model',
    'stream',
    // Only a vendor that signs thinking is sent what is signed.
    'messages[].content[type=thinking].signature',
    'messages[].content[type=redacted_thinking].data',
  ],
  gemini: [
    'model',
    'systemInstruction.role',
    'contents[].parts[].functionResponse.id',
    'contents[].parts[].functionResponse.name',
  ],
};

describe.each(clientWires)('from %s', (wire) => {
  const table = fieldTable(wire);
  const tree = fieldTree(table);
  const others = wires.filter((target) => target !== wire);

  describe.each(others)('to %s', (target) => {
    const bodies = [richRequests[wire], ...otherRequests[wire]].map((one) => acceptable(wire, target, one));
    const tries = table.rows
      .filter(({ path }) =>
        rowsOnTheWay(tree, path)
          .slice(0, -1)
          .every((row) => row.to[target] === 'mapped'),
      )
      .map((row) => ({
        path: row.path,
        disposition: row.to[target],
        results: bodies.flatMap((body) =>
          placesOf(body, parseFieldPath(row.path)).map((place) => {
            const without = structuredClone(body);
            remove(without, place);
            const [before, after] = [said(wire, target, body), said(wire, target, without)];
            if (row.to[target] !== 'dropped' || !after.some((one) => typeof one === 'string'))
              return { before, after };
            // Our reader wants it for other vendors, so it gets another value.
            const other = structuredClone(body);
            replace(other, place);
            return { before, after: said(wire, target, other) };
          }),
        ),
      }));

    it('each request can be said', () => {
      const results = bodies.map((body) => said(wire, target, body).filter((one) => typeof one === 'string'));
      expect(results).toEqual(bodies.map(() => []));
    });

    it('what is mapped cannot be taken away unnoticed', () => {
      const unnoticed = tries.filter(
        ({ path, disposition, results }) =>
          disposition === 'mapped' &&
          !elsewhere[wire].includes(path) &&
          results.length > 0 &&
          results.every(({ before, after }) => JSON.stringify(before) === JSON.stringify(after)),
      );
      expect(unnoticed.map(({ path }) => path)).toEqual([]);
    });

    it('what is dropped makes no difference to the vendor', () => {
      const requests = (all: readonly (Said | string)[]) =>
        JSON.stringify(all.map((one) => (typeof one === 'string' ? one : one.request)));
      const noticed = tries.filter(
        ({ disposition, results }) =>
          disposition === 'dropped' &&
          results.some(({ before, after }) => requests(before) !== requests(after)),
      );
      expect(noticed.map(({ path }) => path)).toEqual([]);
    });

    it('has every field of the table in one of the requests', () => {
      const untried = tries.filter(
        ({ disposition, results, path }) =>
          disposition !== 'refused' && results.length === 0 && !/[\]}]$|=[^\]}]*$/.test(path),
      );
      expect(untried.map(({ path }) => path)).toEqual([]);
    });
  });
});
