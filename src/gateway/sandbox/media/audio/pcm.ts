import type { Plan } from './plan.ts';
import { bytesOf, sampleBlocks, sampleCount, sampleRate } from './samples.ts';

const blockLength = 4096;

/** Samples alone: 24 kHz, one channel, 16 bits, little-endian. */
export function* pcmOf(plan: Plan): Generator<Buffer> {
  for (const block of sampleBlocks(plan, blockLength)) yield bytesOf(block);
}

/** A WAV file (RIFF) with its true length in the header, which is there before the sound is. */
export function* wavOf(plan: Plan): Generator<Buffer> {
  const length = sampleCount(plan) * 2;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(length, 40);
  yield header;
  yield* pcmOf(plan);
}
