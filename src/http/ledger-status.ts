import { type ErrorCodeInfo, errorCodes } from '../../generated/error-codes.gen.ts';

/** The status under which a request is shown whose client went away (nginx's convention). */
export const clientClosedRequest = 499;

/** How a request ended, as far as its status goes by it. */
export interface EndedAs {
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  /** As the contract names it; a build has further codes, but nobody is told those by a status. */
  readonly errorCode?: string | null;
  readonly told?: 'nothing' | 'answer' | 'acceptance';
}

const infos: Readonly<Partial<Record<string, ErrorCodeInfo>>> = errorCodes;

/** The HTTP status under which the ledger shows a request: the one that its client was told, or would have been. */
export function ledgerStatus({ status, errorCode, told = 'nothing' }: EndedAs): number {
  if (told === 'acceptance') return 202;
  if (status === 'cancelled') return clientClosedRequest;
  if (status === 'succeeded' || told === 'answer') return 200;
  return (infos[errorCode ?? 'internal_error'] ?? errorCodes.internal_error).status;
}
