/** What the sandbox makes on the endpoints of media, played and shown by a browser: a decoder that is not ours. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edit } from '../../src/gateway/sandbox/media/edit.ts';
import { writeTranscript } from '../../src/gateway/sandbox/media/forms.ts';
import { listen } from '../../src/gateway/sandbox/media/listen.ts';
import { draw } from '../../src/gateway/sandbox/media/picture.ts';
import {
  speak,
  speechFormats,
  speechMediaType,
  speechSeconds,
} from '../../src/gateway/sandbox/media/speech.ts';
import { hasBrowser, launch } from '../helpers/browser.ts';

/** Functions of the page, given as text: the types of a browser are not known here. */
const decodeSound = `async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const sound = await new OfflineAudioContext(1, 1, 24000).decodeAudioData(bytes.buffer);
  const samples = [...sound.getChannelData(0)];
  const strongest = (from, to) => Math.max(...samples.slice(from * 24000, to * 24000).map(Math.abs));
  let crossings = 0;
  const [start, end] = [0.1 * 24000, 0.5 * 24000];
  for (let at = start; at < end; at += 1) if (samples[at] < 0 && samples[at + 1] >= 0) crossings += 1;
  return {
    channels: sound.numberOfChannels,
    seconds: sound.duration,
    hertz: crossings / 0.4,
    inWord: strongest(0.1, 0.5),
    inPause: strongest(0.8, 1.2),
  };
}`;
const decodePicture = `async ([type, base64]) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { width, height } = await createImageBitmap(new Blob([bytes], { type }));
  return { width, height };
}`;
const readCues = `async (vtt) => {
  const video = document.createElement('video');
  const track = document.createElement('track');
  track.default = true;
  track.src = URL.createObjectURL(new Blob([vtt], { type: 'text/vtt' }));
  const loaded = new Promise((resolve, reject) => {
    track.onload = resolve;
    track.onerror = () => reject(new Error('The browser cannot read the file.'));
  });
  video.append(track);
  document.body.append(video);
  track.track.mode = 'showing';
  await loaded;
  return [...track.track.cues].map((cue) => ({
    start: cue.startTime,
    end: cue.endTime,
    text: cue.getCueAsHTML().textContent,
  }));
}`;

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
  });

  const run = (source: string, argument: unknown) =>
    page.evaluate(`(${source})(${JSON.stringify(argument)})`);

  // PCM has no head that a browser could know it by.
  it.each(speechFormats.filter((format) => format !== 'pcm'))(
    'plays %s: a tone, then a pause',
    async (format) => {
      const text = `extraordinary${' .'.repeat(5)}`;
      const chunks: Buffer[] = [];
      for await (const chunk of speak(text, { format, speed: 1 })) chunks.push(chunk);
      const sound = (await run(decodeSound, Buffer.concat(chunks).toString('base64'))) as Record<
        string,
        number
      >;
      expect(sound['channels']).toBe(1);
      // A decoder may give a frame or two more or less at the ends.
      expect(Math.abs((sound['seconds'] ?? 0) - speechSeconds(text, 1))).toBeLessThan(0.1);
      expect(sound['hertz']).toBeGreaterThan(190);
      expect(sound['hertz']).toBeLessThan(345);
      expect(sound['inWord']).toBeGreaterThan(0.2);
      expect(sound['inWord']).toBeLessThan(0.4);
      expect(sound['inPause']).toBeLessThan(0.001);
      expect(speechMediaType(format)).toMatch(/^audio\//);
    },
  );

  it('shows pictures', async () => {
    const size = { width: 1024, height: 1792 };
    const drawn = draw('a fox', size);
    expect(await run(decodePicture, ['image/png', drawn.toString('base64')])).toEqual(size);
    const { png, note } = await edit((await edit(drawn, 'a fox', { width: 64, height: 64 })).png, 'redder');
    expect(note).toBeNull();
    expect(await run(decodePicture, ['image/png', png.toString('base64')])).toEqual({
      width: 64,
      height: 64,
    });
  });

  it('reads the subtitles', async () => {
    const transcript = await listen(speak('Hello', { format: 'wav', speed: 1 }), 'a <b>&amp; --> c.wav');
    const cues = await run(readCues, writeTranscript(transcript, 'vtt').body);
    expect(cues).toEqual(transcript.segments);
    expect(JSON.stringify(cues)).toContain('a <b>&amp; --> c.wav');
  });
});
