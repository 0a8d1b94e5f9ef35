import { tableFile } from '../../lib/yaml-file.ts';
import type { VerdictName } from './verdicts.ts';

/** A line of `vendor-faults.yaml`. */
export interface FaultLine {
  readonly verdict: VerdictName;
  readonly status?: readonly (number | readonly [number, number])[];
  readonly names?: readonly string[];
  readonly words?: RegExp;
  readonly source: string;
}

interface Faults<Line = FaultLine> {
  readonly reply: readonly Line[];
  readonly named: readonly Line[];
}

let read: Faults | undefined;

/** The table of what vendors say when they do not answer. It is read from its file when one first does not. */
export function vendorFaults(): Faults {
  if (read) return read;
  const file = new URL('vendor-faults.yaml', import.meta.url);
  const { reply, named } = tableFile(file) as Faults<Omit<FaultLine, 'words'> & { readonly words?: string }>;
  const lines = (written: typeof reply) =>
    written.map(({ words, ...line }) => (words ? { ...line, words: new RegExp(words, 'i') } : line));
  read = { reply: lines(reply), named: lines(named) };
  return read;
}
