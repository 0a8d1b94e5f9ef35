import {
  type Document,
  type OperationAt,
  type Parameter,
  resolve,
  type Schema,
  schemaName,
} from '../../../src/contract/served/document.ts';
import { type StreamFunction, streamFunctions } from '../document.ts';

/** Python source of `switchyard.streams`: two functions for each operation that answers with events. */
export function streamsSource(contract: Document): string {
  const streams = streamFunctions(contract).map((stream) => streamOf(contract, stream));
  const unions = new Map(streams.map(({ event, kinds }) => [event, kinds]));
  const models = new Set(streams.flatMap(({ kinds, bodies }) => [...Object.values(kinds), ...bodies]));
  return [
    '"""The operations that answer with events, each as an iterator and, with the prefix `a`, an asynchronous one."""',
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import AsyncIterator, Iterator',
    'from typing import Any, TypeAlias',
    'from urllib.parse import quote',
    '',
    'from ._event_stream import Parsers, aread_events, read_events',
    'from .client import AuthenticatedClient',
    `from .models import (\n${[...models]
      .sort()
      .map((name) => `    ${name},`)
      .join('\n')}\n)`,
    '',
    ...[...unions].map(([event, kinds]) => unionSource(event, kinds)),
    'def _streamed(body: dict[str, Any]) -> dict[str, Any]:',
    '    return {name: value for name, value in body.items() if name not in ("stream", "background")}',
    '',
    '',
    ...streams.map(functionsSource),
    '',
  ].join('\n');
}

interface Stream {
  readonly at: OperationAt;
  readonly name: string;
  readonly path: string;
  /** Name of the union of its events. */
  readonly event: string;
  /** The models of the events by their types. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  /** Whether the body is that of an operation that answers whole. */
  readonly whole: boolean;
  readonly parameters: readonly Parameter[];
}

function streamOf(contract: Document, { at, name, path, event, whole }: StreamFunction): Stream {
  const { operation } = at;
  const { mapping } = resolve(contract, event)['discriminator'] as { mapping: Record<string, string> };
  const json = operation.requestBody?.content['application/json'];
  const body = json ? resolve(contract, json.schema) : null;
  return {
    at,
    name: snakeCase(name),
    path,
    event: schemaName(event),
    kinds: Object.fromEntries(
      Object.entries(mapping).map(([kind, reference]) => [kind, schemaName({ $ref: reference })]),
    ),
    bodies: !json || !body ? [] : body.oneOf ? body.oneOf.map(schemaName) : [schemaName(json.schema)],
    whole,
    parameters: (operation.parameters ?? []).map((parameter) => resolve<Parameter>(contract, parameter)),
  };
}

function unionSource(event: string, kinds: Stream['kinds']): string {
  const parsers = Object.entries(kinds).map(([kind, model]) => `    "${kind}": ${model}.from_dict,`);
  return [
    `${event}: TypeAlias = ${[...new Set(Object.values(kinds))].join(' | ')}`,
    `_${event.toUpperCase()}: Parsers[${event}] = {`,
    ...parsers,
    '}',
    '',
  ].join('\n');
}

function functionsSource(stream: Stream): string {
  const { at, name, event, bodies, whole, parameters } = stream;
  const ordered = [...parameters].sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false));
  const declared = [
    ...ordered.filter(({ required }) => required).map((p) => `${snakeCase(p.name)}: ${typeOf(p.schema)}`),
    'client: AuthenticatedClient',
    ...(bodies.length > 0 ? [`body: ${bodies.join(' | ')}`] : []),
    ...ordered
      .filter(({ required }) => !required)
      .map((p) => `${snakeCase(p.name)}: ${typeOf(p.schema)} | None = None`),
  ];
  const signature = `*, ${declared.join(', ')}`;
  const passed = declared
    .map((text) => text.split(':')[0])
    .filter((argument) => argument !== 'client')
    .map((argument) => `${argument}=${argument}`)
    .join(', ');
  const path = stream.path.replaceAll(/\{(\w+)\}/g, (_, parameter) => `{quote(${parameter}, safe='')}`);
  const given = (place: string) =>
    ordered
      .filter((parameter) => parameter.in === place)
      .map(
        (parameter) =>
          `    if ${snakeCase(parameter.name)} is not None:\n        ${place === 'query' ? 'params' : 'headers'}["${parameter.name}"] = str(${snakeCase(parameter.name)})`,
      );
  const about = `"""${at.operation.summary}: the events as they happen. Leaving the loop closes the connection."""`;
  return [
    '',
    `def _${name}(${signature
      .replace('client: AuthenticatedClient, ', '')
      .replace('client: AuthenticatedClient', '')
      .replace(/^\*, $/, '')
      .replace(/, $/, '')}) -> dict[str, Any]:`,
    '    headers = {"Accept": "text/event-stream"}',
    '    params: dict[str, str] = {}',
    ...given('header'),
    ...given('query'),
    '    return {',
    `        "method": "${at.method.toUpperCase()}",`,
    `        "url": ${path === stream.path ? '' : 'f'}"${path}",`,
    '        "headers": headers,',
    '        "params": params,',
    ...(bodies.length > 0
      ? [`        "json": ${whole ? '_streamed(body.to_dict())' : 'body.to_dict()'},`]
      : []),
    '    }',
    '',
    '',
    `def ${name}(${signature}) -> Iterator[${event}]:`,
    `    ${about}`,
    `    return read_events(client.get_httpx_client(), _${name}(${passed}), _${event.toUpperCase()})`,
    '',
    '',
    `def a${name}(${signature}) -> AsyncIterator[${event}]:`,
    `    ${about}`,
    `    return aread_events(client.get_async_httpx_client(), _${name}(${passed}), _${event.toUpperCase()})`,
    '',
  ].join('\n');
}

function snakeCase(name: string): string {
  return name
    .replaceAll('-', '_')
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

function typeOf({ type }: Schema): string {
  return type === 'integer' ? 'int' : type === 'number' ? 'float' : type === 'boolean' ? 'bool' : 'str';
}
