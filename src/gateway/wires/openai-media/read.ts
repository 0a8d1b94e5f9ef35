import type { ModerationCreateParams } from 'openai/resources/moderations';
import { fieldError, type ServiceError } from '../../../contract/errors.ts';
import { type Form, type FormPart, filesNamed } from '../../../contract/form.ts';
import type { Body } from '../wire.ts';

/** Maximum length of a text that is spoken, in characters, as OpenAI has it. */
const maxSpeech = 4096;
const maxImages = 10;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The fields of a request for pictures that are used where no vendor reads it. */
export interface ImageWishes {
  readonly prompt: string;
  readonly n: number;
  /** Null: as the one who draws likes it. */
  readonly size: Size | null;
  readonly asUrl: boolean;
  readonly streaming: boolean;
}

/** Throws `invalid_request`, which names the field, as all here do. Takes the values of a form too, where all are texts. */
export function readImageWishes(body: Body): ImageWishes {
  const { prompt, n, size, response_format: format, stream } = body;
  if (typeof prompt !== 'string' || prompt === '') throw wrong('prompt', 'must be a text');
  const count = n === undefined || n === null || n === '' ? 1 : Number(n);
  if (!Number.isInteger(count) || count < 1 || count > maxImages)
    throw wrong('n', `must be a whole number from 1 to ${maxImages}`);
  if (!oneOfOrNone(format, ['url', 'b64_json']))
    throw wrong('response_format', 'must be `url` or `b64_json`');
  return {
    prompt,
    n: count,
    size: sizeOf(size),
    asUrl: format === 'url',
    streaming: stream === true || stream === 'true',
  };
}

function sizeOf(size: unknown): Size | null {
  if (size === undefined || size === null || size === '' || size === 'auto') return null;
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? [];
  if (width === undefined) throw wrong('size', 'must be `auto`, or width and height such as `1024x1024`');
  return { width: Number(width), height: Number(height) };
}

const speechFormats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

interface SpeechWishes {
  readonly text: string;
  readonly format: (typeof speechFormats)[number];
  readonly speed: number;
  readonly asEvents: boolean;
}

export function readSpeechWishes(body: Body): SpeechWishes {
  const { input, response_format: format, speed, stream_format: streamFormat } = body;
  if (typeof input !== 'string') throw wrong('input', 'must be a text');
  if (input.length > maxSpeech) throw wrong('input', `must have at most ${maxSpeech} characters`);
  const wanted = format ?? 'mp3';
  const known = speechFormats.find((name) => name === wanted);
  if (known === undefined) throw wrong('response_format', `must be one of ${speechFormats.join(', ')}`);
  if (!oneOfOrNone(streamFormat, ['audio', 'sse'])) throw wrong('stream_format', 'must be `audio` or `sse`');
  return {
    text: input,
    format: known,
    speed: typeof speed === 'number' ? speed : 1,
    asEvents: streamFormat === 'sse',
  };
}

const transcriptForms = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;

interface TranscriptWishes {
  readonly file: FormPart;
  readonly form: (typeof transcriptForms)[number];
  readonly granularities: readonly ('word' | 'segment')[];
  readonly streaming: boolean;
}

export function readTranscriptWishes(body: Body, form: Form): TranscriptWishes {
  const { response_format: format = 'json', timestamp_granularities: asked, stream } = body;
  const known = transcriptForms.find((name) => name === format);
  if (known === undefined) throw wrong('response_format', `must be one of ${transcriptForms.join(', ')}`);
  const granularities = (Array.isArray(asked) ? asked : asked === undefined ? ['segment'] : [asked]).map(
    (name) => {
      if (name === 'word' || name === 'segment') return name;
      throw wrong('timestamp_granularities', 'must be `word` or `segment`');
    },
  );
  return { file: fileOf(form, 'file'), form: known, granularities, streaming: stream === 'true' };
}

/** The first file of a name. */
export function fileOf(form: Form, name: string): FormPart {
  const [file] = filesNamed(form, name);
  if (!file) throw wrong(name, 'must be a file, with a file name');
  return file;
}

function oneOfOrNone(value: unknown, known: readonly string[]): boolean {
  return value === undefined || value === null || value === '' || known.includes(String(value));
}

export function wrong(path: string, message: string): ServiceError {
  return fieldError(path, 'type', message);
}

/** Whether a file begins as a picture does that OpenAI takes: PNG, JPEG, WebP, and GIF, which it takes elsewhere. */
export function isPicture(file: Uint8Array): boolean {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 12)).toString('latin1');
  return (
    head.startsWith('\x89PNG\r\n\x1a\n') ||
    head.startsWith('\xff\xd8\xff') ||
    head.startsWith('GIF8') ||
    (head.startsWith('RIFF') && head.startsWith('WEBP', 8))
  );
}

type Input = ModerationCreateParams['input'];

/** Maximum number of texts or parts in one request, and of characters of all their texts. */
const maxInputs = 2048;
const maxLength = 1024 * 1024;

/** The input to judge. Throws `invalid_request`, which names the path. */
export function readModerationInput({ input }: Body): Input {
  if (typeof input === 'string') return within(input);
  if (!Array.isArray(input) || input.length === 0)
    throw wrong('input', 'must be a text, a list of texts, or a list of texts and images');
  if (input.length > maxInputs) throw wrong('input', `must hold at most ${maxInputs} texts or images`);
  const texts = typeof input[0] === 'string';
  for (const [index, entry] of input.entries()) {
    const path = `input[${index}]`;
    if (texts && typeof entry !== 'string') throw wrong(path, 'must be a text');
    if (!texts) checkPart(entry, path);
  }
  return within(input as Exclude<Input, string>);
}

function checkPart(entry: unknown, path: string): void {
  const part = (entry ?? {}) as { type?: unknown; text?: unknown; image_url?: { url?: unknown } | null };
  if (part.type === 'text') {
    if (typeof part.text !== 'string') throw wrong(`${path}.text`, 'must be a text');
  } else if (part.type === 'image_url') {
    if (typeof part.image_url?.url !== 'string') throw wrong(`${path}.image_url.url`, 'must be an address');
  } else throw wrong(`${path}.type`, 'must be `text` or `image_url`');
}

function within<T extends Input>(input: T): T {
  const length = textsOf(input).reduce((sum, text) => sum + text.length, 0);
  if (length > maxLength) throw wrong('input', 'must have at most 1 MiB of text');
  return input;
}

/** The texts in it. */
export function textsOf(input: Input): readonly string[] {
  if (typeof input === 'string') return [input];
  return input.flatMap((entry) => {
    if (typeof entry === 'string') return [entry];
    return entry.type === 'text' ? [entry.text] : [];
  });
}
