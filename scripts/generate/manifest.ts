import {
  type Document,
  eventSchemaOf,
  type Operation,
  operationsOf,
  repliesOf,
  type Schema,
  selfContained,
} from './document.ts';

/** The manifest but for its links, which each server fills in with its own address. */
export function manifest(document: Document) {
  const all = operationsOf(document);
  return {
    name: document.info.title,
    description: document.info.summary ?? '',
    version: document.info.version,
    contract_version: document.info.version,
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
      streams: eventSchema(document, operation) !== undefined,
      stream_operation: operation['x-stream-operation'] ?? null,
    })),
    events: Object.fromEntries(
      all.flatMap(({ id, operation }) => {
        const schema = eventSchema(document, operation);
        return schema ? [[id, selfContained(document, schema)]] : [];
      }),
    ),
    builds: builds(document.components.schemas),
  };
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
