import type { WireCall } from '../../contract/wire-operations.ts';
import { fileOf } from '../wires/openai-media/read.ts';
import type { MediaWire } from './media.ts';
import { pictureTokens } from './picture-tokens.ts';
import { drawn, edited, heard, spoken } from './sandbox-media.ts';

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
