import type { WireCall } from '../../contract/wire-operations.ts';
import { fileOf } from '../wires/openai-media/read.ts';
import type { MediaWire } from './media.ts';

import { drawn, edited, heard, spoken } from './sandbox-media.ts';

const qualities: Readonly<Record<string, Quality>> = {
  low: { table: 408, patches: 16 },
  medium: { table: 1584, patches: 48 },
  high: { table: 6240, patches: 96 },
};

/** The addend and the divisor of the area in the rule, in pixels. */
const offset = 2_000_000;

const share = 4_000_000;

/** Where the model chooses the size it is one of the table, of which the square has the most by the rule. */
const chosenPixels = 1024 * 1024;

/** The largest that the rule is for. */
const maxPixels = 8_294_400;

/** Of each picture that is shown before the last. */
const previewTokens = 100;

/** So many may be asked for at OpenAI. */
const [maxPictures, maxPreviews] = [10, 3];

const needsNothing = () => undefined;
const needsFile =
  (name: string) =>
  ({ form }: WireCall) =>
    void fileOf(form ?? { parts: [] }, name);

const transcription: MediaWire = {
  ability: 'transcriptions',
  suffix: '/audio/transcriptions',
  defaultModel: null,
  able: 'gpt-4o-transcribe',
  check: needsFile('file'),
  inSandbox: heard,
};

/** By operation. */
export const mediaWires = {
  createImage: {
    ability: 'images',
    suffix: '/images/generations',
    defaultModel: 'gpt-image-1',
    able: 'gpt-image-1',
    madeTokens: pictureTokens,
    check: needsNothing,
    inSandbox: drawn,
  },
  editImage: {
    ability: 'images',
    suffix: '/images/edits',
    defaultModel: 'gpt-image-1',
    able: 'gpt-image-1',
    madeTokens: pictureTokens,
    check: needsFile('image'),
    inSandbox: edited,
  },
  createTranscription: transcription,
  createTranslation: { ...transcription, suffix: '/audio/translations', able: 'whisper-1' },
  createSpeech: {
    ability: 'speech',
    suffix: '/audio/speech',
    defaultModel: null,
    able: 'gpt-4o-mini-tts',
    check: needsNothing,
    inSandbox: spoken,
  },
} as const satisfies Record<string, MediaWire>;

/**
 * The most tokens that pictures of OpenAI's models have: of `gpt-image-1` and its kin by the table of OpenAI's guide, as it is quoted in
 * https://community.openai.com/t/1275254 (272, 1,056 and 4,160 for a square of 1,024, up to half as many again for other sizes); of
 * `gpt-image-2` by the rule in https://community.openai.com/t/1382699, which grows with the area. Edges that differ make it less,
 * which is left out here. Of other vendors it is a guess.
 */
interface Quality {
  /** Of any size in the table. */
  readonly table: number;
  /** Patches along the longer edge, in the rule. */
  readonly patches: number;
}

/** The most tokens that the pictures may have that a request asks for: of the dearest quality unless it names another. */
function pictureTokens({ body }: WireCall): number {
  const { n, quality, size, partial_images: previews } = body;
  const name = String(quality);
  const { table, patches } =
    (Object.hasOwn(qualities, name) && qualities[name]) || (qualities['high'] as Quality);
  const each = Math.max(table, Math.ceil((patches * patches * (offset + pixelsOf(size))) / share));
  return countOf(n, 1, maxPictures) * (each + previewTokens * countOf(previews, 0, maxPreviews));
}

function pixelsOf(size: unknown): number {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? [];
  return width && height ? Math.min(Number(width) * Number(height), maxPixels) : chosenPixels;
}

/** A requested whole number; of a form it is a text. The vendor refuses anything else. */
function countOf(asked: unknown, least: number, most: number): number {
  const count = Math.ceil(Number(asked ?? least));
  return Number.isNaN(count) ? least : Math.min(Math.max(count, least), most);
}
