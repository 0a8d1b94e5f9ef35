/** What OpenAI tells of the use of pictures and sound. */
import { expect, it } from 'vitest';
import {
  MediaReader,
  readMediaUsage,
  usageIn,
} from '../../../../../src/gateway/wires/openai-media/vendor-native.ts';
import { tokenUsage } from '../../../../../src/model/usage.ts';

const images = {
  input_tokens: 30,
  output_tokens: 4160,
  total_tokens: 4190,
  input_tokens_details: { image_tokens: 20, text_tokens: 10 },
};

it('reads the tokens of pictures, of sound, and none where only seconds are told', () => {
  expect(readMediaUsage(images)).toEqual(tokenUsage({ inputUncached: 30, output: 4160, imageIn: 20 }));
  expect(
    readMediaUsage({
      type: 'tokens',
      input_tokens: 14,
      output_tokens: 2,
      input_token_details: { audio_tokens: 14 },
    }),
  ).toEqual(tokenUsage({ inputUncached: 14, output: 2, audioIn: 14 }));
  expect(readMediaUsage({ type: 'duration', seconds: 9 })).toBeNull();
  expect(readMediaUsage({ input_tokens: '14', output_tokens: -1 })).toBeNull();
  expect(readMediaUsage(undefined)).toBeNull();
});

it('finds the usage at the end of a reply of which the beginning is missing', () => {
  const reply = Buffer.from(
    JSON.stringify({ data: [{ b64_json: 'A'.repeat(9000) }], usage: images }, null, 2),
  );
  expect(usageIn(reply.subarray(-4096))).toEqual(readMediaUsage(images));
});

it.each([
  ['none', '{"text":"Hi"}'],
  ['one in a text', JSON.stringify({ text: `say "usage": {"input_tokens":1,"output_tokens":1}` })],
  ['a broken one', '{"usage": {"input_tokens": 1,'],
  ['one that is no object', '{"usage": null}'],
  ['one with braces in a text', '{"usage": {"input_tokens": "}{", "x": "\\""}}'],
])('finds nothing where there is %s', (_, reply) => {
  expect(usageIn(Buffer.from(reply))).toBeNull();
});

const vendor = { id: 'openai', apiKey: null };
const event = (data: object) => Buffer.from(`event: x\ndata: ${JSON.stringify(data)}`);

it('waits for the end of each thing that is made', () => {
  const reader = new MediaReader(vendor, 'gpt-image-1', 2);
  for (const data of [{ type: 'image_generation.partial_image' }, { type: 'image_generation.completed' }])
    expect(reader.event(event(data))).toBe(true);
  expect(reader.summary).toMatchObject({ complete: false, endReason: 'stop', usage: null });
  reader.event(event({ type: 'image_generation.completed', usage: images }));
  expect(reader.summary).toMatchObject({ complete: true, usage: { output: 4160 } });
});

it('notes an error in a stream, and passes over what it cannot read', () => {
  const reader = new MediaReader(vendor, 'gpt-4o-transcribe', 1);
  for (const bytes of ['data: [DONE]', ': ping', 'data: null', 'data: {'])
    expect(reader.event(Buffer.from(bytes))).toBe(true);
  expect(reader.summary.failure).toBeNull();
  reader.event(event({ type: 'error', error: { type: 'server_error', message: 'Oops' } }));
  expect(reader.summary.failure?.code).toBe('provider_error');
});
