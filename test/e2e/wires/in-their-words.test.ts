import { describe, expect, it } from 'vitest';
import type { VendorWire } from '../../../src/model/parts.ts';
import { testKey } from '../../helpers/app.ts';
import {
  askOn,
  beforeFourVendors,
  isStreamed,
  modelOn,
  sendTo,
  textAnswers,
  wireClients,
  wireNames,
  wireOf,
} from '../../helpers/wire-clients.ts';
import { readBySdk } from '../../helpers/wire-sides.ts';
import type { VendorScript } from '../../lib/vendor.ts';

/**
 * Integers beyond 2^53 in what is only passed on: arguments and results of tools, and schemas. Ids of X, Discord and databases are
 * such (https://github.com/earendil-works/pi/issues/8943, seen 2026-11-27).
 */
describe('digits', () => {
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
      stream: events
        .map((data) => `event: ${/"type":"([\w.]+)"/.exec(data)?.[1]}\ndata: ${data}\n\n`)
        .join(''),
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
});

/** What vendors say against a request in less than the full form of their wire, as compatible servers do. */
describe('words of vendors', () => {
  async function told(client: VendorWire, said: object) {
    const { app } = await beforeFourVendors(({ json }) => json(said, 400));
    const { status, text } = await askOn(app, client, modelOn[client], 'Hi');
    return { status, body: JSON.parse(text), text };
  }

  const whole: Readonly<Record<VendorWire, object>> = {
    'openai-chat': { error: { message: 'No such thing.' }, detail: [{ loc: ['body'], msg: 'No.' }] },
    'openai-responses': { error: { message: 'No such thing.', code: 400 } },
    anthropic: { type: 'error', error: { type: 'invalid_request_error', message: 'No such thing.' } },
    gemini: { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'No such thing.', details: [] } },
  };

  it.each(wireNames)('go to a client on %s as they are where it knows the form', async (client) => {
    expect(await told(client, whole[client])).toMatchObject({ status: 400, body: whole[client] });
  });

  it.each(wireNames)('go to a client on %s in its own form where the vendor has another', async (client) => {
    const { status, body, text } = await told(client, { detail: 'No such thing.' });
    expect(status).toBe(400);
    expect(text).toContain('No such thing.');
    expect(body).toHaveProperty('error.message');
    if (client === 'anthropic') expect(body).toMatchObject({ type: 'error', request_id: expect.any(String) });
  });

  it.each<[VendorWire, RegExp]>([
    ['openai-chat', /"code":"context_length_exceeded"/],
    ['openai-responses', /"code":"context_length_exceeded"/],
    ['anthropic', /"message":"[^"]*prompt is too long/],
    ['gemini', /input token count/],
  ])('of a conversation that is too long are those that clients on %s know', async (client, words) => {
    // As llama.cpp says it on every wire (xllamacpp 2026.10.11549, seen 2026-11-27).
    const error = {
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 361,
      n_ctx: 256,
    };
    const { status, text } = await told(client, { error });
    expect(status).toBe(400);
    expect(text).toMatch(words);
  });
});

/**
 * Replies to requests for streams that are not what their label says, on either lane: clients of other gateways got an error for
 * them (https://github.com/openclaw/openclaw/pull/97454, seen on 27 November 2026).
 */
describe('forms of replies', () => {
  const pairs = wireNames.flatMap((client) => wireNames.map((vendor) => [client, vendor] as const));
  const streaming = { streaming: true } as const;

  describe.each(pairs)('a client on %s before a vendor on %s', (client, vendor) => {
    const model = modelOn[vendor];
    const body = wireClients[client].body(model, { text: 'Hi' });

    it('reads a stream that is labelled as JSON', async () => {
      let type = 'text/event-stream';
      const { app } = await beforeFourVendors(({ request, reply }) =>
        reply(200, textAnswers[wireOf(request)].stream, { 'content-type': type }),
      );
      const right = await sendTo(app, wireClients[client], model, body, streaming);
      type = 'application/json';
      const wrong = await sendTo(app, wireClients[client], model, body, streaming);
      const steady = (text: string) =>
        text
          .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ID')
          .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
      expect([wrong.status, steady(wrong.text)]).toEqual([200, steady(right.text)]);
    });

    it.each(['application/json', 'text/event-stream'])(
      'reads a whole answer, labelled %s, as the stream that it asked for',
      async (type) => {
        const { app } = await beforeFourVendors(({ request, reply }) =>
          reply(200, JSON.stringify(textAnswers[wireOf(request)].reply), { 'content-type': type }),
        );
        const answer = await sendTo(app, wireClients[client], model, body, streaming);
        expect(answer.status).toBe(200);
        expect(answer.text).toMatch(/^(?:event|data):/);
        await expect(readBySdk[client](answer.text)).resolves.toBeTypeOf('object');
        const id = answer.headers.get('x-request-id');
        const row = await fetch(`${app.url}/v1/requests/${id}`, {
          headers: { authorization: `Bearer ${testKey}` },
        });
        expect(await row.json()).toMatchObject({ status: 'succeeded', usage: { source: 'provider' } });
      },
    );
  });

  it('keeps the digits of arguments where a whole answer is written as a stream on its own wire', async () => {
    const digits = '12345678901234567891';
    const called = `{"id":"msg_1","type":"message","role":"assistant","model":"claude","stop_reason":"tool_use","stop_sequence":null,
    "content":[{"type":"tool_use","id":"toolu_1","name":"find","input":{"id":${digits}}}],"usage":{"input_tokens":1,"output_tokens":1}}`;
    const { app } = await beforeFourVendors(({ reply }) =>
      reply(200, called, { 'content-type': 'application/json' }),
    );
    const model = modelOn.anthropic;
    const body = wireClients.anthropic.body(model, { text: 'Hi' });
    const answer = await sendTo(app, wireClients.anthropic, model, body, streaming);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(digits);
  });
});
