import { ServiceError } from '../../contract/errors.ts';
import type { ModelMessage, Part, VendorWire } from '../../model/parts.ts';

type Media = Extract<Part['type'], 'image' | 'document' | 'audio'>;

/** What a user may show a model on each wire, beside text. */
const taken: Readonly<Record<VendorWire, readonly Media[]>> = {
  'openai-chat': ['image', 'document', 'audio'],
  'openai-responses': ['image', 'document'],
  anthropic: ['image', 'document'],
  gemini: ['image', 'document', 'audio'],
};

/** A provider, as far as it matters here. */
interface Speaker {
  readonly id: string;
  /** Empty for the sandbox, which takes everything and says what it did not look at. */
  readonly speaks: readonly VendorWire[];
}

/**
 * The first of the wires of a provider that can say what is in a conversation; null for a provider that speaks none. Throws
 * `invalid_request` where none can: it names the part, and the providers that take such.
 */
export function wireTaking(
  { id, speaks }: Speaker,
  model: string,
  messages: readonly ModelMessage[],
  providers: Iterable<Speaker>,
): VendorWire | null {
  const [first = null] = speaks;
  const shown = mediaIn(messages);
  if (first === null || shown.length === 0) return first;
  const wire = speaks.find((name) => shown.every(({ type }) => taken[name].includes(type)));
  if (wire) return wire;
  const wrong = shown.find(({ type }) => !taken[first].includes(type)) as Shown;
  const others = [...providers].filter((other) =>
    other.speaks.some((name) => taken[name].includes(wrong.type)),
  );
  list ??= new Intl.ListFormat('en-GB');
  const who =
    others.length === 0
      ? 'no provider of this server does'
      : `${list.format(others.map((other) => JSON.stringify(other.id)))} of this server's providers can`;
  const reason = `${JSON.stringify(model)} of the provider ${JSON.stringify(id)} takes no ${wrong.type}; ${who}.`;
  throw new ServiceError('invalid_request', `${wrong.path}: ${reason}`, {
    details: [{ path: wrong.path, code: 'unsupported', message: reason }],
  });
}

interface Shown {
  readonly type: Media;
  readonly path: string;
}

/** Made when there is something to list: it loads the data of a language. */
let list: Intl.ListFormat | undefined;

/** What is no text in a conversation, results of tools included, with where it stands. */
function mediaIn(messages: readonly ModelMessage[]): readonly Shown[] {
  const shown: Shown[] = [];
  for (const [index, { content }] of messages.entries()) {
    // A place is named only where something is shown: conversations are long.
    if (!content.every(isText)) add(content, `messages[${index}].content`, shown);
  }
  return shown;
}

const isText = ({ type }: Part) => type === 'text';

function add(content: readonly Part[], at: string, shown: Shown[]): void {
  for (const [index, part] of content.entries()) {
    if (part.type === 'tool_result') add(part.content, at, shown);
    else if (part.type === 'image' || part.type === 'document' || part.type === 'audio')
      shown.push({ type: part.type, path: `${at}[${index}]` });
  }
}
