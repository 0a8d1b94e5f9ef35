/** What a request was warned of, as the ledger keeps it: the words can be told from the code, and would repeat themselves. */
import type { Warning } from '../../../generated/types.gen.ts';
import { shorten } from '../../lib/shorten.ts';

/** What was dropped, adapted or estimated, and the field that it is about; null: none of the request's. */
export interface KeptWarning {
  readonly code: Warning['code'];
  readonly param: string | null;
}

/** Maximum number of warnings that are kept of a request. A client chooses the names of fields, so there may be any number. */
const maxWarnings = 100;
/** Maximum length of the name of a field, in characters. */
const maxLength = 200;

/** The ledger's text of them; null for none. */
export function warningsText(warnings: readonly Warning[]): string | null {
  if (warnings.length === 0) return null;
  const kept = warnings.slice(0, maxWarnings).map(
    ({ code, param }): KeptWarning => ({
      code,
      param: typeof param === 'string' ? shorten(param, maxLength) : null,
    }),
  );
  return JSON.stringify(kept);
}

/** What stands in the ledger. */
export function warningsIn(text: string | null): readonly KeptWarning[] {
  return text === null ? [] : (JSON.parse(text) as KeptWarning[]);
}
