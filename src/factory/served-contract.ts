/** The contract as it is served: what programs read. What only people read stands on the documentation page. */
import type { Contract } from '../contract/own-operations.ts';

/** The generated contract, with what the documentation page shows. */
export interface WholeContract extends Contract {
  readonly tags: { readonly name: string; description: string }[];
  readonly paths: Record<string, Record<string, ServedOperation>>;
  readonly components: Contract['components'] & { readonly responses: Record<string, Reply> };
}

interface ServedOperation {
  readonly operationId: string;
  description: string;
  readonly responses: Record<string, Reply>;
  readonly 'x-lifecycle': { stage: string };
  'x-codeSamples'?: unknown;
}

interface Reply {
  readonly content?: Record<string, { examples?: unknown }>;
}

/**
 * Takes out of the contract what more than doubles it and tells a program nothing new: code samples, examples of replies, the
 * sections on the error codes and their list with each operation, whose statuses are its `responses`. All of it stands on the
 * documentation page, and the replies in the Postman collection. Examples of requests stay, as tools send them.
 */
export function withoutDocumentation(contract: WholeContract): WholeContract {
  const { components, paths, tags } = contract;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const operation of operations) {
    delete operation['x-codeSamples'];
    operation.description = before('**Errors**:', operation.description);
  }
  const replies = operations.flatMap(({ responses }) => Object.values(responses));
  for (const { content } of [...replies, ...Object.values(components.responses)]) {
    for (const media of Object.values(content ?? {})) delete media.examples;
  }
  for (const tag of tags) if (tag.name === 'Errors') tag.description = before('\n## ', tag.description);
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
