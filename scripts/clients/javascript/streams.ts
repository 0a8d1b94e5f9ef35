import {
  type Document,
  type OperationAt,
  type Parameter,
  resolve,
  type Schema,
  schemaName,
} from '../../../src/contract/served/document.ts';
import { type StreamFunction, streamFunctions } from '../document.ts';

/** TypeScript source of `StreamingOperations`: one method for each operation that answers with events. */
export function streamsSource(contract: Document): string {
  const all = streamFunctions(contract);
  const names = new Set(all.flatMap(({ at, event }) => [schemaName(event), ...bodyOf(at.operation)]));
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
    ...all.map((stream) => method(contract, stream)),
    '}',
    '',
  ].join('\n');
}

function bodyOf({ requestBody }: OperationAt['operation']): string[] {
  const media = requestBody?.content['application/json'];
  return media ? [schemaName(media.schema)] : [];
}

function method(contract: Document, stream: StreamFunction): string {
  const { at, name, path, whole } = stream;
  const { operation } = at;
  const event = schemaName(stream.event);
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
  if (body) fields.unshift(`body: ${whole ? `Without<${body}, 'stream' | 'background'>` : body}`);
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
    `      url: '${path}',`,
    ...(security.length > 0 ? [`      security: ${JSON.stringify(security)},`] : []),
    "      parseAs: 'stream',",
    "      responseStyle: 'data',",
    '      throwOnError: true,',
    '      ...options,',
    // Callers without types may say that they want a stream, which need not be said.
    ...(whole ? ['      body: { ...options.body, stream: undefined, background: undefined },'] : []),
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
