/** Pictures, speech, moderation, old completions, files and batches. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';
import { anywhere, given } from '../lib/judge.js';
import { answer, picture, say } from '../lib/said.js';

const model = given('MODEL_OPENAI');
const png = () => toFile(Buffer.from(picture.base64, 'base64'), 'square.png', { type: picture.type });
const wav = () => toFile(Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), 'words.wav', { type: 'audio/wav' });

/** @param {OpenAI} openai */
export const media = (openai) => ({
  'images generate': anywhere(async () => {
    const reply = await openai.images.generate({ model: 'gpt-image-1', prompt: 'A red square' });
    assert.ok(Buffer.from(reply.data[0].b64_json, 'base64').length > 0);
  }),
  'images edit': anywhere(async () => {
    const reply = await openai.images.edit({
      model: 'gpt-image-1',
      image: await png(),
      prompt: 'Make it blue',
    });
    assert.ok(Buffer.from(reply.data[0].b64_json, 'base64').length > 0);
  }),
  transcription: anywhere(async () => {
    const reply = await openai.audio.transcriptions.create({ model: 'whisper-1', file: await wav() });
    assert.ok(reply.text.length > 0);
  }),
  translation: anywhere(async () => {
    const reply = await openai.audio.translations.create({ model: 'whisper-1', file: await wav() });
    assert.ok(reply.text.length > 0);
  }),
  speech: anywhere(async () => {
    const reply = await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello' });
    assert.ok((await reply.arrayBuffer()).byteLength > 0);
  }),
  moderations: anywhere(async () => {
    const reply = await openai.moderations.create({ model: 'omni-moderation-latest', input: 'Hello' });
    assert.equal(typeof reply.results[0].flagged, 'boolean');
  }),
  'old completions': async () => {
    const reply = await openai.completions.create({ model, prompt: say.text, max_tokens: 64 });
    assert.equal(reply.choices[0].text, answer.text);
  },
  files: anywhere(async () => {
    const text = '{"custom_id":"one"}\n';
    const file = await openai.files.create({
      file: await toFile(Buffer.from(text), 'lines.jsonl'),
      purpose: 'batch',
    });
    assert.equal(file.filename, 'lines.jsonl');
    assert.equal((await openai.files.retrieve(file.id)).bytes, text.length);
    assert.equal(await (await openai.files.content(file.id)).text(), text);
    const ids = [];
    for await (const { id } of openai.files.list()) ids.push(id);
    assert.ok(ids.includes(file.id));
    assert.equal((await openai.files.delete(file.id)).deleted, true);
  }),
  batches: async () => {
    const request = {
      custom_id: 'one',
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, messages: [{ role: 'user', content: say.text }] },
    };
    const file = await openai.files.create({
      file: await toFile(Buffer.from(`${JSON.stringify(request)}\n`), 'batch.jsonl'),
      purpose: 'batch',
    });
    let batch = await openai.batches.create({
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    for (let asked = 0; asked < 50 && batch.status !== 'completed'; asked += 1) {
      await pause(100);
      batch = await openai.batches.retrieve(batch.id);
    }
    assert.equal(batch.status, 'completed');
    const [line] = (await (await openai.files.content(batch.output_file_id)).text()).trim().split('\n');
    assert.equal(JSON.parse(line).custom_id, 'one');
  },
});
