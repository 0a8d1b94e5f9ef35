import type { Document } from '../../src/contract/served/document.ts';

export interface ErrorCodeRow {
  code: string;
  status: number;
  type: string;
  retryable: boolean;
  description: string;
}

/** The table of error codes that the contract keeps beside the enum of their names. */
export function errorCodeRows(document: Document): ErrorCodeRow[] {
  const schema = document.components.schemas['ErrorCode'];
  const names = schema?.['enum'] as string[];
  const rows = schema?.['x-codes'] as Record<string, Omit<ErrorCodeRow, 'code'>>;
  const differing = [...names, ...Object.keys(rows)].filter(
    (name) => !(name in rows && names.includes(name)),
  );
  if (differing.length > 0) throw new Error(`ErrorCode: enum and x-codes differ in ${differing.join(', ')}`);
  return names.map((code) => ({ code, ...rows[code] }) as ErrorCodeRow);
}

/** TypeScript source of the table that the server looks statuses up in. */
export function errorCodesSource(document: Document): string {
  const rows = errorCodeRows(document).map(
    ({ code, status, type, retryable }) =>
      `  ${code}: { status: ${status}, type: '${type}', retryable: ${retryable} },`,
  );
  return [
    "import type { ErrorCode, ErrorType } from './types.gen.ts';",
    '',
    'export interface ErrorCodeInfo {',
    '  /** HTTP status of the reply. */',
    '  readonly status: number;',
    '  readonly type: ErrorType;',
    '  /** Whether the same request may succeed later. */',
    '  readonly retryable: boolean;',
    '}',
    '',
    'export const errorCodes: Readonly<Record<ErrorCode, ErrorCodeInfo>> = {',
    ...rows,
    '};',
    '',
  ].join('\n');
}
