/**
 * Integers beyond 2^53 in what is only passed on: arguments and results of tools, and schemas. Ids of X, Discord and databases are
 * such (https://github.com/earendil-works/pi/issues/8943, seen 2026-11-27).
 */
import { describe, expect, it } from 'vitest';
import type { VendorWire } from '../../../src/model/parts.ts';
import { testKey } from '../../helpers/app.ts';
import { beforeFourVendors, isStreamed, modelOn, textAnswers, wireOf } from '../../helpers/four-vendors.ts';
import type { VendorScript } from '../../helpers/vendor.ts';
import { wireClients, wireNames } from '../../helpers/wire-clients.ts';

const big = '9007199254740993';
const said = (place: number) => `90071992547409${93 + place * 2}`;
const args = `{"id":${said(0)},"list":[{"id":${said(1)}}]}`;
const schema = `{"type":"object","properties":{"id":{"type":"integer","maximum":${said(2)}}}}`;
const asText = JSON.stringify(args);

/** A conversation with a call, as the clients of a wire write it; text, since no program could hold the numbers. */
const requests: Readonly<Record<VendorWire, (model: string) => string>> = {
  'openai-chat': (model) =>
    `{"model":"${model}","tools":[{"type":"function","function":{"name":"get","parameters":${schema}}}],"messages":[{"role":"user","content":"get"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get","arguments":${asText}}}]},{"role":"tool","tool_call_id":"c1","content":${asText}}]}`,
  'openai-responses': (model) =>
    `{"model":"${model}","store":false,"tools":[{"type":"function","name":"get","parameters":${schema}}],"input":[{"role":"user","content":"get"},{"type":"function_call","call_id":"c1","name":"get","arguments":${asText}},{"type":"function_call_output","call_id":"c1","output":${asText}}]}`,
  anthropic: (model) =>
    `{"model":"${model}","max_tokens":99,"tools":[{"name":"get","input_schema":${schema}}],"messages":[{"role":"user","content":"get"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"get","input":${args}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":${asText}}]}]}`,
  gemini: () =>
    `{"tools":[{"functionDeclarations":[{"name":"get","parametersJsonSchema":${schema}}]}],"contents":[{"role":"user","parts":[{"text":"get"}]},{"role":"model","parts":[{"functionCall":{"name":"get","args":${args}}}]},{"role":"user","parts":[{"functionResponse":{"name":"get","response":${args}}}]}]}`,
};

/** The same call as the answer of a vendor, whole and streamed. */
const calls: Readonly<Record<VendorWire, { readonly whole: string; readonly stream: string }>> = {
  'openai-chat': {
    whole: `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get","arguments":${asText}}}]},"finish_reason":"tool_calls"}]}`,
    stream: `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"get","arguments":${asText}}}]},"finish_reason":null}]}\n\ndata: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n`,
  },
  'openai-responses': responsesCall(),
  anthropic: {
    whole: `{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"c1","name":"get","input":${args}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`,
    stream: [
      `{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"get","input":{}}}`,
      `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${asText}}}`,
      `{"type":"content_block_stop","index":0}`,
      `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":1}}`,
      `{"type":"message_stop"}`,
    ]
      .map((data) => `event: ${/"type":"(\w+)"/.exec(data)?.[1]}\ndata: ${data}\n\n`)
      .join(''),
  },
  gemini: {
    whole: geminiCall(),
    stream: `data: ${geminiCall()}\r\n\r\n`,
  },
};

function geminiCall(): string {
  return `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"get","args":${args}}}]},"finishReason":"STOP"}],"modelVersion":"m"}`;
}

function responsesCall() {
  const item = `{"type":"function_call","id":"f1","call_id":"c1","name":"get","arguments":${asText},"status":"completed"}`;
  const response = (status: string, output: string) =>
    `{"id":"r1","object":"response","created_at":1,"model":"m","status":"${status}","output":[${output}],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}`;
  const events = [
    `{"type":"response.created","sequence_number":0,"response":${response('in_progress', '')}}`,
    `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":${item.replace(asText, '""').replace('completed', 'in_progress')}}`,
    `{"type":"response.function_call_arguments.delta","sequence_number":2,"item_id":"f1","output_index":0,"delta":${asText}}`,
    `{"type":"response.function_call_arguments.done","sequence_number":3,"item_id":"f1","output_index":0,"arguments":${asText}}`,
    `{"type":"response.output_item.done","sequence_number":4,"output_index":0,"item":${item}}`,
    `{"type":"response.completed","sequence_number":5,"response":${response('completed', item)}}`,
  ];
  return {
    whole: response('completed', item),
    stream: events.map((data) => `event: ${/"type":"([\w.]+)"/.exec(data)?.[1]}\ndata: ${data}\n\n`).join(''),
  };
}

/** Answers with text where the conversation has gone on, and with the call else. */
const vendor: VendorScript = ({ request, reply, json, events }) => {
  const wire = wireOf(request);
  const goesOn = request.body.includes('c1') || request.body.includes('functionResponse');
  if (isStreamed(request)) events(goesOn ? textAnswers[wire].stream : calls[wire].stream);
  else if (goesOn) json(textAnswers[wire].reply);
  else reply(200, calls[wire].whole, { 'content-type': 'application/json' });
};

describe.each(wireNames)('between a client on %s', (client) => {
  it.each(wireNames)('and a vendor on %s a request keeps its digits', async (wire) => {
    const before = await beforeFourVendors(vendor);
    const reply = await fetch(before.app.url + wireClients[client].path(modelOn[wire], false), {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: requests[client](modelOn[wire]),
    });
    expect(reply.status).toBe(200);
    const sent = before.vendor.requests[0]?.body ?? '';
    for (const number of [said(0), said(1), said(2)]) expect(sent).toContain(number);
    expect(sent).not.toContain('rawJSON');
  });

  it.each(wireNames.flatMap((wire) => [[wire, false] as const, [wire, true] as const]))(
    'and a vendor on %s an answer does, streamed: %s',
    async (wire, streaming) => {
      const { app } = await beforeFourVendors(vendor);
      const own = wireClients[client];
      const body = own.body(
        modelOn[wire],
        { text: 'get' },
        streaming && client !== 'gemini' ? { stream: true } : {},
      );
      const reply = await fetch(app.url + own.path(modelOn[wire], streaming), {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await reply.text();
      expect(reply.status).toBe(200);
      for (const number of [said(0), said(1)]) expect(text).toContain(number);
      expect(text).not.toContain('rawJSON');
    },
  );
});

it.each(wireNames)(
  'a number of a client on %s that we read ourselves is a number, however long',
  async (client) => {
    const { app } = await beforeFourVendors(vendor);
    const model = modelOn['openai-chat'];
    const own = wireClients[client];
    const setting =
      client === 'gemini' ? `"generationConfig":{"temperature":0.${big}}` : `"temperature":0.${big}`;
    const body = JSON.stringify(own.body(model, { text: 'get' })).replace(/\}$/, `,${setting}}`);
    const reply = await fetch(app.url + own.path(model, false), {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body,
    });
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  },
);
