import { setImmediate as turn } from 'node:timers/promises';
import type {
  TranscriptionTextDeltaEvent,
  TranscriptionTextDoneEvent,
} from 'openai/resources/audio/transcriptions';
import type {
  ImageEditCompletedEvent,
  ImageGenCompletedEvent,
  ImagesResponse,
} from 'openai/resources/images';
import type { Warning } from '../../../generated/types.gen.ts';
import { buffersFull, ServiceError } from '../../contract/errors.ts';
import type { FormPart } from '../../contract/form.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import type { SendOptions } from '../../model/port.ts';
import { edit } from '../sandbox/media/edit.ts';
import { kindOf } from '../sandbox/media/file-kind.ts';
import { writeTranscript } from '../sandbox/media/forms.ts';
import { listen, type Transcript } from '../sandbox/media/listen.ts';
import { draw } from '../sandbox/media/picture.ts';
import { speak, speechMediaType } from '../sandbox/media/speech.ts';
import {
  fileOf,
  type ImageWishes,
  isPicture,
  readImageWishes,
  readSpeechWishes,
  readTranscriptWishes,
  type Size,
  wrong,
} from '../wires/openai-media/read.ts';
import { dataEvent, namedEvent } from '../wires/openai-media/write-form.ts';

/** The sandbox's output: as a whole, or in chunks. */
export type MadeMedia = { readonly mediaType: string; readonly warnings: readonly Warning[] } & (
  | { readonly body: string }
  | { readonly chunks: AsyncIterable<Buffer | string> }
);

const json = 'application/json; charset=utf-8';
const eventStream = 'text/event-stream';
const usualSize: Size = { width: 1024, height: 1024 };
/** Maximum size of a picture that the sandbox edits, in bytes. */
const maxPicture = 8 * 1024 * 1024;
/** Memory for each byte of such a file, and for drawing one: its pixels as they are unpacked, copied and packed. In bytes. */
const perPictureByte = 3;
const editMemory = 48 * 1024 * 1024;
/** Memory for each pixel that is drawn, in bytes. */
const perPixel = 2;

interface Picture extends Size {
  readonly png: Buffer;
}

/** Pictures of shapes that follow from the prompt. */
export async function drawn({ body }: WireCall, { memory, signal }: SendOptions): Promise<MadeMedia> {
  const wishes = readImageWishes(body);
  const size = wishes.size ?? usualSize;
  const bytes = size.width * size.height * perPixel;
  take(memory, bytes);
  const pictures: Picture[] = [];
  for (let n = 0; n < wishes.n; n += 1) {
    signal.throwIfAborted();
    const prompt = n === 0 ? wishes.prompt : `${wishes.prompt} (${n + 1})`;
    pictures.push({ png: clientsFault('size', () => draw(prompt, size)), ...size });
    await turn();
  }
  memory?.give(bytes);
  return pictureReply(pictures, wishes, 'image_generation.completed', dropped(body));
}

/** The picture of the client with a frame, or a new one, with a warning, where it cannot be read. */
export async function edited({ body, form }: WireCall, { memory, signal }: SendOptions): Promise<MadeMedia> {
  const wishes = readImageWishes(body);
  const file = fileOf(form ?? { parts: [] }, 'image');
  if (file.length > maxPicture)
    throw wrong('image', `must have at most ${maxPicture} bytes for the sandbox, not ${file.length}`);
  const bytes = file.length * perPictureByte + editMemory;
  take(memory, bytes);
  try {
    const picture = await bytesOf(file);
    if (!isPicture(picture)) throw wrong('image', 'must be a picture: a PNG, JPEG or WebP file');
    const pictures: Picture[] = [];
    const notes: Warning[] = [];
    for (let n = 0; n < wishes.n; n += 1) {
      signal.throwIfAborted();
      const prompt = n === 0 ? wishes.prompt : `${wishes.prompt} (${n + 1})`;
      const made = await edit(picture, prompt, wishes.size ?? undefined).catch((error: unknown) => {
        throw asRequestError('size', error);
      });
      if (made.note !== null && n === 0)
        notes.push({ code: 'content_adapted', message: made.note, param: 'image' });
      pictures.push(made);
    }
    return pictureReply(pictures, wishes, 'image_edit.completed', [...notes, ...dropped(body)]);
  } finally {
    memory?.give(bytes);
  }
}

/** Warns of options that the sandbox ignores and whose effect the client would see. */
function dropped(body: WireCall['body']): Warning[] {
  const { output_format: format, background } = body;
  return [
    ...(typeof format === 'string' && format !== 'png' ? ['output_format'] : []),
    ...(background === 'transparent' ? ['background'] : []),
  ].map((param) => ({
    code: 'field_dropped',
    message: `The sandbox draws opaque PNGs: ${param} was left out.`,
    param,
  }));
}

const noTokens = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  input_tokens_details: { image_tokens: 0, text_tokens: 0 },
};

function pictureReply(
  pictures: readonly Picture[],
  { asUrl, streaming }: ImageWishes,
  type: 'image_generation.completed' | 'image_edit.completed',
  warnings: readonly Warning[],
): MadeMedia {
  const created = Math.floor(Date.now() / 1000);
  if (!streaming) {
    const data = pictures.map(({ png }) => {
      const base64 = png.toString('base64');
      return asUrl ? { url: `data:image/png;base64,${base64}` } : { b64_json: base64 };
    });
    return { mediaType: json, warnings, body: JSON.stringify({ created, data } satisfies ImagesResponse) };
  }
  async function* events(): AsyncGenerator<string> {
    for (const { png, width, height } of pictures)
      yield namedEvent({
        type,
        b64_json: png.toString('base64'),
        created_at: created,
        background: 'opaque',
        output_format: 'png',
        quality: 'auto',
        size: `${width}x${height}`,
        usage: noTokens,
      } as ImageGenCompletedEvent | ImageEditCompletedEvent);
  }
  return { mediaType: eventStream, warnings, chunks: events() };
}

/** A tone for each word. */
export async function spoken({ body }: WireCall): Promise<MadeMedia> {
  const { text, format, speed, asEvents } = readSpeechWishes(body);
  const sound = clientsFault('speed', () => speak(text, { format, speed }));
  if (!asEvents) return { mediaType: speechMediaType(format), warnings: [], chunks: sound };
  async function* events(): AsyncGenerator<string> {
    for await (const chunk of sound)
      yield dataEvent({ type: 'speech.audio.delta', audio: chunk.toString('base64') });
    const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    yield dataEvent({ type: 'speech.audio.done', usage });
  }
  return { mediaType: eventStream, warnings: [], chunks: events() };
}

/** Says what the file is, and that it was not transcribed. */
export async function heard({ body, form }: WireCall, { signal }: SendOptions): Promise<MadeMedia> {
  const { file, form: written, granularities, streaming } = readTranscriptWishes(body, form ?? { parts: [] });
  const head = await headOf(file);
  if (kindOf(head, file.length).name === 'a file of an unknown kind' || file.length === 0)
    throw wrong(
      'file',
      file.length === 0
        ? 'must not be empty'
        : 'must be a file of sound, such as flac, m4a, mp3, mp4, ogg, wav or webm',
    );
  signal.throwIfAborted();
  const transcript = await listen(file.bytes(), file.filename ?? '');
  if (streaming) return { mediaType: eventStream, warnings: [], chunks: transcriptEvents(transcript) };
  return { ...writeTranscript(transcript, written, granularities), warnings: [] };
}

async function* transcriptEvents({ text, words }: Transcript): AsyncGenerator<string> {
  for (const [index, { word }] of words.entries())
    yield dataEvent({
      type: 'transcript.text.delta',
      delta: index === 0 ? word : ` ${word}`,
    } satisfies TranscriptionTextDeltaEvent);
  yield dataEvent({ type: 'transcript.text.done', text } satisfies TranscriptionTextDoneEvent);
}

/** The first bytes of a file, enough to identify its kind. */
async function headOf(file: FormPart): Promise<Buffer> {
  for await (const chunk of file.bytes()) return chunk;
  return Buffer.alloc(0);
}

async function bytesOf(file: FormPart): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.bytes()) chunks.push(chunk);
  return Buffer.concat(chunks, file.length);
}

function take(memory: SendOptions['memory'], bytes: number): void {
  if (memory && !memory.take(bytes)) throw buffersFull();
}

/** A value out of range is the client's fault. */
function clientsFault<T>(path: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw asRequestError(path, error);
  }
}

function asRequestError(path: string, error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new ServiceError('invalid_request', `${path}: ${error.message}`, {
    details: [{ path, code: 'range', message: error.message }],
  });
}
