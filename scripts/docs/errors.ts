import { STATUS_CODES } from 'node:http';
import type { Document } from '../../src/contract/served/document.ts';
import { type ErrorCodeRow, errorCodeRows } from '../generate/error-codes.ts';

interface ErrorReply {
  readonly error: Readonly<Record<string, unknown>>;
}

/** Every error code with a reply, by status: the contract's own example, or one made of the code's row in its table. */
export function errorSections(contract: Document): string {
  const rows = errorCodeRows(contract);
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses
    .map((status) => {
      const sections = rows.filter((row) => row.status === status).map((row) => section(contract, row));
      return [`## ${status} ${STATUS_CODES[status]}`, ...sections].join('\n\n');
    })
    .join('\n\n');
}

function section(contract: Document, row: ErrorCodeRow): string {
  const { code, type, retryable, description } = row;
  const later = retryable ? 'The same request may succeed later.' : 'The same request will fail again.';
  const reply = JSON.stringify(replyOf(contract, row), null, 2);
  return `### \`${code}\`\n\n${description}\n\nType \`${type}\`. ${later}\n\n\`\`\`json\n${reply}\n\`\`\``;
}

/** A reply with this code. */
function replyOf(contract: Document, { code, type, retryable, description }: ErrorCodeRow): ErrorReply {
  const examples = Object.values(contract.components['examples'] ?? {}) as { value: unknown }[];
  // What a run or a build records of its error has no address of an explanation.
  const found = examples
    .map(({ value }) => value as ErrorReply)
    .find(({ error }) => error?.['code'] === code && error['docs_url']);
  const made: ErrorReply = {
    error: {
      code,
      type,
      message: /^.*?\.(?= |$)/.exec(description)?.[0] ?? description,
      param: null,
      details: [],
      request_id: 'req_01K9Z3V7Q4W8X2M6N5B1C0D9EF',
      retryable,
      docs_url: `${contract.servers[0]?.url}/docs#/errors/${code}`,
    },
  };
  return found ?? made;
}
