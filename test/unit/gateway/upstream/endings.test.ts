import { describe, expect, test } from 'vitest';
import { createAnthropicReader } from '../../../../src/gateway/wires/anthropic/vendor/native.ts';
import { readReply as readAnthropic } from '../../../../src/gateway/wires/anthropic/vendor/reply.ts';
import {
  endReasonOf as geminiEnd,
  requireAnswer,
} from '../../../../src/gateway/wires/gemini/vendor/ending.ts';
import { OpenAiNativeReader } from '../../../../src/gateway/wires/openai-chat/vendor/native.ts';
import { readReply } from '../../../../src/gateway/wires/openai-chat/vendor/reply.ts';

const vendor = { id: 'v', apiKey: null };

/** How vendors that speak like OpenAI end an answer of text, as seen on 27 November 2026. */
const ends = [
  ['stop', 'stop'],
  // https://docs.together.ai/reference/chat-completions-1
  ['eos', 'stop'],
  ['length', 'length'],
  // https://docs.mistral.ai/api
  ['model_length', 'length'],
  // https://ibm.github.io/watsonx-ai-node-sdk/enums/1_4_x.WatsonXAI.TextChatResultChoice.Constants.FinishReason.html
  ['time_limit', 'length'],
  ['token_limit', 'length'],
  ['max_tokens', 'length'],
  ['MAX_TOKENS', 'length'],
  ['content_filter', 'content_filter'],
  // https://docs.z.ai/api-reference/llm/chat-completion
  ['sensitive', 'content_filter'],
  ['content_filter: PROHIBITED_CONTENT', 'content_filter'],
  ['model_context_window_exceeded', 'context_window'],
  ['refusal', 'refusal'],
  ['something_new', 'stop'],
  ['constructor', 'stop'],
] as const;

/** How they say that there is no answer. */
const failures = [
  // https://openrouter.ai/docs/api/reference/errors-and-debugging
  ['error', 'provider_error'],
  // https://docs.z.ai/api-reference/llm/chat-completion
  ['network_error', 'provider_error'],
  // https://api-docs.deepseek.com/api/create-chat-completion
  ['insufficient_system_resource', 'provider_overloaded'],
  // https://ibm.github.io/watsonx-ai-node-sdk, see above
  ['cancelled', 'provider_error'],
  ['function_call_filter: MALFORMED_FUNCTION_CALL', 'provider_error'],
] as const;

const reply = (finish_reason: string, message: object = { content: 'Hi' }) => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
});
const message = (stop_reason: string) => ({
  type: 'message',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason,
});

/** What the ledger is told of a stream that passes as bytes. */
function told(...chunks: (object | string)[]) {
  const reader = new OpenAiNativeReader(vendor, 'm', { usageWanted: true });
  for (const chunk of chunks)
    reader.event(Buffer.from(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}`));
  return reader.summary;
}
const delta = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

describe('the reason of an end', () => {
  test.each(ends)('%s is %s, on both lanes', (reason, endReason) => {
    expect(readReply(vendor, 'm', reply(reason))).toMatchObject({ endReason });
    expect(told(delta('Hi', reason), '[DONE]')).toMatchObject({ endReason, failure: null, complete: true });
    const answerer = { vendor, model: 'm', customTools: new Set<string>() };
    expect(readAnthropic(answerer, message(reason))).toMatchObject({ endReason });
  });

  test.each(failures)('%s is no answer, on both lanes: %s', (reason, code) => {
    const failed = expect.objectContaining({ code }) as unknown;
    expect(() => readReply(vendor, 'm', reply(reason))).toThrow(failed as Error);
    const reader = new OpenAiNativeReader(vendor, 'm', { usageWanted: true });
    expect(() => reader.whole(Buffer.from(JSON.stringify(reply(reason))))).toThrow(failed as Error);
    const answerer = { vendor, model: 'm', customTools: new Set<string>() };
    expect(() => readAnthropic(answerer, message(reason))).toThrow(failed as Error);
  });

  test('that is none lets usage and the end mark of a stream pass before it fails', () => {
    expect(told(delta('Hi', 'network_error'))).toMatchObject({ failure: null, complete: false });
    expect(told(delta('Hi', 'network_error'), '[DONE]')).toMatchObject({
      failure: { code: 'provider_error' },
    });
    const along = createAnthropicReader(vendor, 'm');
    along.event(
      Buffer.from('data: {"type":"message_delta","delta":{"stop_reason":"network_error"},"usage":{}}'),
    );
    expect(along.summary).toMatchObject({ failure: null });
    along.event(Buffer.from('event: message_stop\ndata: {"type":"message_stop"}'));
    expect(along.summary).toMatchObject({ failure: { code: 'provider_error' } });
  });

  test('tells of a failure in the words of the vendor where there are any', () => {
    const choice = { ...reply('error').choices[0], error: { code: 429, message: 'Slow down' } };
    expect(() => readReply(vendor, 'm', { choices: [choice] })).toThrow(
      expect.objectContaining({ code: 'provider_rate_limited' }) as Error,
    );
  });

  // https://ai.google.dev/api/generate-content#FinishReason, seen on 27 November 2026
  test.each(['MISSING_THOUGHT_SIGNATURE', 'MALFORMED_FUNCTION_CALL'])(
    '%s of Gemini is no answer',
    (reason) => {
      const finish = { reason, message: null, blocked: false };
      expect(() => requireAnswer(vendor, finish)).toThrow(
        expect.objectContaining({ code: 'provider_invalid_response' }) as Error,
      );
      expect(geminiEnd(finish, { calls: false, empty: true })).toBe('content_filter');
    },
  );
});

describe('an empty stub of a call', () => {
  const stub = { id: '', type: 'function', function: { name: '', arguments: '' } };

  // https://github.com/farion1231/cc-switch/pull/4158, seen on 27 November 2026
  test.each([
    ['empty', stub],
    ['null', { id: null, function: { name: null, arguments: null } }],
    ['nothing but an id', { ...stub, id: 'call_1' }],
  ])('of %s beside a text is none', (_, call) => {
    expect(readReply(vendor, 'm', reply('stop', { content: 'Hi', tool_calls: [call] }))).toMatchObject({
      parts: [{ type: 'text', text: 'Hi' }],
      endReason: 'stop',
    });
    const chunk = { choices: [{ index: 0, delta: { content: 'Hi', tool_calls: [{ index: 0, ...call }] } }] };
    expect(told(chunk, delta('', 'stop'), '[DONE]').endReason).toBe('stop');
  });

  test('in place of an answer makes it invalid', () => {
    expect(() => readReply(vendor, 'm', reply('tool_calls', { content: null, tool_calls: [stub] }))).toThrow(
      'a call of a tool without a name',
    );
  });
});
