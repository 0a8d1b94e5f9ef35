import {
  type Document,
  eventSchemaOf,
  mediaTypesOf,
  type OperationAt,
  operationsOf,
  type Parameter,
  repliesOf,
  resolve,
  type Schema,
  schemaName,
} from '../../../src/contract/served/document.ts';
import { argumentName, pythonName, snakeCase } from './names.ts';
import { ParamTypes } from './params.ts';

/** Python sources: the resources of the client, the types of what they take, and the events of their streams. */
export function resourceSources(contract: Document): Record<string, string> {
  const types = new ParamTypes(contract);
  const methods = operationsOf(contract).flatMap((at) => {
    const name = pythonName(at);
    return name ? [{ ...name, at, ...describe(contract, at, types) }] : [];
  });
  const resources = Map.groupBy(methods, ({ resource }) => resource);
  const models = new Set(methods.flatMap(({ model }) => model ?? []));
  const events = new Map(
    methods.flatMap(({ event }) => (event ? [[schemaName(event), event] as const] : [])),
  );
  const params = new Set(methods.flatMap(({ bodies }) => bodies));
  const imports = (names: Iterable<string>) =>
    [...names]
      .sort()
      .map((name) => `    ${name},\n`)
      .join('');
  const attributes = (prefix: string) =>
    [...resources.keys()].map((name) => `        self.${name} = ${prefix}${className(name)}(api)`);
  return {
    'params.py': types.source(),
    'events.py': eventsSource(contract, events),
    'resources.py': [
      '"""The operations, in groups: what `client.chat`, `client.builds` and the others are."""',
      '',
      'from __future__ import annotations',
      '',
      'import datetime',
      'from collections.abc import AsyncGenerator, Generator',
      'from typing import Any, Unpack, overload',
      'from urllib.parse import quote',
      '',
      'from . import events as _events',
      'from ._api import Api, AsyncApi, files_of',
      `from .events import (\n${imports(events.keys())})`,
      `from .models import (\n${imports(models)})`,
      `from .params import (\n${imports(params)})`,
      '',
      ...[...resources].flatMap(([name, members]) => [
        ...classSource(name, members, false),
        ...classSource(name, members, true),
      ]),
      '',
      'class Resources:',
      '    def __init__(self, api: Api) -> None:',
      ...attributes(''),
      '',
      '',
      'class AsyncResources:',
      '    def __init__(self, api: AsyncApi) -> None:',
      ...attributes('Async'),
      '',
    ].join('\n'),
  };
}

type Method = ReturnType<typeof describe> & { readonly method: string; readonly at: OperationAt };

const className = (resource: string) => `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Resource`;

function describe(contract: Document, { operation }: OperationAt, types: ParamTypes) {
  const json = operation.requestBody?.content['application/json'];
  const body = json ? resolve(contract, json.schema) : null;
  const variants = !json || !body ? [] : (body.oneOf ?? [json.schema]);
  const [, reply] = repliesOf(contract, operation)[0] ?? [];
  const media = reply?.content?.['application/json'];
  const event = eventSchemaOf(reply?.content?.['text/event-stream']);
  const model = media ? schemaName(media.schema) : undefined;
  const parameters = (operation.parameters ?? []).map((given) => resolve<Parameter>(contract, given));
  return {
    bodies: variants.map((variant) => types.body(variant)),
    parameters,
    event,
    model: model === undefined ? undefined : modelName(model),
    reads: event
      ? ('events' as const)
      : model
        ? ('model' as const)
        : readingOf(mediaTypesOf(contract, operation)),
  };
}

/** The generator adds an underline to the names that Python has. */
const modelName = (schema: string) => (['Warning'].includes(schema) ? `${schema}_` : schema);

function readingOf(types: readonly string[]): 'none' | 'text' | 'bytes' {
  if (types.length === 0) return 'none';
  return types.every((type) => type.startsWith('text/')) ? 'text' : 'bytes';
}

function classSource(resource: string, methods: readonly Method[], isAsync: boolean): string[] {
  const api = isAsync ? 'AsyncApi' : 'Api';
  return [
    '',
    `class ${isAsync ? 'Async' : ''}${className(resource)}:`,
    `    def __init__(self, api: ${api}) -> None:`,
    '        self._api = api',
    ...methods.flatMap((method) => methodSource(method, isAsync)),
    '',
  ];
}

function methodSource(method: Method, isAsync: boolean): string[] {
  const { at, parameters, bodies, event, model, reads } = method;
  const required = parameters.filter(({ required }) => required);
  const optional = parameters.filter((parameter) => !parameter.required);
  const argument = (p: Parameter) =>
    `${argumentName(p.name)}: ${typeOf(p.schema)}${p.required ? '' : ' | None = None'}`;
  const signature = (body: string) =>
    [
      'self',
      ...required.map(argument),
      '*',
      ...optional.map(argument),
      'timeout: float | None = None',
      ...(body ? [`**body: ${body}`] : []),
    ].join(', ');
  const gives = event
    ? isAsync
      ? `AsyncGenerator[${schemaName(event)}, None]`
      : `Generator[${schemaName(event)}, None, None]`
    : { model: model ?? '', text: 'str', bytes: 'bytes', none: 'None', events: '' }[reads];
  const define = `${isAsync && !event ? 'async ' : ''}def`;
  const overloads = bodies.length > 1 ? bodies : [];
  const body = bodies.length === 1 ? `Unpack[${bodies[0]}]` : bodies.length > 1 ? 'Any' : '';
  const path = at.path.replaceAll(/\{(\w+)\}/g, (_, name) => `{quote(${argumentName(name)}, safe='')}`);
  const part = (where: string) => {
    const here = parameters.filter((parameter) => parameter.in === where);
    const members = here.map(({ name }) => `"${name}": ${argumentName(name)}`);
    return here.length > 0 ? [`${where === 'query' ? 'params' : 'headers'}={${members.join(', ')}}`] : [];
  };
  const passed = [
    `"${at.method.toUpperCase()}"`,
    `${path === at.path ? '' : 'f'}"${path}"`,
    ...part('query'),
    ...part('header'),
    ...(bodies.length > 0 ? ['body=body'] : []),
    'timeout=timeout',
  ].join(', ');
  const wait = isAsync ? 'await ' : '';
  const call = `${wait}self._api.request(${passed})`;
  const answer = event
    ? `return self._api.events(${passed}, parsers=_events.${parsersName(schemaName(event))})`
    : {
        model: `return ${model}.from_dict((${call}).json())`,
        text: `return (${call}).text`,
        bytes: `return (${call}).content`,
        none: call,
        events: '',
      }[reads];
  const lines = [
    ...overloads.flatMap((variant) => [
      '',
      '    @overload',
      `    ${define} ${method.method}(${signature(`Unpack[${variant}]`)}) -> ${gives}: ...`,
    ]),
    '',
    `    ${define} ${method.method}(${signature(body)}) -> ${gives}:`,
    `        """${at.operation.summary}${event ? ': the events as they happen' : ''}."""`,
    `        ${answer}`,
  ];
  if (method.method !== 'download') return lines;
  const [id] = required;
  const name = argumentName(id?.name ?? '');
  return [
    ...lines,
    '',
    `    ${define} files(self, ${name}: str, *, timeout: float | None = None) -> dict[str, bytes]:`,
    '        """The files in the archive, by their paths."""',
    `        return files_of(${wait}self.download(${name}, timeout=timeout))`,
  ];
}

const parsersName = (event: string) => `${snakeCase(event).toUpperCase()}_PARSERS`;

function eventsSource(contract: Document, events: ReadonlyMap<string, Schema>): string {
  const unions = [...events].map(([name, schema]) => {
    const { mapping } = resolve(contract, schema)['discriminator'] as { mapping: Record<string, string> };
    const kinds = Object.entries(mapping).map(([kind, $ref]) => [kind, schemaName({ $ref })] as const);
    return { name, kinds };
  });
  const models = new Set(unions.flatMap(({ kinds }) => kinds.map(([, model]) => model)));
  return [
    '"""The events of streams: `event.type_` says which it is."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import TypeAlias',
    '',
    'from ._event_stream import Parsers',
    `from .models import (\n${[...models]
      .sort()
      .map((name) => `    ${name},\n`)
      .join('')})`,
    '',
    ...unions.flatMap(({ name, kinds }) => [
      `${name}: TypeAlias = ${[...new Set(kinds.map(([, model]) => model))].join(' | ')}`,
      `${parsersName(name)}: Parsers[${name}] = {`,
      ...kinds.map(([kind, model]) => `    "${kind}": ${model}.from_dict,`),
      '}',
      '',
    ]),
  ].join('\n');
}

function typeOf({ type, format }: Schema): string {
  if (format === 'date') return 'str | datetime.date';
  return type === 'integer' ? 'int' : type === 'number' ? 'float' : type === 'boolean' ? 'bool' : 'str';
}
