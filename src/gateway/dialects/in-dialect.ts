import { ServiceError } from '../../contract/errors.ts';
import type { ModelMessage, Part } from '../../model/parts.ts';
import type { ModelAdapter } from '../../model/port.ts';
import type { DialectOf } from './dialect.ts';
import { answerWithNames, streamWithNames } from './names.ts';
import { speak } from './speak.ts';

/** An adapter that is spoken to in the dialect of each model: what is changed on the way out is changed back on the way in. */
export function inDialect(adapter: ModelAdapter, dialectOf: DialectOf): ModelAdapter {
  return {
    read: (model, reply) => adapter.read(model, reply),
    prepare(given) {
      const { call, warnings, names } = speak(given, dialectOf(given.model));
      const prepared = inTermsOf(given.messages, call.messages, () => adapter.prepare(call));
      const all = warnings.length === 0 ? prepared.warnings : [...warnings, ...prepared.warnings];
      if (!names) return { ...prepared, warnings: all };
      return {
        warnings: all,
        complete: async (options) => answerWithNames(await prepared.complete(options), names),
        stream: async (options) => streamWithNames(await prepared.stream(options), names),
      };
    },
  };
}

const place = /^messages\[(\d+)\](?:\.content\[(\d+)\])?/;

/** What is done with a conversation that was adapted; errors name the places of the one that was given. */
function inTermsOf<T>(given: readonly ModelMessage[], fitted: readonly ModelMessage[], work: () => T): T {
  if (given === fitted) return work();
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.param === null) throw error;
    const [start = '', message, part] = place.exec(error.param) ?? [];
    const changed = fitted[Number(message)];
    if (!changed) throw error;
    const found = placeIn(given, changed, changed.content[Number(part)]);
    if (found === null || found === start) throw error;
    const moved = (path: string) => (path.startsWith(start) ? found + path.slice(start.length) : path);
    throw new ServiceError(error.code, moved(error.message), {
      param: moved(error.param),
      details: error.details.map((detail) => ({ ...detail, path: moved(detail.path) })),
      cause: error,
    });
  }
}

function placeIn(
  given: readonly ModelMessage[],
  message: ModelMessage,
  part: Part | undefined,
): string | null {
  for (const [index, { content }] of given.entries()) {
    const at = part === undefined ? -1 : content.findIndex((one) => one === part || isSame(one, part));
    if (at !== -1) return `messages[${index}].content[${at}]`;
    if (part === undefined && content === message.content) return `messages[${index}]`;
  }
  return null;
}

/** A part whose ids, names or media type were changed. */
function isSame(one: Part, other: Part): boolean {
  if (one.type === 'image' && other.type === 'image')
    return (
      one.source.type === 'base64' && other.source.type === 'base64' && one.source.data === other.source.data
    );
  if (one.type === 'tool_result' && other.type === 'tool_result') return one.content === other.content;
  return false;
}
