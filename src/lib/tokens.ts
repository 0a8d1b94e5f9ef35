import { setImmediate as turn } from 'node:timers/promises';
import { once } from './once.ts';

// Tokens are counted with cl100k_base. Measured with gpt-tokenizer 4 on Node 24: 84 ms and 43 MB to load, against 145 ms
// and 73 MB for o200k_base, whose counts differ by a few percent, and 62 ms and 28 MB for r50k_base, which counts
// Chinese twice over.

/** Maximum run without a break that the tokenizer gets in one piece, in characters. */
const maxRunLength = 128;
/** Characters that are counted in one go, before others have their turn: about 8 ms of random letters, the slowest there is. */
const maxGo = 8192;
const overlong = new RegExp(`\\S{${maxRunLength + 1},}|\\s{${maxRunLength + 1},}`, 'g');

export interface Tokenizer {
  /** How many tokens the text has. Any text will do, lone surrogates and special tokens included. */
  count(text: string): number;
  /** The text in pieces of one token each, or of a few where a character takes more. Joined they are the text. */
  split(text: string): Generator<string>;
}

/** Loads the tokenizer at the first call. */
export const loadTokenizer: () => Promise<Tokenizer> = once(load);

/**
 * Loads the decoder of token ids of cl100k_base to text. It throws a RangeError for an id that is none. Invalid UTF-8 is
 * read as U+FFFD.
 */
export const loadDetokenizer: () => Promise<(ids: readonly number[]) => string> = once(async () => {
  // Not by the tokenizer's own `decode`: it keeps what is left of half a character, and begins the next text with it.
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/cl100k_base');
  return (ids) => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let text = '';
    let inBytes = false;
    for (const id of ids) {
      const token = tokens[id];
      if (token === undefined) throw new RangeError(`${id} is no token of cl100k_base.`);
      if (typeof token !== 'string') text += decoder.decode(Uint8Array.from(token), { stream: true });
      else text += inBytes ? decoder.decode() + token : token;
      inBytes = typeof token !== 'string';
    }
    return inBytes ? text + decoder.decode() : text;
  };
});

/** An estimate of the tokens in a text, for usage that a vendor did not give. */
export async function estimateTokens(text: string): Promise<number> {
  return text === '' ? 0 : counted(await loadTokenizer(), text);
}

/** The parts of a call of a model that cost tokens. Parts other than these are not counted here. */
export interface Prompt {
  readonly messages: readonly { readonly content: readonly PromptPart[] }[];
  readonly tools?: readonly unknown[];
  readonly responseFormat?: unknown;
}

type PromptPart =
  | { readonly type: 'text' | 'refusal' | 'thinking'; readonly text: string }
  | { readonly type: 'tool_call'; readonly name: string; readonly arguments: string }
  | { readonly type: 'tool_result'; readonly content: readonly PromptPart[] }
  | { readonly type: 'image' | 'document' | 'audio' };

/** The estimate for an image, a page of a document or some seconds of sound: the tokens of a mid-sized image. */
const mediaTokens = 1000;

/**
 * An estimate of the tokens in a prompt: the texts of its conversation, what frames them (3 a message and 3 for the
 * answer), its tools and the form of its answer as the JSON that describes them, and a round figure for each image.
 */
export async function estimatePromptTokens({ messages, tools, responseFormat }: Prompt): Promise<number> {
  const tokenizer = await loadTokenizer();
  const count = (text: string) => (text.length <= maxGo ? tokenizer.count(text) : counted(tokenizer, text));
  const inParts = async (parts: readonly PromptPart[]): Promise<number> => {
    let sum = 0;
    for (const part of parts) {
      if (part.type === 'tool_call') sum += 3 + (await count(part.name)) + (await count(part.arguments));
      else if (part.type === 'tool_result') sum += await inParts(part.content);
      else if ('text' in part) sum += part.text === '' ? 0 : await count(part.text);
      else sum += mediaTokens;
    }
    return sum;
  };
  let sum = 3;
  for (const { content } of messages) sum += 3 + (await inParts(content));
  if (tools) sum += await count(JSON.stringify(tools));
  if (responseFormat) sum += await count(JSON.stringify(responseFormat));
  return sum;
}

/** The tokens of a text of any length. A megabyte takes up to a second: other work runs in between. */
async function counted(tokenizer: Tokenizer, text: string): Promise<number> {
  let sum = 0;
  let since = 0;
  for (const piece of pieces(text)) {
    sum += tokenizer.count(piece);
    since += piece.length;
    if (since < maxGo) continue;
    since = 0;
    await turn();
  }
  return sum;
}

async function load(): Promise<Tokenizer> {
  const { countTokens, decodeGenerator, encode, setMergeCacheSize } = await import(
    'gpt-tokenizer/encoding/cl100k_base'
  );
  setMergeCacheSize(10_000);
  // Text that spells a special token is text.
  const asText = { disallowedSpecial: new Set<string>() };
  return {
    count(text) {
      let sum = 0;
      for (const piece of pieces(text)) sum += countTokens(piece, asText);
      return sum;
    },
    *split(text) {
      let at = 0;
      for (const piece of pieces(text)) {
        for (const { length } of decodeGenerator(encode(piece, asText))) {
          // From the text itself: the tokenizer knows lone surrogates only as replacement characters.
          yield text.slice(at, at + length);
          at += length;
        }
      }
    },
  };
}

/**
 * The text cut within runs of more than 128 characters without a break, and before a blank where it is long. The time that
 * merging takes grows with the square of a run: 100,000 blanks in one piece held the process up for 12 seconds.
 */
function* pieces(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: run } of text.matchAll(overlong)) {
    yield* worded(text.slice(start, index));
    start = index;
    for (let at = index; at < index + run.length; start = at) {
      at = Math.min(at + maxRunLength, index + run.length);
      // Never through a surrogate pair.
      if (at < text.length && /[\uD800-\uDBFF]/.test(text.charAt(at - 1))) at += 1;
      yield text.slice(start, at);
    }
  }
  yield* worded(text.slice(start));
}

/** Text without long runs, cut where a token begins with a blank, or before what else breaks its runs. */
function* worded(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > maxGo) {
    let end = text.lastIndexOf(' ', start + maxGo);
    if (end <= start) {
      end = start + maxGo;
      while (/\S/.test(text.charAt(end))) end -= 1;
    }
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}
