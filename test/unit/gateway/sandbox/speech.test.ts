import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type SpeechFormat,
  speak,
  speechFormats,
  speechMediaType,
  speechSeconds,
} from '../../../../src/gateway/sandbox/media/speech.ts';
import {
  readAdts,
  readFlac,
  readMp3,
  readOpus,
  readPcm,
  readWav,
  type Sound,
} from '../../../helpers/audio.ts';

const readers: Readonly<Record<SpeechFormat, (bytes: Buffer) => Sound>> = {
  wav: readWav,
  flac: readFlac,
  mp3: readMp3,
  opus: readOpus,
  aac: readAdts,
  pcm: (bytes) => {
    const samples = readPcm(bytes);
    return { seconds: samples.length / 24_000, frames: samples.length, samples };
  },
};

async function spoken(text: string, format: SpeechFormat, speed = 1): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of speak(text, { format, speed })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const text = 'Hello there, this is the sandbox. It has no voice; words are tones.';

describe('speech of the sandbox', () => {
  test.each(speechFormats)('is valid %s, as long as the text at its speed', async (format) => {
    for (const speed of [0.25, 1, 2.5, 4]) {
      const { seconds } = readers[format](await spoken(text, format, speed));
      // To a frame of AAC, the longest.
      expect(Math.abs(seconds - speechSeconds(text, speed))).toBeLessThan(1024 / 24_000);
    }
  });

  test.each(speechFormats)('is valid %s for any text', async (format) => {
    const anyText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.lorem({ maxCount: 8 }));
    await fc.assert(
      fc.asyncProperty(anyText, fc.double({ min: 0.25, max: 4, noNaN: true }), async (any, speed) => {
        const { seconds } = readers[format](await spoken(any, format, speed));
        expect(Math.abs(seconds - speechSeconds(any, speed))).toBeLessThan(1024 / 24_000);
      }),
      { numRuns: 20 },
    );
  });

  test('has the same sound in the formats that lose nothing', async () => {
    const { samples } = readWav(await spoken(text, 'wav'));
    expect(readPcm(await spoken(text, 'pcm'))).toEqual(samples);
    expect(readFlac(await spoken(text, 'flac')).samples).toEqual(samples);
  });

  test('sounds where a word is and is silent after it', async () => {
    const samples = readPcm(await spoken('word', 'pcm'));
    const tone = samples.slice(0, 0.28 * 24_000);
    expect(Math.max(...tone)).toBeGreaterThan(8000);
    expect(Math.max(...tone)).toBeLessThanOrEqual(8192);
    expect(samples.slice(0.28 * 24_000)).toSatisfy(
      (rest: number[]) => rest.length > 0 && rest.every((s) => s === 0),
    );
  });

  test('says the same word in the same tone, and long words longer', async () => {
    const once = await spoken('same', 'pcm');
    expect(await spoken('same same', 'pcm')).toEqual(Buffer.concat([once, once]));
    expect(speechSeconds('extraordinarily', 1)).toBeGreaterThan(speechSeconds('word', 1));
    expect(speechSeconds('你好世界', 1)).toBeGreaterThan(speechSeconds('你', 1) * 3);
    expect(speechSeconds(`${text} ${text}`, 1)).toBeCloseTo(2 * speechSeconds(text, 1), 6);
    expect(speechSeconds(text, 2)).toBeCloseTo(speechSeconds(text, 1) / 2, 6);
  });

  test.each(speechFormats)('has tones and silence in frames of %s', async (format) => {
    expect((await spoken('word', format)).equals(await spoken('. . . .', format))).toBe(false);
  });

  test.each(['', ' ', '\n', '?!'])('of %j is a moment of silence', async (empty) => {
    const samples = readPcm(await spoken(empty, 'pcm'));
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.every((sample) => sample === 0)).toBe(true);
    for (const format of speechFormats)
      expect(readers[format](await spoken(empty, format)).seconds).toBeGreaterThan(0);
  });

  test('comes in chunks as it is made: who stops listening stops the work', async () => {
    const endless = 'word '.repeat(1_000_000);
    let length = 0;
    for await (const chunk of speak(endless, { format: 'pcm', speed: 1 })) {
      expect(chunk.length).toBeLessThan(64 * 1024);
      length += chunk.length;
      if (length > 500_000) break;
    }
    expect(length).toBeGreaterThan(500_000);
  });

  test('is the same every time, and says in the formats that have room for it that no model spoke', async () => {
    for (const format of speechFormats)
      expect(await spoken(text, format)).toEqual(await spoken(text, format));
    for (const format of ['flac', 'opus'] as const)
      expect((await spoken(text, format)).toString('latin1')).toContain('No model spoke.');
  });

  test('numbers more than 2,048 frames of FLAC', async () => {
    const { frames } = readFlac(await spoken(`word${' .'.repeat(350)}`, 'flac', 0.25));
    expect(frames).toBeGreaterThan(0x800);
  });

  test.each([0, 0.2, 4.1, Number.NaN])('has no speed of %d', (speed) => {
    expect(() => speak('x', { format: 'mp3', speed })).toThrow('speed must be from 0.25 to 4');
  });

  test('has a media type for each format', () => {
    expect(speechFormats.map(speechMediaType)).toEqual([
      'audio/mpeg',
      'audio/ogg',
      'audio/aac',
      'audio/flac',
      'audio/wav',
      'audio/pcm',
    ]);
  });
});
