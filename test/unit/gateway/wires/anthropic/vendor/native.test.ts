import { expect, test } from 'vitest';
import { createAnthropicReader } from '../../../../../../src/gateway/wires/anthropic/vendor/native.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';
import { wireText } from '../../../../../helpers/vendor-fixtures.ts';

const vendor = { id: 'anthropic', apiKey: null };
const text = (name: string) => wireText(`anthropic/${name}`);
const eventsOf = (sse: string) =>
  sse
    .split('\n\n')
    .filter(Boolean)
    .map((event) => Buffer.from(event));
const reader = () => createAnthropicReader(vendor, 'claude-opus-4-8');

const usage = {
  ...noTokens,
  inputUncached: 21,
  cacheRead: 2048,
  cacheWrite5m: 100,
  cacheWrite1h: 200,
  output: 412,
  reasoning: 180,
};
const told = {
  usage,
  endReason: 'tool_calls',
  complete: true,
  failure: null,
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
};

test('a whole reply is read', () => {
  const read = reader();
  read.whole(Buffer.from(text('thinking-tools.reply.json')));
  expect(read.summary).toMatchObject(told);
  expect(read.summary.characters).toBe('First the weather in Zürich 🏔️, then the time.I look both up.'.length);
});

test('a stream is read, and every event is passed on', () => {
  const read = reader();
  const events = eventsOf(text('thinking-tools.stream.sse'));
  expect(events.map((event) => read.event(event))).toEqual(events.map(() => true));
  expect(read.summary).toMatchObject(told);
  expect(read.summary.characters).toBeGreaterThan(60);
});

test.each([
  ['without names of events', (sse: string) => sse.replaceAll(/^event: .*\n/gm, '')],
  ['with other line ends', (sse: string) => sse.replaceAll(/\n(?!\n|event|$)/g, '\r\n')],
  ['without spaces', (sse: string) => sse.replaceAll(/^(event|data): /gm, '$1:')],
])('a stream is read %s', (_, change) => {
  const read = reader();
  for (const event of eventsOf(change(text('thinking-tools.stream.sse')))) read.event(event);
  expect(read.summary).toMatchObject(told);
});

test('a stream that breaks off is not complete and tells what is known', () => {
  const read = reader();
  for (const event of eventsOf(text('thinking-tools.stream.sse')).slice(0, 6)) read.event(event);
  expect(read.summary).toMatchObject({
    usage: { ...usage, output: 3, reasoning: 0 },
    endReason: null,
    complete: false,
  });
});

test('an error in the stream is told', () => {
  const read = reader();
  const error =
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}';
  expect(read.event(Buffer.from(`event: error\ndata: ${error}`))).toBe(true);
  expect(read.summary).toMatchObject({ complete: false, failure: { code: 'provider_overloaded' } });
});

test('what is no JSON in a stream is passed on and no harm', () => {
  const read = reader();
  expect(read.event(Buffer.from('event: message_delta\ndata: {"delta'))).toBe(true);
  expect(read.event(Buffer.from(': comment'))).toBe(true);
  expect(read.summary).toEqual({
    usage: null,
    endReason: null,
    complete: false,
    failure: null,
    id: null,
    characters: 0,
    uncounted: 0,
  });
});

test.each([
  ['<html>', 'provider_invalid_response'],
  ['[]', 'provider_invalid_response'],
  ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'provider_overloaded'],
])('%s is no reply', (body, code) => {
  expect(() => reader().whole(Buffer.from(body))).toThrow(expect.objectContaining({ code }));
});

test('text that looks like an event of another kind is text', () => {
  const read = reader();
  const delta = JSON.stringify({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: '{"type":"message_stop","usage":{"output_tokens":9}}' },
  });
  read.event(Buffer.from(`event: content_block_delta\ndata: ${delta}`));
  expect(read.summary).toMatchObject({ complete: false, usage: null });
});

test.each([
  ['at the end of its data', (event: string) => typeLast(event)],
  ['at the end of its data alone', (event: string) => typeLast(event).replace(/^event: .*\n/, '')],
  ['on a line after another', (event: string) => `id: 1\n${event}`],
  ['on a line after its data', (event: string) => event.replace(/^(event: .*)\n(data: .*)$/, '$2\n$1')],
])('a stream is read whose events tell their type %s', (_, change) => {
  const read = reader();
  const plain = reader();
  for (const event of eventsOf(text('thinking-tools.stream.sse')).map(String)) {
    read.event(Buffer.from(change(event)));
    plain.event(Buffer.from(event));
  }
  expect(read.summary).toMatchObject(told);
  // Escapes count as they stand where an event is not parsed.
  expect(Math.abs(read.summary.characters - plain.summary.characters)).toBeLessThan(20);
});

test.each([
  ['', 0],
  ['Hello', 5],
  ['a \\"quote\\"', 11],
  ['ends in a backslash \\\\', 22],
])('the characters of a piece are counted without reading it: %j', (json, characters) => {
  const read = reader();
  const data = `{"index":0,"delta":{"text":"${json}","type":"text_delta"},"type":"content_block_delta"}`;
  read.event(Buffer.from(`event: content_block_delta\ndata: ${data}`));
  expect(read.summary.characters).toBe(characters);
});

/** The same event, whose data tells its type last. */
function typeLast(event: string): string {
  return event.replace(/^data: (.*)$/m, (_, json: string) => {
    const { type, ...rest } = JSON.parse(json) as { type: string };
    return `data: ${JSON.stringify({ ...rest, type })}`;
  });
}
