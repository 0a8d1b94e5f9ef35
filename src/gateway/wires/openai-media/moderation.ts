import type { ModerationCreateParams } from 'openai/resources/moderations';
import type { Body } from '../wire.ts';
import { wrong } from './read.ts';

type Input = ModerationCreateParams['input'];

/** Maximum number of texts or parts in one request, and of characters of all their texts. */
const maxInputs = 2048;
const maxLength = 1024 * 1024;

/** What is to be judged. Throws `invalid_request`, which names the path. */
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
