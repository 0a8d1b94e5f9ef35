import {
  type Document,
  type OperationAt,
  type Parameter,
  resolve,
  type Schema,
  schemaName,
} from '../../generate/document.ts';
import { streamingOperations } from '../document.ts';

/** TypeScript source of `StreamingOperations`: one method for each operation that answers with events. */
export function streamsSource(contract: Document): string {
  const all = streamingOperations(contract);
  const names = new Set(all.flatMap(({ operation }) => [eventOf(operation), ...bodyOf(operation)]));
  return [
    "import { readEvents } from './event-stream.js';",
    "import { Operations } from './sdk.gen.js';",
    `import type { ${[...names].sort().join(', ')} } from './types.gen.js';`,
    '',
    'type Without<Body, Name extends string> = Body extends unknown ? Omit<Body, Name> : never;',
    '',
    '/** How a stream is asked for. */',
    'export interface StreamOptions {',
    '  /** Ends the stream. */',
    '  signal?: AbortSignal;',
    '}',
    '',
    'export class StreamingOperations extends Operations {',
    ...all.map((at) => method(contract, at)),
    '}',
    '',
  ].join('\n');
}

function eventOf({ responses }: OperationAt['operation']): string {
  const media = Object.values(responses).flatMap(({ content }) => content?.['text/event-stream'] ?? []);
  if (!media[0]) throw new Error('an operation that streams has no schema of its events');
  return schemaName(media[0].schema);
}

function bodyOf({ requestBody }: OperationAt['operation']): string[] {
  const media = requestBody?.content['application/json'];
  return media ? [schemaName(media.schema)] : [];
}

/** The name of the method: an operation that only streams keeps its own. */
export function streamName({ id, operation }: OperationAt): string {
  const only = Object.values(operation.responses).every(({ content }) => {
    const types = Object.keys(content ?? {});
    return !types.includes('text/event-stream') || types.length === 1;
  });
  return only ? id : `${id}Stream`;
}

function method(contract: Document, at: OperationAt): string {
  const { operation } = at;
  const name = streamName(at);
  const event = eventOf(operation);
  const [body] = bodyOf(operation);
  const parameters = (operation.parameters ?? []).map((given) => resolve<Parameter>(contract, given));
  const fields = (['path', 'query', 'header'] as const).flatMap((place) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length === 0) return [];
    const optional = here.some(({ required }) => required) ? '' : '?';
    const types = here.map(
      ({ name, required, schema }) => `'${name}'${required ? '' : '?'}: ${typeOf(contract, schema)}`,
    );
    return [`${place === 'header' ? 'headers' : place}${optional}: { ${types.join('; ')} }`];
  });
  const chosen = name !== at.id;
  if (body) fields.unshift(`body: ${chosen ? `Without<${body}, 'stream'>` : body}`);
  const needed = fields.some((field) => !/^\w+\?/.test(field));
  const schemes = contract.components['securitySchemes'] as Record<string, Record<string, unknown>>;
  const security = operation.security
    .flatMap((by) => Object.keys(by))
    .map((key) => ({ key, ...schemes[key], description: undefined }));
  return [
    '  /**',
    `   * ${operation.summary}: the events as they happen.`,
    '   *',
    '   * Throws a `SwitchyardError` for an error reply, also where it comes as an event, and a `StreamInterruptedError` when',
    '   * the stream ends without its last event. Leaving the loop closes the connection.',
    '   */',
    `  async *${name}(options: { ${fields.join('; ')} } & StreamOptions${needed ? '' : ' = {}'}): AsyncGenerator<${event}, void, undefined> {`,
    `    const body = await this.client.${at.method}<{ 200: ReadableStream<Uint8Array> }, unknown, true, 'data'>({`,
    `      url: '${at.path}',`,
    ...(security.length > 0 ? [`      security: ${JSON.stringify(security)},`] : []),
    "      parseAs: 'stream',",
    "      responseStyle: 'data',",
    '      throwOnError: true,',
    '      ...options,',
    ...(chosen ? ['      body: { ...options.body, stream: true },'] : []),
    `      headers: { ${body ? "'Content-Type': 'application/json', " : ''}Accept: 'text/event-stream'${fields.some((field) => field.startsWith('headers')) ? ', ...options.headers' : ''} },`,
    '    });',
    `    yield* readEvents<${event}>(body);`,
    '  }',
  ].join('\n');
}

function typeOf(contract: Document, schema: Schema): string {
  const { type } = resolve(contract, schema);
  return type === 'integer' || type === 'number' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
}
