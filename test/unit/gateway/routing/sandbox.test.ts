import { describe, expect, test } from 'vitest';
import { createModelGateway } from '../../../../src/gateway/routing/gateway.ts';
import { said } from '../../../../src/model/parts.ts';
import type { Attempt, CompletionEvent } from '../../../../src/model/port.ts';
import { callOf, errorOf, settingsOf, shown, textOf } from '../../../helpers/vendor-gateway.ts';

const gateway = createModelGateway(settingsOf([], { maxAttempts: 4 }));
const { signal } = new AbortController();

async function read(model: string | null, call = callOf()) {
  const answer = await gateway.stream(model, call, { signal });
  const events: CompletionEvent[] = [];
  for await (const event of answer.events) events.push(event);
  return { ...answer, events, text: textOf(events), end: events.at(-1) };
}

describe('the sandbox', () => {
  test('says what it is, how to get a model and what was asked', async () => {
    const { completion, provider, model, warnings } = await gateway.complete(null, callOf(), { signal });
    expect({ provider, model, warnings }).toEqual({ provider: 'sandbox', model: 'sandbox', warnings: [] });
    expect(shown(completion).content).toContain('no language model was called');
    expect(shown(completion).content).toContain('OPENAI_API_KEY');
    expect(shown(completion).content).toContain('"Why is the sky blue?"');
    expect(completion.finishReason).toBe('stop');
  });

  test('says the same as a stream, token by token', async () => {
    const { completion } = await gateway.complete('sandbox', callOf(), { signal });
    const { text, end, events } = await read('sandbox');
    expect(text).toBe(shown(completion).content);
    expect(end).toEqual({ type: 'end', finishReason: 'stop', endReason: 'stop', usage: completion.usage });
    expect(events.length - 1).toBe(completion.usage?.output);
  });

  test('shortens a long question', async () => {
    const { completion } = await gateway.complete('sandbox', callOf('why '.repeat(10_000)), { signal });
    expect(shown(completion).content.length).toBeLessThan(700);
  });

  test('answers in place of any model, under its own name', async () => {
    const { provider, model, warnings } = await gateway.complete('gpt-4o', callOf(), { signal });
    expect({ provider, model }).toEqual({ provider: 'sandbox', model: 'sandbox' });
    expect(warnings).toMatchObject([{ code: 'sandbox_answered', param: 'model' }]);
  });

  test('counts tokens as a real tokenizer does', async () => {
    const { usage } = (
      await gateway.complete('sandbox/echo', callOf('hello world, hello tokens'), { signal })
    ).completion;
    expect(usage).toMatchObject({ inputUncached: 5 + 3 + 3, output: 5 });
  });

  test('stops at the cap', async () => {
    const call = callOf('one two three four five', { maxTokens: 3 });
    const { completion } = await gateway.complete('sandbox/echo', call, { signal });
    expect(shown(completion)).toMatchObject({ content: 'one two three', finishReason: 'length' });
    expect(completion.usage?.output).toBe(3);
    expect((await read('sandbox/echo', call)).text).toBe('one two three');
  });

  test.each([
    '\ud800 lone \udc00',
    '👩‍👩‍👧 世界 <|endoftext|>',
    ' \n\t ',
    'x'.repeat(5000),
    ' '.repeat(5000),
  ])('echoes %j exactly', async (text) => {
    const call = callOf(text, { maxTokens: 1_000_000 });
    expect(shown((await gateway.complete('sandbox/echo', call, { signal })).completion).content).toBe(text);
    expect((await read('sandbox/echo', call)).text).toBe(text);
  });

  test('echoes the last message of the user', async () => {
    const messages = [said('user', 'first'), said('user', 'second'), said('assistant', 'third')];
    expect((await read('sandbox/echo', callOf('', { messages }))).text).toBe('second');
    const system = callOf('', { messages: [said('system', 'x')] });
    expect(await read('sandbox/echo', system)).toMatchObject({ text: '', end: { finishReason: 'stop' } });
  });
});

describe('the sandbox can be told to', () => {
  test('limit its rate: at once, with a time', async () => {
    const attempts: Attempt[] = [];
    const context = { signal, onAttempt: (attempt: Attempt) => void attempts.push(attempt) };
    const error = await errorOf(gateway.complete('sandbox/rate-limited', callOf(), context));
    expect(error).toMatchObject({ code: 'provider_rate_limited', retryAfter: 7 });
    expect(attempts.length).toBe(1);
  });

  test('fail, as often as asked', async () => {
    for (let i = 0; i < 20; i += 1)
      expect(await errorOf(gateway.stream('sandbox/error', callOf(), { signal }))).toMatchObject({
        code: 'provider_error',
      });
  });

  test('break off in the middle', async () => {
    expect(await errorOf(gateway.complete('sandbox/cut-stream', callOf(), { signal }))).toMatchObject({
      code: 'provider_stream_interrupted',
    });
    const { events } = await gateway.stream('sandbox/cut-stream', callOf(), { signal });
    let seen = '';
    const reading = (async () => {
      for await (const event of events) if (event.type === 'delta') seen += event.content;
    })();
    expect(await errorOf(reading)).toMatchObject({ code: 'provider_stream_interrupted' });
    expect(seen.length).toBeGreaterThan(20);
  });

  test('be slow, and stop at once when the client goes', async () => {
    const startedAt = performance.now();
    const controller = new AbortController();
    const { events } = await gateway.stream('sandbox/slow', callOf(), { signal: controller.signal });
    expect(performance.now() - startedAt).toBeGreaterThan(1900);
    await events.next();
    const waiting = events.next();
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const early = new AbortController();
    const asking = gateway.complete('sandbox/slow', callOf(), { signal: early.signal });
    early.abort(new Error('gone'));
    await expect(asking).rejects.toThrow('gone');
  });

  test('do nothing else', async () => {
    const error = await errorOf(gateway.complete('sandbox/dance', callOf(), { signal }));
    expect(error).toMatchObject({ code: 'model_not_found', param: 'model' });
    expect(error.message).toContain('sandbox/cut-stream');
  });
});

describe('the scripts of the sandbox', () => {
  const tool = (name: string) => ({ type: 'function', function: { name } }) as const;
  const offered = callOf('Hello', { tools: [tool('a'), tool('b'), tool('c')] });
  const partsOf = async (model: string, call = callOf()) =>
    (await gateway.complete(model, call, { signal })).completion;

  test('think first, and count it', async () => {
    const { parts, usage } = await partsOf('sandbox/thinking');
    expect(parts.map(({ type }) => type)).toEqual(['thinking', 'text']);
    expect(usage?.reasoning).toBeGreaterThan(0);
    expect(usage?.output).toBeGreaterThan(usage?.reasoning ?? 0);
  });

  test('call every tool once, and then tell what it gave', async () => {
    const { parts, finishReason } = await partsOf('sandbox/parallel-tools', offered);
    const calls = parts.filter((part) => part.type === 'tool_call');
    expect(calls.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(finishReason).toBe('tool_calls');
    const results = calls.map(
      ({ id }) => ({ type: 'tool_result', callId: id, content: [{ type: 'text', text: 'done' }] }) as const,
    );
    const answered = {
      ...offered,
      messages: [
        ...offered.messages,
        { role: 'assistant', content: parts } as const,
        { role: 'tool', content: results } as const,
      ],
    };
    expect(shown(await partsOf('sandbox/parallel-tools', answered)).content).toContain('c {} gave: done');
    expect((await partsOf('sandbox/parallel-tools', { ...offered, toolChoice: 'none' })).finishReason).toBe(
      'stop',
    );
    const oneByOne = await partsOf('sandbox/parallel-tools', { ...offered, parallelToolCalls: false });
    expect(oneByOne.parts).toHaveLength(1);
  });

  test('refuse, stop early, cite and say nothing', async () => {
    expect(await partsOf('sandbox/refusal')).toMatchObject({
      parts: [{ type: 'refusal' }],
      finishReason: 'content_filter',
      endReason: 'refusal',
    });
    expect((await partsOf('sandbox/length')).finishReason).toBe('length');
    const [cited] = (await partsOf('sandbox/citations')).parts;
    expect(cited).toMatchObject({ type: 'text', citations: [{ url: 'https://example.com/' }] });
    expect(await partsOf('sandbox/empty')).toMatchObject({
      parts: [],
      finishReason: 'stop',
      usage: { output: 0 },
    });
  });

  test('fail late with an error that is no break of the connection', async () => {
    const { events } = await gateway.stream('sandbox/late-error', callOf(), { signal });
    const read: CompletionEvent[] = [];
    const error = await errorOf(
      (async () => {
        for await (const event of events) read.push(event);
      })(),
    );
    expect(textOf(read)).toContain('sandbox');
    expect(error.code).toBe('provider_error');
  });
});
