import { describe, expect, it } from 'vitest';
import { createResponsesReader } from '../../../../../../src/gateway/wires/openai-responses/vendor/native.ts';
import { tokenUsage } from '../../../../../../src/model/usage.ts';
import { fixture, fixtureNames } from './fixtures.ts';

const vendor = { id: 'openai', apiKey: null };
const usage = tokenUsage({
  inputUncached: 136,
  cacheRead: 128,
  cacheWrite5m: 40,
  cacheWrite1h: 24,
  output: 52,
  reasoning: 31,
});
const id = 'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b';
const endReasons = {
  text: 'stop',
  'reasoning-and-calls': 'tool_calls',
  'custom-call': 'tool_calls',
  refusal: 'refusal',
  incomplete: 'length',
};

function eventsOf(sse: string): Buffer[] {
  return sse
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => Buffer.from(event));
}

/** The same event, whose data tells its type last. */
function typeLast(event: string): string {
  return event.replace(/^data: (.*)$/m, (_, json: string) => {
    const { type, ...rest } = JSON.parse(json) as { type: string };
    return `data: ${JSON.stringify({ ...rest, type })}`;
  });
}

describe.each(fixtureNames)('what is read along of %s', (name) => {
  const told = { usage, endReason: endReasons[name], complete: true, failure: null, id };

  it('as a stream', () => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    for (const event of eventsOf(fixture(`${name}.sse`).toString())) expect(reader.event(event)).toBe(true);
    expect(reader.summary).toMatchObject(told);
    expect(reader.summary.characters).toBeGreaterThan(0);
  });

  it('as a stream without names of events', () => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    const sse = fixture(`${name}.sse`)
      .toString()
      .replaceAll(/^event: .*\n/gm, '');
    for (const event of eventsOf(sse)) reader.event(event);
    expect(reader.summary).toMatchObject(told);
  });

  it.each([
    ['at the end of its data', (event: string) => typeLast(event).replace(/^event: .*\n/, '')],
    ['on a line after its data', (event: string) => event.replace(/^(event: .*)\n(data: .*)$/, '$2\n$1')],
    ['on a line after another', (event: string) => `id: 1\n${event}`],
    [
      'with white space',
      (event: string) => event.replace(/^event: .*\n/, '').replace('"type":', '"type" :\t'),
    ],
  ])('as a stream whose events tell their type %s', (_, change) => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    const events = eventsOf(fixture(`${name}.sse`).toString()).map(String);
    for (const event of events) reader.event(Buffer.from(change(event)));
    const plain = createResponsesReader(vendor, 'gpt-5.5');
    for (const event of events) plain.event(Buffer.from(event));
    expect(reader.summary).toEqual(plain.summary);
    expect(reader.summary).toMatchObject(told);
  });

  it('as a whole', () => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    reader.whole(fixture(`${name}.json`));
    expect(reader.summary).toMatchObject(told);
    expect(reader.summary.characters).toBeGreaterThan(0);
  });
});

describe('what is read along of an answer that fails', () => {
  it.each([
    ['failed.sse', 'provider_rate_limited'],
    ['error.sse', 'provider_rejected'],
  ])('%s', (file, code) => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    for (const event of eventsOf(fixture(file).toString())) expect(reader.event(event)).toBe(true);
    expect(reader.summary).toMatchObject({ complete: false, failure: { code } });
  });

  it('is told of an error without a type', () => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    reader.event(Buffer.from('data: {"error":{"type":"server_error","message":"No.","code":null}}'));
    expect(reader.summary).toMatchObject({ complete: false, failure: { code: 'provider_error' } });
  });

  it('is incomplete where the stream breaks off, with what had come', () => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    for (const event of eventsOf(fixture('text.sse').toString()).slice(0, 6)) reader.event(event);
    const characters = 'Grüße, 世界! 👩‍👩‍👧 and\n"quotes".'.length;
    expect(reader.summary).toEqual({
      usage: null,
      endReason: null,
      complete: false,
      failure: null,
      id,
      characters,
      uncounted: characters,
    });
  });

  it.each([
    '',
    'data: {',
    'event: response.completed\ndata: [1',
    'event: response.completed\ndata: {}',
    'event: error',
  ])('never throws for an event: %s', (event) => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    expect(reader.event(Buffer.from(event))).toBe(true);
    expect(reader.summary.complete).toBe(false);
  });

  it.each([
    ['not JSON', '<html>', 'provider_invalid_response'],
    [
      'an error that came with 200',
      '{"error":{"code":"rate_limit_exceeded","message":"No."}}',
      'provider_rate_limited',
    ],
  ])('as a whole throws for %s', (_, body, code) => {
    const reader = createResponsesReader(vendor, 'gpt-5.5');
    expect(() => reader.whole(Buffer.from(body))).toThrow(expect.objectContaining({ code }));
  });
});
