/** The official Anthropic SDK for Node.js: its plain calls and its helpers, on Messages. */
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import { beyondMock, brokeOff, judge, refusalOf } from '../lib/judge.js';
import { answer, mockRefuses, pdf, picture, say, used, weatherOf, weatherTool } from '../lib/said.js';
import { anthropic, asks, textOf, tools, user } from './asking.js';
import { server } from './server.js';

const City = z.object({ city: z.string(), population: z.number().int(), coastal: z.boolean() });

const calls = (message) => message.content.filter((block) => block.type === 'tool_use');
const asked = (message) =>
  calls(message).map((call) => {
    assert.equal(call.name, weatherTool.name);
    return call.input;
  });
/** The turns after a message with calls: the message, then all results in one turn. */
const results = (message) => [
  { role: 'assistant', content: message.content },
  user(
    calls(message).map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: weatherTool.run(call.input),
    })),
  ),
];
const image = {
  type: 'image',
  source: { type: 'base64', media_type: picture.type, data: picture.base64 },
};

/** The SDK's loop: it calls the tool for each call and sends the results until there are none. */
async function runTools(more) {
  let runs = 0;
  const runner = anthropic.beta.messages.toolRunner({
    ...asks(say.parallel),
    ...more,
    tools: [
      betaZodTool({
        name: weatherTool.name,
        description: weatherTool.description,
        inputSchema: z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']) }),
        run: (input) => {
          runs += 1;
          return weatherTool.run(input);
        },
      }),
    ],
  });
  assert.equal(textOf(await runner.runUntilDone()), answer.parallel);
  assert.equal(runs, 2);
}

await judge({
  text: async () => {
    const message = await anthropic.messages.create(asks(say.text));
    assert.equal(message.type, 'message');
    assert.equal(message.role, 'assistant');
    assert.equal(textOf(message), answer.text);
    assert.equal(message.stop_reason, 'end_turn');
    assert.equal(message.stop_sequence, null);
    assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [used.input, used.output]);
  },
  'text with a system prompt': async () => {
    const message = await anthropic.messages.create(
      asks(say.text, { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] }),
    );
    assert.equal(textOf(message), answer.text);
  },
  'stream with usage': async () => {
    const stream = anthropic.messages.stream(asks(say.text));
    const events = [];
    let text = '';
    stream.on('streamEvent', (event) => events.push(event.type));
    stream.on('text', (delta) => {
      text += delta;
    });
    const message = await stream.finalMessage();
    assert.equal(text, answer.text);
    assert.equal(textOf(message), answer.text);
    assert.equal(message.stop_reason, 'end_turn');
    assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [used.input, used.output]);
    assert.equal(events[0], 'message_start');
    assert.equal(events.at(-1), 'message_stop');
    assert.equal(events.filter((type) => type === 'message_start').length, 1);
  },
  'stream, block by block': async () => {
    let open = null;
    let blocks = 0;
    for await (const event of await anthropic.messages.create(asks(say.parallel, { tools, stream: true }))) {
      if (event.type === 'content_block_start') {
        assert.equal(open, null, 'two blocks are open at once');
        assert.equal(event.index, blocks, 'the indices have a gap');
        open = event.index;
        blocks += 1;
      }
      if (event.type === 'content_block_delta') assert.equal(event.index, open);
      if (event.type === 'content_block_stop') {
        assert.equal(event.index, open);
        open = null;
      }
    }
    assert.ok(blocks >= 2);
  },
  'tool call and result': async () => {
    const first = await anthropic.messages.create(asks(say.tool, { tools }));
    assert.equal(first.stop_reason, 'tool_use');
    assert.deepEqual(asked(first), [weatherOf('Oslo')]);
    const second = await anthropic.messages.create({
      ...asks(say.tool, { tools }),
      messages: [user(say.tool), ...results(first)],
    });
    assert.equal(textOf(second), answer.tool);
  },
  'stream of a tool call': async () => {
    const stream = anthropic.messages.stream(asks(say.tool, { tools }));
    let json = '';
    stream.on('inputJson', (delta) => {
      json += delta;
    });
    const message = await stream.finalMessage();
    assert.deepEqual(JSON.parse(json), weatherOf('Oslo'));
    assert.deepEqual(asked(message), [weatherOf('Oslo')]);
    assert.equal(message.stop_reason, 'tool_use');
  },
  'parallel calls and results': async () => {
    const first = await anthropic.messages.stream(asks(say.parallel, { tools })).finalMessage();
    assert.deepEqual(asked(first), [weatherOf('Oslo'), weatherOf('Rome')]);
    assert.equal(new Set(calls(first).map((call) => call.id)).size, 2);
    const second = await anthropic.messages.create({
      ...asks(say.parallel, { tools }),
      messages: [user(say.parallel), ...results(first)],
    });
    assert.equal(textOf(second), answer.parallel);
  },
  'a result that is an error': async () => {
    const first = await anthropic.messages.create(asks(say.tool, { tools }));
    const [call] = calls(first);
    const failed = {
      type: 'tool_result',
      tool_use_id: call.id,
      is_error: true,
      content: 'There is no weather today.',
    };
    const second = await anthropic.messages.create({
      ...asks(say.tool, { tools }),
      messages: [user(say.tool), { role: 'assistant', content: first.content }, user([failed])],
    });
    assert.equal(textOf(second), answer.tool);
  },
  'tool runner': () => runTools({ thread: false }),
  // The SDK's own choice: the server holds the conversation, or says in a way of its own that it does not. The mock ignores it.
  'tool runner on a thread': beyondMock(() => runTools({}), ['translated']),
  'tool runner with streams': () => runTools({ thread: false, stream: true }),
  'JSON by schema': async () => {
    const message = await anthropic.messages.parse(
      asks(say.json, { output_config: { format: zodOutputFormat(City) } }),
    );
    assert.deepEqual(message.parsed_output, answer.json);
  },
  image: async () => {
    const message = await anthropic.messages.create(asks([image, { type: 'text', text: say.image }]));
    assert.equal(textOf(message), answer.image);
  },
  document: async () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: pdf };
    const message = await anthropic.messages.create(
      asks([
        { type: 'document', source },
        { type: 'text', text: say.document },
      ]),
    );
    assert.equal(textOf(message), answer.document);
  },
  thinking: async () => {
    const message = await anthropic.messages.create(
      asks(say.thinking, { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2048 } }),
    );
    assert.equal(textOf(message), answer.thinking);
    const block = message.content.find(({ type }) => type === 'thinking');
    assert.equal(block?.thinking, answer.thought);
  },
  'stream of thinking': async () => {
    const stream = anthropic.messages.stream(
      asks(say.thinking, { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2048 } }),
    );
    let thinking = '';
    stream.on('thinking', (delta) => {
      thinking += delta;
    });
    assert.equal(textOf(await stream.finalMessage()), answer.thinking);
    assert.equal(thinking, answer.thought);
  },
  'thinking of an earlier turn': async () => {
    const thinking = { type: 'enabled', budget_tokens: 2048 };
    const first = await anthropic.messages.create(asks(say.thinking, { max_tokens: 4096, thinking }));
    const second = await anthropic.messages.create({
      ...asks('', { max_tokens: 4096, thinking }),
      messages: [user(say.thinking), { role: 'assistant', content: first.content }, user(say.text)],
    });
    assert.equal(textOf(second), answer.text);
  },
  'thinking, then a tool': async () => {
    const more = { tools, max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2048 } };
    const first = await anthropic.messages.stream(asks(say.thinkThenTool, more)).finalMessage();
    assert.equal(first.content[0].type, 'thinking');
    assert.ok(first.content[0].signature, 'no signature');
    assert.deepEqual(asked(first), [weatherOf('Oslo')]);
    const second = await anthropic.messages.create({
      ...asks('', more),
      messages: [user(say.thinkThenTool), ...results(first)],
    });
    assert.equal(textOf(second), answer.tool);
  },
  ...(mockRefuses && {
    refusal: async () => {
      const message = await anthropic.messages.create(asks(say.refusal));
      assert.equal(message.stop_reason, 'refusal');
    },
  }),
  length: async () => {
    const message = await anthropic.messages.create(asks(say.length, { max_tokens: 7 }));
    assert.equal(message.stop_reason, 'max_tokens');
    assert.equal(textOf(message), answer.length);
  },
  'error 429': async () => {
    const error = await refusalOf(() => anthropic.messages.create(asks(say.tooMany)));
    assert.ok(error instanceof Anthropic.RateLimitError, String(error));
    assert.equal(error.error.type, 'error');
    assert.equal(error.error.error.type, 'rate_limit_error');
    assert.ok(error.headers.get('retry-after'), 'no retry-after');
  },
  'error 500': async () => {
    const error = await refusalOf(() => anthropic.messages.create(asks(say.broken)));
    assert.ok(error instanceof Anthropic.InternalServerError, String(error));
    assert.equal(error.error.type, 'error');
  },
  '429 to a stream': async () => {
    const error = await refusalOf(() => anthropic.messages.stream(asks(say.tooMany)).finalMessage());
    assert.ok(error instanceof Anthropic.RateLimitError, String(error));
  },
  // After ten seconds of silence the server says that it is still there, which a client must not take for an answer.
  'stream after a long silence': async () => {
    assert.equal(textOf(await anthropic.messages.stream(asks(say.slow)).finalMessage()), answer.slow);
  },
  'stream cut at once': async () => {
    const error = await refusalOf(() => anthropic.messages.stream(asks(say.cutAtOnce)).finalMessage());
    assert.ok(error instanceof Anthropic.AnthropicError, String(error));
  },
  'cut stream': async () => {
    const stream = anthropic.messages.stream(asks(say.cut));
    let text = '';
    stream.on('text', (delta) => {
      text += delta;
    });
    const error = await refusalOf(() => stream.finalMessage());
    assert.ok(error instanceof Anthropic.AnthropicError, String(error));
    brokeOff(text, error);
  },
  ...server,
});
