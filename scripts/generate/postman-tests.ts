import {
  type Document,
  eventSchemaOf,
  type OperationAt,
  repliesOf,
  schemaName,
} from '../../src/contract/served/document.ts';
import { asksForKept } from './document.ts';
import { bodyVariable, isDemo, passedInBodies, passedValues } from './postman-links.ts';

/** Whether only a language model can answer, which a server without a provider does not have. */
function needsModel({ 'x-engines': engines }: OperationAt['operation']): boolean {
  return engines !== undefined && !engines.includes('local');
}

/**
 * The script of a request: what its answer has to be, and what later requests need of it. Of an operation that needs a model
 * the refusal is right too; of one that this server has only planned, or whose id an empty list could not give, only the
 * refusal is.
 */
export function testsOf(document: Document, at: OperationAt, body: unknown): string[] {
  const lines = [...testsOfAnswer(document, at, body), ...handingOn(document, at)];
  if (needsModel(at.operation)) return unless(modelRequired, lines);
  if (asksForKept(at)) return unless(nobodyKeeps, lines);
  if (at.operation['x-lifecycle'].stage === 'planned') return unless(planned(at.id), lines);
  const values = passedValues(document).filter(({ to }) => to === at.id);
  const [value] = values;
  const given = value && values.every(({ mayLack }) => mayLack) ? unless(notGiven(value), lines) : lines;
  if (isDemo(at.operation)) return unless(demoLimited, given);
  return mayExist(at.operation) ? unless(isThere, given) : given;
}

/** Whether there can be one already of what an operation makes. */
function mayExist({ responses }: OperationAt['operation']): boolean {
  return '201' in responses && responses['409']?.$ref?.endsWith('/Conflict') === true;
}

/** A case in which an operation refuses: JavaScript that tells it, and the test that holds then. */
interface Refusal {
  case: string;
  test: string;
}

const modelRequired: Refusal = {
  case: "pm.response.code === 400 && pm.response.json().error.code === 'model_required'",
  test: "pm.test('says that it needs a model', () => pm.response.to.have.status(400));",
};

/** What no provider keeps, as that of the example. */
const nobodyKeeps: Refusal = {
  case: 'pm.response.code === 404',
  test: "pm.test('says that there is none', () => pm.expect(pm.response.json().error.message).to.be.a('string'));",
};

/** As the second time that the collection is run. */
const isThere: Refusal = {
  case: 'pm.response.code === 409',
  test: "pm.test('is there: ' + pm.response.json().error.message, () => pm.expect(pm.response.json().error.code).to.equal('conflict'));",
};

/** As the second time that the folder is run; its name says for how long. */
const demoLimited: Refusal = {
  case: 'pm.response.code === 429',
  test: "pm.test('is limited: ' + pm.response.json().error.message, () => pm.expect(pm.response.json().error.code).to.equal('demo_limited'));",
};

function planned(id: string): Refusal {
  return {
    case: `pm.collectionVariables.get('planned').split(' ').includes('${id}')`,
    test: refusedWith('says that it is planned', 'endpoint_planned'),
  };
}

function notGiven({ variable, example }: { variable: string; example: string }): Refusal {
  return {
    case: `pm.collectionVariables.get('${variable}') === '${example}'`,
    test: refusedWith('says that there is none', 'not_found'),
  };
}

function refusedWith(name: string, code: string): string {
  return `pm.test('${name}', () => { pm.response.to.have.status(404); pm.expect(pm.response.json().error.code).to.equal('${code}'); });`;
}

function unless(refusal: Refusal, lines: readonly string[]): string[] {
  return [`if (${refusal.case}) ${refusal.test}`, 'else {', ...lines.map((line) => `  ${line}`), '}'];
}

/** The test of a status, which quotes the reason of an error in its place. */
function hasStatus(status: number | undefined): string {
  const reason = "pm.response.code < 400 ? '' : pm.response.json().error?.message";
  return `pm.test('answers ${status}', () => pm.expect(pm.response.code, ${reason}).to.equal(${status}));`;
}

/** Keeps what later requests need. */
function handingOn(document: Document, { id }: OperationAt): string[] {
  const inBodies = passedInBodies
    .filter(({ from }) => from === id)
    .map((passed) => `pm.collectionVariables.set('${bodyVariable(passed)}', ${passed.source});`);
  const given = Object.groupBy(
    passedValues(document).filter(({ from }) => from === id),
    ({ source }) => source,
  );
  const inPaths = Object.entries(given).map(([source, passed = []]) => {
    const names = [...new Set(passed.map(({ variable }) => variable))];
    return `if (${source}) for (const name of '${names.join(' ')}'.split(' ')) pm.collectionVariables.set(name, ${source});`;
  });
  return [...inBodies, ...inPaths];
}

function testsOfAnswer(document: Document, { operation }: OperationAt, body: unknown): string[] {
  const replies = repliesOf(document, operation);
  const later = (body as { background?: boolean } | undefined)?.background === true;
  const [status, reply] = (later ? replies.find(([code]) => code === 202) : replies[0]) ?? [];
  const type = Object.keys(reply?.content ?? {})[0];
  const media = type ? reply?.content?.[type] : undefined;
  const lines = [
    hasStatus(status),
    "pm.test('names the request', () => pm.expect(pm.response.headers.get('x-request-id')).to.be.a('string'));",
  ];
  if (!media || !type) return lines;
  lines.push(
    `pm.test('is ${type}', () => pm.expect(pm.response.headers.get('content-type')).to.include('${type}'));`,
  );
  if (type === 'application/json') {
    lines.push(
      schemaOf(schemaName(media.schema)),
      "pm.test('fits the contract', () => pm.response.to.have.jsonSchema(schema));",
    );
  }
  const event = eventSchemaOf(media);
  if (event) {
    lines.push(
      schemaOf(schemaName(event)),
      // Bruno's importer writes JSON of the text in its place, which begins with a quotation mark as no stream does.
      'const text = pm.response.text();',
      "const stream = text.startsWith('\"') ? JSON.parse(text) : text;",
      'const events = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));',
      "pm.test('every event fits the contract', () => events.forEach((event) => pm.expect(event).to.be.jsonSchema(schema)));",
      "pm.test('ends with one terminal event', () => pm.expect(events.filter(({ type, final }) => final || type === 'end' || type === 'error')).to.eql([events.at(-1)]));",
    );
  }
  return lines;
}

/** The schemas stand once in the collection, in a variable: in each script they would make most of it. */
function schemaOf(name: string): string {
  return `const schema = { $ref: '#/$defs/${name}', $defs: JSON.parse(pm.collectionVariables.get('schemas')) };`;
}
