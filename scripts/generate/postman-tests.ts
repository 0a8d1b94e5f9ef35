import {
  type Document,
  eventSchemaOf,
  type OperationAt,
  repliesOf,
  type Schema,
  selfContained,
} from './document.ts';
import { passedValues } from './postman-links.ts';

/** Whether only a language model can answer, which a server without a provider does not have. */
function needsModel({ 'x-engines': engines }: OperationAt['operation']): boolean {
  return engines !== undefined && !engines.includes('local');
}

/**
 * The script of a request: what its answer has to be, and what later requests need of it. Of an operation that needs a model
 * the refusal is right too.
 */
export function testsOf(document: Document, at: OperationAt, body: unknown): string[] {
  const lines = [...testsOfAnswer(document, at, body), ...handingOn(document, at)];
  if (!needsModel(at.operation)) return lines;
  return [
    "const refused = pm.response.code === 400 && pm.response.json().error.code === 'model_required';",
    "if (refused) pm.test('says that it needs a model', () => pm.response.to.have.status(400));",
    'else {',
    ...lines.map((line) => `  ${line}`),
    '}',
  ];
}

/** Keeps what later requests need. */
function handingOn(document: Document, { id }: OperationAt): string[] {
  return passedValues(document)
    .filter(({ from }) => from === id)
    .map(({ variable, source }) => `if (${source}) pm.collectionVariables.set('${variable}', ${source});`);
}

function testsOfAnswer(document: Document, { operation }: OperationAt, body: unknown): string[] {
  const replies = repliesOf(document, operation);
  const later = (body as { background?: boolean } | undefined)?.background === true;
  const [status, reply] = (later ? replies.find(([code]) => code === 202) : replies[0]) ?? [];
  const type = Object.keys(reply?.content ?? {})[0];
  const media = type ? reply?.content?.[type] : undefined;
  const lines = [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
    "pm.test('names the request', () => pm.expect(pm.response.headers.get('x-request-id')).to.be.a('string'));",
  ];
  if (!media || !type) return lines;
  lines.push(
    `pm.test('is ${type}', () => pm.expect(pm.response.headers.get('content-type')).to.include('${type}'));`,
  );
  // Newman stops at a format that it does not know.
  const schemaText = (schema: Schema) =>
    JSON.stringify(selfContained(document, schema)).replaceAll(
      /"format":"int(?:32|64)",|,"format":"int(?:32|64)"/g,
      '',
    );
  if (type === 'application/json') {
    lines.push(
      `pm.test('fits the contract', () => pm.response.to.have.jsonSchema(${schemaText(media.schema)}));`,
    );
  }
  const event = eventSchemaOf(media);
  if (event) {
    lines.push(
      'const events = [...pm.response.text().matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));',
      `pm.test('every event fits the contract', () => events.forEach((event) => pm.expect(event).to.be.jsonSchema(${schemaText(event)})));`,
      "pm.test('ends with one terminal event', () => pm.expect(events.filter(({ type, final }) => final || type === 'end' || type === 'error')).to.eql([events.at(-1)]));",
    );
  }
  return lines;
}
