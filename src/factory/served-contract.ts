/** The contract as it is served: what programs read. What only people read stands on the documentation page. */
import type { Contract } from '../contract/own-operations.ts';

/** The generated contract, with what the documentation page shows. */
export interface WholeContract extends Contract {
  tags: readonly { readonly name: string }[];
  externalDocs?: { readonly description: string; readonly url: string };
  'x-tagGroups'?: unknown;
  readonly paths: Record<string, Record<string, ServedOperation>>;
  readonly components: Contract['components'] & { readonly responses: Record<string, Reply> };
}

interface ServedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  description: string;
  readonly responses: Record<string, Reply>;
  readonly 'x-lifecycle': { stage: string };
  'x-codeSamples'?: unknown;
}

interface Reply {
  readonly content?: Record<string, { examples?: unknown }>;
}

/**
 * Takes out of the contract what more than doubles it and tells a program nothing new: code samples, examples of replies,
 * chapters and the list of error codes, and with each operation what its `x-limits` and the statuses of its `responses` say.
 * All of it stands on the documentation page, and the replies in the Postman collection. Examples of requests stay, as tools
 * send them.
 */
export function withoutDocumentation(contract: WholeContract, docs: string): WholeContract {
  const { components, paths } = contract;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const operation of operations) {
    delete operation['x-codeSamples'];
    operation.description = before('**Errors**', before('**Limits**', operation.description));
  }
  const replies = operations.flatMap(({ responses }) => Object.values(responses));
  for (const { content } of [...replies, ...Object.values(components.responses)]) {
    for (const media of Object.values(content ?? {})) delete media.examples;
  }
  const used = new Set(operations.flatMap(({ tags }) => tags));
  contract.tags = contract.tags.filter(({ name }) => used.has(name));
  delete contract['x-tagGroups'];
  contract.externalDocs = { description: 'Chapters, code samples, examples and error codes.', url: docs };
  const codes = components.schemas['ErrorCode'] as { 'x-codes'?: unknown };
  delete codes['x-codes'];
  dropUnusedExamples(contract);
  return contract;
}

/** A text up to a mark in it, or the whole. */
function before(mark: string, text: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at).trimEnd();
}

function dropUnusedExamples({ paths, components }: WholeContract): void {
  const { examples = {} } = components;
  const used = new Set(JSON.stringify(paths).match(/(?<="#\/components\/examples\/)[^"]+/g));
  for (const name of Object.keys(examples)) if (!used.has(name)) delete examples[name];
}
