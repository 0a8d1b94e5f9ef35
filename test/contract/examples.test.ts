import { describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.gen.ts';
import { built } from '../../src/contract/built.ts';
import {
  eventSchemaOf,
  eventsIn,
  examplesOf,
  isForeign,
  operationsOf,
  repliesOf,
  resolve,
} from '../../src/contract/served/document.ts';
import type { Validator } from '../../src/contract/validator.ts';
import { contract } from '../helpers/contract.ts';

const requests = await built('problems');
const replies = await built('replies');

function expectToFit(validate: Validator | undefined, value: unknown) {
  expect(validate).toBeDefined();
  validate?.(value);
  expect(validate?.errors ?? []).toEqual([]);
}

/** The last event of a stream that is whole, on each foreign interface. */
const lastOf = {
  openai: /^\[DONE\]$|^\{"type":"(?:response\.completed|[a-z_.]+\.(?:completed|done))"/,
  anthropic: /^\{"type":"message_stop"\}$/,
  gemini: /"finishReason":"STOP"/,
} as const;

describe.each(operationsOf(contract))('$id', ({ id, operation }) => {
  const body = operation.requestBody?.content['application/json'];
  if (body) {
    it.each(examplesOf(contract, body))('takes the example %s', (_name, _summary, value) => {
      const variants: readonly string[] = operations[id as keyof typeof operations].body?.variants ?? [];
      const variant = variants.find((name) => Object.hasOwn(value as object, name));
      expectToFit(requests[id]?.[variant ? `body.${variant}` : 'body'], value);
    });
  }

  const media = repliesOf(contract, operation).flatMap(([status, reply]) =>
    Object.entries(reply.content ?? {}).flatMap(([type, content]) =>
      examplesOf(contract, content).map(([name, , value]) => [status, type, name, value] as const),
    ),
  );
  it.each(media)('answers %s %s as in the example %s', (status, type, _name, value) => {
    const describesEvents = type === 'text/event-stream' && !isForeign(operation);
    const values = describesEvents ? eventsIn(value as string) : [value];
    expect(values).not.toEqual([]);
    for (const one of values) expectToFit(replies[id]?.[`${status} ${type}`], one);
  });

  const streams = repliesOf(contract, operation).flatMap(
    ([, reply]) => reply.content?.['text/event-stream'] ?? [],
  );
  it.each(isForeign(operation) ? [] : streams)('shows every kind of its events', (stream) => {
    const union = resolve(contract, eventSchemaOf(stream) ?? {});
    const { mapping } = union['discriminator'] as { mapping: object };
    const shown = examplesOf(contract, stream).flatMap(([, , text]) => eventsIn(text as string));
    const kinds = new Set(shown.map((event) => (event as { type: string }).type));
    expect([...kinds].sort()).toEqual(Object.keys(mapping).sort());
  });

  // Their events are their vendors' affair; an example has them whole, from the first to the one that ends a stream.
  it.each(isForeign(operation) ? streams : [])('shows a whole stream', (stream) => {
    const shown = examplesOf(contract, stream).map(([, , text]) => String(text));
    expect(shown).not.toEqual([]);
    for (const text of shown) {
      const frames = text.split('\n\n');
      expect(frames.pop()).toBe('');
      expect(frames.filter((frame) => !/^(?:event: [\w.]+\n)?data: \S.*$/.test(frame))).toEqual([]);
      const data = frames.map((frame) => frame.slice(frame.indexOf('data: ') + 6));
      const named = frames.flatMap((frame, n) => {
        const name = /^event: (.+)/.exec(frame)?.[1];
        return name === undefined ? [] : [[name, JSON.parse(data[n] ?? '').type]];
      });
      expect(named.filter(([name, type]) => name !== type)).toEqual([]);
      const events = data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one));
      expect(events.filter((event) => typeof event !== 'object')).toEqual([]);
      expect(lastOf[operation['x-wire'] ?? 'gemini'].test(data.at(-1) ?? '')).toBe(true);
    }
  });

  it('has an example on every media type', () => {
    const all = [
      ...(body ? [body] : []),
      ...repliesOf(contract, operation).flatMap(([, reply]) => Object.values(reply.content ?? {})),
    ];
    expect(all.filter((content) => examplesOf(contract, content).length === 0)).toEqual([]);
  });
});
