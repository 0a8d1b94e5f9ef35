/** The contract as it is served, for programs. Texts for people are on the documentation page only. */
import {
  type Document,
  isForeign,
  type MediaType,
  type Operation,
  operationsOf,
  type Response,
} from './document.ts';
import { capitalised } from './own-operations.ts';

/** How many examples of a request stay: of a conversation and of a single text, for a chat. */
const kept = 2;

/**
 * Takes out of the contract what more than doubles it and that programs have no use for: code samples, examples of replies and headers,
 * what links are for, chapters, the list of error codes, second names, all but the first sentence on each operation and the first paragraph on each tag
 * and the whole. All of it stands on the documentation page, and the examples in the Postman collection. The first examples of requests stay, as tools send them.
 */
export function withoutDocumentation(contract: Document, docs: string): Document {
  const { components } = contract;
  const operations = operationsOf(contract).map(({ operation }) => operation);
  for (const operation of operations) {
    delete operation['x-codeSamples'];
    delete operation['x-also-known-as'];
    for (const media of Object.values(operation.requestBody?.content ?? {})) keepFirstExamples(media);
    operation.description = firstSentence(operation.description);
  }
  const replies = operations.flatMap(({ responses }) => Object.values(responses));
  for (const reply of [...replies, ...Object.values(components.responses)]) {
    for (const media of Object.values(reply.content ?? {})) delete media.examples;
    if (reply.content) reply.content = withoutParameters(reply.content);
  }
  for (const header of Object.values(components['headers'] as Record<string, { example?: unknown }>))
    delete header.example;
  for (const link of Object.values(components['links'] as Record<string, { description?: string }>))
    delete link.description;
  const used = new Set(operations.flatMap(({ tags }) => tags));
  contract.tags = contract.tags
    .filter(({ name }) => used.has(name))
    .map(({ name, description }) => ({ name, description: firstParagraph(description) }));
  contract.info.description = firstParagraph(contract.info.description ?? '');
  delete contract['x-tagGroups'];
  contract.externalDocs = { description: 'Chapters, code samples, examples and error codes.', url: docs };
  dropUnusedExamples(contract);
  joinFailures(operations, components.responses);
  shareReplies(operations, components.responses);
  const noted = withoutNotes(contract);
  const schemas = withDefaultsInWords(noted.components.schemas);
  return { ...noted, components: { ...noted.components, schemas } };
}

/** The media types by their names alone, as validators look them up. */
function withoutParameters(content: Record<string, MediaType>): Record<string, MediaType> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type.replace(/;.*$/, ''), media]),
  );
}

function keepFirstExamples(media: MediaType): void {
  if (!media.examples) return;
  const first = Object.entries(media.examples).slice(0, kept);
  media.examples = Object.fromEntries(first.map(([name, { summary: _, ...rest }]) => [name, rest]));
}

/** The failures that every operation may have, whatever it does. */
const commonFailures = [
  'NotAcceptable',
  'PayloadTooLarge',
  'UnsupportedMediaType',
  'TooManyAttempts',
  'InternalError',
  'ServiceUnavailable',
];

/**
 * Says once of each operation what holds for several of its failures: a foreign interface has one form for all, a deprecated operation
 * those of its successor, and every other one has some that say nothing of it. The documentation page lists them by status.
 */
function joinFailures(operations: readonly Operation[], shared: Record<string, Response>): void {
  const nameOf = ({ $ref }: Response) => $ref?.split('/').at(-1) ?? '';
  const common = commonFailures.flatMap((name) => shared[name] ?? []);
  const { content } = common.at(-1) ?? {};
  shared['Failure'] = {
    description: 'Any other failure.',
    headers: Object.assign({}, ...common.map(({ headers }) => headers)),
    ...(content && { content }),
  };
  for (const operation of operations) {
    const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    // Linters want one failure by its status.
    const joined =
      isForeign(operation) || operation.deprecated
        ? failures.slice(1)
        : failures.filter(([, reply]) => commonFailures.includes(nameOf(reply)));
    const [first] = joined;
    if (!first) continue;
    for (const [status] of joined) delete operation.responses[status];
    if (operation.deprecated) {
      const name = `${capitalised(operation.operationId)}Failure`;
      shared[name] = { ...failures[0]?.[1], description: 'Any other failure.' };
      operation.responses['default'] = { $ref: `#/components/responses/${name}` } as Response;
      continue;
    }
    const name = isForeign(operation) ? otherThan(nameOf(first[1]), shared) : 'Failure';
    operation.responses['default'] = { $ref: `#/components/responses/${name}` } as Response;
  }
  for (const name of commonFailures) delete shared[name];
}

/** The same under a second name: for ogen a status and `default` cannot be one. */
function otherThan(name: string, shared: Record<string, Response>): string {
  const other = `Other${name}`;
  shared[other] ??= { ...shared[name], description: 'Any other failure.' };
  return other;
}

/** Names a reply that several operations have after the first of them, and refers to it from all. */
function shareReplies(operations: readonly Operation[], shared: Record<string, Response>): void {
  const repliesByText = new Map<string, { name: string; in: Record<string, Response>; status: string }[]>();
  for (const { operationId, responses } of operations) {
    for (const [status, reply] of Object.entries(responses)) {
      if (reply.$ref) continue;
      const text = JSON.stringify(reply);
      const use = { name: `${capitalised(operationId)}Reply${status}`, in: responses, status };
      repliesByText.set(text, [...(repliesByText.get(text) ?? []), use]);
    }
  }
  for (const [text, same] of repliesByText) {
    const name = same[0]?.name ?? '';
    if (same.length === 1 || name in shared) continue;
    shared[name] = JSON.parse(text) as Response;
    for (const use of same) use.in[use.status] = { $ref: `#/components/responses/${name}` } as Response;
  }
}

/**
 * The contract without what the server notes for its own messages and the documentation page for its headings, and without the
 * description of what can have one value only, which says enough.
 */
function withoutNotes(contract: Document): Document {
  const notes = new Set(['x-codes', 'x-refused', 'x-expected']);
  const rest = JSON.parse(
    JSON.stringify(contract, (name, value) => {
      if (notes.has(name)) return undefined;
      if (typeof value?.description !== 'string' || value.const === undefined) return value;
      const { description: _, ...constant } = value;
      return constant;
    }),
  );
  for (const schema of Object.values<{ title?: string }>(rest.components.schemas)) delete schema.title;
  return rest;
}

/** Members with examples and values, where `default` is a name like any other. */
const values = new Set(['example', 'examples', 'const', 'enum', 'default']);

/**
 * The same schemas with each default as a sentence of its description. Generators take a field with a default for one that is always
 * there, as it is in an answer, and would have callers send it (openapi-typescript, hey-api's zod, dart-dio).
 */
function withDefaultsInWords<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDefaultsInWords) as T;
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    values.has(name) ? member : withDefaultsInWords(member),
  ]);
  const all = Object.fromEntries(entries);
  if (all.default === undefined || typeof all.description !== 'string') return all;
  const { default: given, description, ...schema } = all;
  const says = /\bdefault\b/i.test(description);
  const shown =
    typeof given === 'number' ? given : `\`${typeof given === 'string' ? given : JSON.stringify(given)}\``;
  return { ...schema, description: says ? description : `${description} Default: ${shown}.` };
}

/** Without the addresses of what people read, and without the chapters, which are not there. */
function firstParagraph(text: string): string {
  const [first = ''] = text.split('\n\n');
  const plain = first.replaceAll('\n', ' ').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return plain.replaceAll(/ \(see \*[^)]*\*\)/g, '').trim();
}

function firstSentence(text: string): string {
  const paragraph = firstParagraph(text);
  return /^.*?[.](?= +[A-Z`])/.exec(paragraph)?.[0] ?? paragraph;
}

/** The remaining ones have names that say enough. */
function dropUnusedExamples({ paths, components }: Document): void {
  const { examples } = components;
  const used = new Set(JSON.stringify(paths).match(/(?<="#\/components\/examples\/)[^"]+/g));
  for (const [name, example] of Object.entries(examples)) {
    if (used.has(name)) delete example.summary;
    else delete examples[name];
  }
}
