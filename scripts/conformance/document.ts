/**
 * Prints the contract as tools of others understand it. In ours the schema of an event stream is that of the JSON in one
 * event, which is what readers and types want. Schemathesis takes it for the schema of the event with its fields `event`
 * and `data`; Prism takes it for the schema of the body, and does not read YAML either. The server itself holds every event
 * against the contract, and an error in its log fails the run.
 *
 *   node scripts/conformance/document.ts schemathesis|prism > openapi.json
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Document, operationsOf, type Response, resolve, type Schema } from '../generate/document.ts';

const text: Schema = { type: 'string' };
const tool = process.argv[2];
if (tool !== 'schemathesis' && tool !== 'prism') throw new Error('for which tool? schemathesis or prism');
const file = path.join(import.meta.dirname, '../../generated/openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
for (const { operation } of operationsOf(document)) {
  for (const given of Object.values(operation.responses)) {
    const content = resolve<Response>(document, given).content ?? {};
    const events = content['text/event-stream'];
    if (events) {
      const schema = tool === 'prism' ? text : eventOf(resolve(document, events.schema));
      content['text/event-stream'] = { schema };
    }
    if (tool === 'prism' && content['application/yaml']) content['application/yaml'] = { schema: text };
  }
}
process.stdout.write(JSON.stringify(document));

/** An event as it is on the wire; streams that only have `data` lines leave `event` out. */
function eventOf(union: Schema): Schema {
  const { mapping } = union['discriminator'] as { mapping: Record<string, string> };
  return {
    type: 'object',
    required: ['data'],
    properties: { event: { type: 'string', enum: Object.keys(mapping) }, data: { type: 'string' } },
  };
}
