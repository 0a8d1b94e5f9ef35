import { expect, test } from 'vitest';
import {
  mayHoldForeignThinking,
  withoutForeignThinking,
} from '../../../../../../src/gateway/wires/anthropic/client/other-vendor-reasoning.ts';
import type { AnswerPart } from '../../../../../../src/model/port.ts';
import { answer, parts, plain, sealed } from '../../../../../helpers/anthropic-answers.ts';

const own = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln/+==' };
const user = { role: 'user', content: 'Hi' };
const unsigned: AnswerPart = { type: 'thinking', text: 'Hm.', sealed: null };
const ours: AnswerPart = { type: 'thinking', text: 'Hm.', sealed: sealed(own, 'anthropic') };

const bytesOf = (body: object) => Buffer.from(JSON.stringify(body));

test('thinking of others goes, and all else stays as it came', () => {
  const { content } = answer([...parts, unsigned, ours], 'tool_calls');
  const body = { ...plain, extra: { a: 1 }, messages: [user, { role: 'assistant', content }, user] };
  expect(mayHoldForeignThinking(bytesOf(body))).toBe(true);
  const kept = content.filter((block) => block.type === 'text' || block.type === 'tool_use');
  expect(withoutForeignThinking(body, true)).toEqual({
    ...body,
    messages: [user, { role: 'assistant', content: [...kept, own] }, user],
  });
});

test('a message of nothing but such thinking goes as a whole', () => {
  const { content } = answer([unsigned]);
  const body = { ...plain, messages: [user, { role: 'assistant', content }, user] };
  expect(withoutForeignThinking(body, true)).toEqual({ ...body, messages: [user, user] });
});

test.each([
  [{ ...plain, messages: [user, { role: 'assistant', content: [own] }] }],
  [{ ...plain, messages: [{ role: 'user', content: [{ type: 'text', text: 'sy1.' }] }] }],
  [{ messages: 'none' }],
])('nothing is taken out of %j', (body) => {
  expect(withoutForeignThinking(body, true)).toBeNull();
});

test('thinking that nobody signed stays where the vendor signs none', () => {
  const { content } = answer([unsigned]);
  const body = { ...plain, messages: [user, { role: 'assistant', content }, user] };
  expect(withoutForeignThinking(body, false)).toBeNull();
});

test('a body without it is known by its bytes', () => {
  const body = { ...plain, messages: [user, { role: 'assistant', content: [own] }] };
  expect(mayHoldForeignThinking(bytesOf(body))).toBe(false);
});
