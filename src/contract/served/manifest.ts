import {
  type Document,
  eventSchemaOf,
  mediaTypesOf,
  type Operation,
  type OperationAt,
  operationsOf,
  repliesOf,
  type Schema,
  schemaName,
} from './document.ts';

/**
 * The manifest of a server: its operations, their addresses, and how to begin.
 * @param document its contract
 * @param publicUrl address under which clients reach it, without a slash at the end
 */
export function manifestOf(document: Document, publicUrl: string) {
  const all = operationsOf(document);
  return {
    name: document.info.title,
    description: document.info.summary ?? '',
    version: document.info.version,
    contract_version: document.info.version,
    start: start(all, publicUrl),
    operations: all.map(({ id, method, path, operation }) => ({
      operation_id: id,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      lifecycle: operation['x-lifecycle'].stage,
      deprecated: operation.deprecated === true,
      authentication: operation.security.flatMap((requirement) =>
        Object.entries(requirement).map(([scheme, scopes]) => ({ scheme, scopes })),
      ),
      limits: { body_bytes: 0, ...operation['x-limits'] },
      streams: mediaTypesOf(document, operation).includes('text/event-stream'),
      ...(operation['x-wire'] && { wire: operation['x-wire'] }),
      stream_operation: operation['x-stream-operation'] ?? null,
    })),
    events: Object.fromEntries(
      all.flatMap(({ id, operation }) => {
        const schema = eventSchema(document, operation);
        return schema ? [[id, inContract(schema, publicUrl)]] : [];
      }),
    ),
    builds: builds(document.components.schemas),
    links: {
      self: `${publicUrl}/api/factory/manifest`,
      docs: `${publicUrl}/docs`,
      openapi: `${publicUrl}/openapi.json`,
      openapi_yaml: `${publicUrl}/openapi.yaml`,
      openapi_3_0: `${publicUrl}/openapi-3.0.json`,
      openapi_3_2: `${publicUrl}/openapi-3.2.json`,
      postman: `${publicUrl}/api/factory/postman`,
      postman_environment: `${publicUrl}/api/factory/postman-environment`,
      status: `${publicUrl}/api/factory/status`,
    },
  };
}

/** How to begin: the credentials to send, and the first call that answers. */
function start(all: readonly OperationAt[], publicUrl: string) {
  const first = all.find(({ id }) => id === 'createChat');
  if (!first) throw new Error('the contract has no operation createChat');
  return {
    key:
      'Send an API key as `Authorization: Bearer <key>`. The operator of this server gives keys out: on the command line with ' +
      '`npm run switchyard -- keys create`, or in the admin area. The first start of a server prints one.',
    first_call: {
      operation_id: first.id,
      method: first.method.toUpperCase(),
      url: `${publicUrl}${first.path}`,
      body: { message: 'Hello!' },
    },
  };
}

/** A schema by its place in the contract that the same server publishes: the manifest says where things are. */
function inContract(schema: Schema, publicUrl: string): Schema {
  return { $ref: `${publicUrl}/openapi.json#/components/schemas/${schemaName(schema)}` };
}

function builds(schemas: Document['components']['schemas']) {
  const engine = schemas['StatusEngine']?.properties?.['mode'];
  const version = schemas['JobQueuedEvent']?.properties?.['v'];
  return {
    event_schema_version: version?.['const'],
    engines: engine?.['enum'],
    templates: schemas['TemplateId']?.['enum'],
    artifact_formats: [schemas['BuildArtifact']?.properties?.['format']?.['const']],
    prompt: {
      least_characters: schemas['Prompt']?.['minLength'],
      most_characters: schemas['Prompt']?.['maxLength'],
    },
  };
}

function eventSchema(document: Document, operation: Operation): Schema | undefined {
  const schemas = repliesOf(document, operation).map(([, reply]) =>
    eventSchemaOf(reply.content?.['text/event-stream']),
  );
  return schemas.find((schema) => schema !== undefined);
}
