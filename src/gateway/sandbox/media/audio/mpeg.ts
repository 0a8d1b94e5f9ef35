import type { Plan } from './plan.ts';
import { sampleRate, toneOfFrames } from './samples.ts';
import { toneFrames } from './tone-frames.ts';

/** MPEG-2 Layer III at 24 kHz, mono, constant 24 kbit/s: 72 bytes for 24 ms. */
const mp3Header = Buffer.from([0xff, 0xf3, 0x34, 0xc4]);
const mp3FrameLength = 72;
const mp3Samples = 576;

const mp3Silence = mp3Frame(Buffer.alloc(0));
const mp3Tones = toneFrames.mp3.map((text) => mp3Frame(Buffer.from(text, 'base64')));

/** An MP3 file without tags. A frame of which all is 0 but the header is silence. */
export function* mp3Of(plan: Plan): Generator<Buffer> {
  for (const tone of toneOfFrames(plan, mp3Samples / sampleRate))
    yield (tone === null ? undefined : mp3Tones[tone]) ?? mp3Silence;
}

function mp3Frame(body: Uint8Array): Buffer {
  return Buffer.concat([mp3Header, body], mp3FrameLength);
}

const aacSamples = 1024;
/** One channel with no band of frequencies in it. */
const aacSilence = adtsFrame(Buffer.from([0x00, 0x00, 0x00, 0x07]));
const aacTones = toneFrames.aac.map((text) => adtsFrame(Buffer.from(text, 'base64')));

/** AAC-LC at 24 kHz, mono, each frame under its ADTS header. */
export function* aacOf(plan: Plan): Generator<Buffer> {
  for (const tone of toneOfFrames(plan, aacSamples / sampleRate))
    yield (tone === null ? undefined : aacTones[tone]) ?? aacSilence;
}

/** ISO/IEC 13818-7, 6.2: MPEG-4, no checksum, AAC-LC, 24 kHz, one channel, the frame's length, variable bit rate. */
function adtsFrame(body: Uint8Array): Buffer {
  const length = 7 + body.length;
  const header = [
    0xff,
    0xf1,
    0x58,
    0x40 | (length >> 11),
    (length >> 3) & 255,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ];
  return Buffer.concat([Buffer.from(header), body]);
}
