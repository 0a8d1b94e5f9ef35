import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transcriptForms, writeTranscript } from '../../../../src/gateway/sandbox/media/forms.ts';
import { listen, type Transcript } from '../../../../src/gateway/sandbox/media/listen.ts';
import { speak, speechFormats } from '../../../../src/gateway/sandbox/media/speech.ts';
import { wav } from '../../../helpers/audio.ts';

async function* inChunks(bytes: Uint8Array, length = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const heard = (bytes: Uint8Array | string, name?: string) =>
  listen(inChunks(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes), name);

describe('what the sandbox hears', () => {
  test.each([
    [wav(24_000), 'a WAV file of 24,044 bytes. It lasts 1.50 seconds'],
    [wav(24_000, 0xffff_ffff), 'a WAV file of 24,044 bytes. It lasts 1.50 seconds'],
    [wav(8000, 8000, Buffer.from('LIST\x03\0\0\0abc\0', 'latin1')), 'It lasts 0.50 seconds'],
    [wav(0), 'It lasts 0.00 seconds'],
    ['RIFF\0\0\0\0WAVE', 'a WAV file of 12 bytes. How long it lasts was not found out'],
    ['RIFF\0\0\0\0AVI ', 'a file of an unknown kind'],
    ['ID3\x04rest', 'an MP3 file of 8 bytes. How long'],
    ['\xff\xfb\x90\x64', 'an MP3 file of 4 bytes'],
    ['\xff\xf1\x50\x80', 'an AAC file (ADTS) of 4 bytes'],
    [`OggS${'\0'.repeat(24)}OpusHead`, 'an Ogg file of Opus'],
    [`OggS${'\0'.repeat(24)}\x01vorbis`, 'an Ogg file of 35 bytes'],
    ['fLaC', 'a FLAC file of 4 bytes. How long'],
    ['\x1a\x45\xdf\xa3\x42\x82\x84webm', 'a WebM file'],
    ['\x1a\x45\xdf\xa3\x42\x82\x88matroska', 'a Matroska file'],
    ['\0\0\0\x20ftypM4A ', 'an M4A file'],
    ['\0\0\0\x20ftypisom', 'an MP4 file'],
    ['FORM\0\0\0\0AIFF', 'an AIFF file'],
    ['#!AMR\n', 'an AMR file'],
    ['caff\0\x01', 'a CAF file'],
    ['%PDF-1.7', 'a file of an unknown kind of 8 bytes'],
    ['x', 'a file of an unknown kind of 1 byte.'],
    ['', 'an empty file of 0 bytes'],
  ])('is what the file %# is by its first bytes', async (bytes, expected) => {
    const { text } = await heard(bytes);
    expect(text).toContain(expected);
    expect(text).toContain('no model listened');
  });

  test.each(speechFormats.filter((format) => format !== 'pcm'))(
    'is %s where the sandbox spoke it',
    async (format) => {
      const { text, seconds } = await listen(speak('What is spoken here is heard.', { format, speed: 1 }));
      const names = { wav: 'WAV', flac: 'FLAC', mp3: 'MP3', aac: 'AAC', opus: 'Opus' } as const;
      expect(text).toContain(names[format]);
      if (format === 'wav' || format === 'flac')
        expect(text).toContain(`It lasts ${seconds.toFixed(2)} seconds`);
      else expect(text).toContain('the times here are made up');
    },
  );

  test('is the same however the file is cut', async () => {
    const file = wav(100_000);
    const whole = await listen(inChunks(file, file.length), 'a.wav');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 120_000 }), async (length) => {
        expect(await listen(inChunks(file, length), 'a.wav')).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  test('is a whole file of which little is kept', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    async function* large() {
      yield wav(0, 0xffff_ffff);
      for (let n = 0; n < 200; n += 1) yield chunk;
    }
    const before = process.memoryUsage().arrayBuffers;
    const { text } = await listen(large());
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
    expect(text).toContain('209,715,244 bytes');
  });

  test('quotes the name, on one line and shortened', async () => {
    expect((await heard(wav(0), 'my call.wav')).text).toContain('The file "my call.wav" is a WAV file');
    const { text } = await heard(wav(0), `a\r\n\0\u202e${'b'.repeat(1e6)}`);
    expect(text).toContain('The file "a bbb');
    expect(text.length).toBeLessThan(500);
  });

  test('has times in order, from the start of the file to its end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2_000_000), fc.string(), async (data, name) => {
        const { words, segments, seconds, text } = await listen(inChunks(wav(data), 1e6), name);
        expect(words.map(({ word }) => word).join(' ')).toBe(text);
        expect(segments.map((segment) => segment.text).join(' ')).toBe(text);
        for (const list of [words, segments]) {
          expect(list[0]?.start).toBe(0);
          expect(list.at(-1)?.end).toBe(seconds);
          for (const [index, { start, end }] of list.entries()) {
            expect(end).toBeGreaterThanOrEqual(start);
            expect(start).toBe(list[index - 1]?.end ?? 0);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('is a failure where the file breaks off', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield wav(0);
      throw new Error('cut off');
    }
    await expect(listen(broken())).rejects.toThrow('cut off');
  });
});

describe('a transcript is written', () => {
  const transcript: Transcript = {
    text: 'One <two> & three. Four --> five.',
    language: 'english',
    seconds: 3723.5,
    segments: [
      { text: 'One <two> & three.', start: 0, end: 1.25 },
      { text: 'Four --> five.', start: 1.25, end: 3723.5 },
    ],
    words: [
      { word: 'One', start: 0, end: 0.5 },
      { word: '<two>', start: 0.5, end: 3723.5 },
    ],
  };

  test('as json', () => {
    const { mediaType, body } = writeTranscript(transcript, 'json');
    expect(mediaType).toContain('application/json');
    expect(JSON.parse(body)).toEqual({ text: transcript.text, usage: { type: 'duration', seconds: 3724 } });
  });

  test('as verbose_json, with segments unless words are asked for', () => {
    const read = (granularities?: ('word' | 'segment')[]) =>
      JSON.parse(writeTranscript(transcript, 'verbose_json', granularities).body);
    const whole = { task: 'transcribe', language: 'english', duration: 3723.5, text: transcript.text };
    expect(read()).toMatchObject(whole);
    expect(read()).not.toHaveProperty('words');
    expect(read().segments).toMatchObject([
      { id: 0, seek: 0, start: 0, end: 1.25, text: 'One <two> & three.', tokens: [] },
      { id: 1, start: 1.25, end: 3723.5 },
    ]);
    expect(read(['word'])).toMatchObject({ ...whole, words: transcript.words });
    expect(read(['word'])).not.toHaveProperty('segments');
    expect(Object.keys(read(['word', 'segment']))).toEqual(expect.arrayContaining(['words', 'segments']));
  });

  test('as text', () => {
    expect(writeTranscript(transcript, 'text')).toEqual({
      mediaType: 'text/plain; charset=utf-8',
      body: 'One <two> & three. Four --> five.\n',
    });
  });

  test('as srt', () => {
    expect(writeTranscript(transcript, 'srt').body).toBe(
      '1\n00:00:00,000 --> 00:00:01,250\nOne <two> & three.\n\n' +
        '2\n00:00:01,250 --> 01:02:03,500\nFour -> five.\n\n',
    );
  });

  test('as vtt', () => {
    expect(writeTranscript(transcript, 'vtt')).toEqual({
      mediaType: 'text/vtt; charset=utf-8',
      body:
        'WEBVTT\n\n00:00:00.000 --> 00:00:01.250\nOne &lt;two&gt; &amp; three.\n\n' +
        '00:00:01.250 --> 01:02:03.500\nFour --&gt; five.\n\n',
    });
  });

  test('so that a file of any name breaks no form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (name) => {
        const any = await heard(wav(32_000), name);
        for (const form of transcriptForms) {
          const { body } = writeTranscript(any, form);
          if (form === 'srt' || form === 'vtt') expect(body.match(/-->/g)).toHaveLength(any.segments.length);
          else if (form !== 'text') expect(JSON.parse(body)).toHaveProperty('text', any.text);
          if (form !== 'json' && form !== 'verbose_json')
            expect(body.split('\n\n').filter(Boolean)).toHaveLength(
              form === 'text' ? 1 : any.segments.length + (form === 'vtt' ? 1 : 0),
            );
        }
      }),
      { examples: [['a --> b'], ['a\n\nWEBVTT\n\n00:00 --> 00:01\nb'], ['</v>&amp;'], ['\u2028-->']] },
    );
  });
});
