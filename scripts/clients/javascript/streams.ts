import {
  type Document,
  type OperationAt,
  type Parameter,
  resolve,
  type Schema,
  schemaName,
} from '../../../src/contract/served/document.ts';
import { type Stream, streamsOf } from '../contract.ts';

/** TypeScript source of `StreamingOperations`: one method for each operation that answers with events. */
export function streamsSource(contract: Document): string {
  const all = streamsOf(contract);
  const names = new Set(all.flatMap(({ at, event }) => [schemaName(event), ...bodyOf(at.operation)]));
  return [
    "import { readEvents, type StreamOptions } from './event-stream.js';",
    "import { Operations } from './sdk.gen.js';",
    `import type { ${[...names].sort().join(', ')} } from './types.gen.js';`,
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

function method(contract: Document, { at, event: schema }: Stream): string {
  const { id, path, operation } = at;
  const event = schemaName(schema);
  const [body] = bodyOf(operation);
  const parameters = (operation.parameters ?? []).map((given) => resolve<Parameter>(contract, given));
  const fields = (['path', 'query', 'header'] as const).flatMap((part) => {
    const here = parameters.filter((parameter) => parameter.in === part);
    if (here.length === 0) return [];
    const optional = here.some(({ required }) => required) ? '' : '?';
    const types = here.map(
      ({ name, required, schema }) => `'${name}'${required ? '' : '?'}: ${typeOf(contract, schema)}`,
    );
    return [`${part === 'header' ? 'headers' : part}${optional}: { ${types.join('; ')} }`];
  });
  if (body) fields.unshift(`body: ${body}`);
  const given = [...(fields.length > 0 ? [`{ ${fields.join('; ')} }`] : []), 'StreamOptions'].join(' & ');
  const needed = fields.some((field) => !/^\w+\?/.test(field));
  const schemes = contract.components['securitySchemes'] as Record<string, Record<string, unknown>>;
  const security = operation.security
    .flatMap((by) => Object.keys(by))
    .map((key) => ({ key, ...schemes[key], description: undefined }));
  return [
    '  /**',
    `   * ${operation.summary}: the events as they happen.`,
    '   *',
    '   * Throws a `SwitchyardError` for an error reply, also where it comes as an event, a `StreamInterruptedError` when the',
    '   * stream ends without its last event, and a `TimeoutError`. Leaving the loop closes the connection.',
    '   */',
    `  async *${id}(options: ${given}${needed ? '' : ' = {}'}): AsyncGenerator<${event}, void, undefined> {`,
    '    const { client } = this;',
    `    const open = (signal: AbortSignal) => client.${at.method}<{ 200: ReadableStream<Uint8Array> }, unknown, true, 'data'>({`,
    `      url: '${path}',`,
    ...(security.length > 0 ? [`      security: ${JSON.stringify(security)},`] : []),
    "      parseAs: 'stream',",
    "      responseStyle: 'data',",
    '      throwOnError: true,',
    '      ...options,',
    '      signal,',
    '      timeout: 0,',
    `      headers: { ${body ? "'Content-Type': 'application/json', " : ''}Accept: 'text/event-stream'${fields.some((field) => field.startsWith('headers')) ? ', ...options.headers' : ''} },`,
    '    });',
    `    yield* readEvents<${event}>(open, { timeout: client.getConfig().timeout, ...options });`,
    '  }',
  ].join('\n');
}

function typeOf(contract: Document, schema: Schema): string {
  const { type } = resolve(contract, schema);
  return type === 'integer' || type === 'number' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
}
