import { sql } from 'kysely';
import { dayName } from '../../lib/utc.ts';
import { type StoreError, toStoreError } from '../errors.ts';
import type { Store } from '../store.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';

/** A rule of the database that does not hold. */
export interface Finding {
  /** Name of the rule, as `usage_days_match_the_ledger`. */
  readonly rule: string;
  /** What should hold, or why it cannot be said whether it does. */
  readonly message: string;
  /** How often it is broken. */
  readonly count: number;
  /** Where, for the first ten: ids and days, no contents. */
  readonly examples: readonly string[];
}

const maxExamples = 10;

/**
 * Holds the database against what is always true of it: on SQLite every page of the file, and on both stores that the
 * tables agree with each other. Changes nothing, but that what this process has settled goes into the sums, and takes no lock that a writer would wait for; each rule is one
 * statement, which sees one moment, so it can run beside servers. On SQLite a statement blocks the event loop of
 * this process: about fifteen seconds a million requests. Rejects with `StoreError` where the database cannot be
 * reached.
 */
export async function checkStore(store: Store): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await store.ledger.sum(store.clock.now());
  for (const rule of store.dialect === 'sqlite' ? [soundPages, ...rules(store)] : rules(store)) {
    const finding = await checkRule(store, rule);
    if (finding !== null) findings.push(finding);
  }
  return findings;
}

/** It names a hundred at most (https://sqlite.org/pragma.html#pragma_integrity_check). */
const soundPages: Rule = {
  name: 'pages_are_sound',
  holds: 'Every page of the file is whole and every index has the rows of its table.',
  broken: sql`select integrity_check as problem from pragma_integrity_check
    where integrity_check <> 'ok'`,
};

async function checkRule({ db }: Store, { name, holds, broken }: Rule): Promise<Finding | null> {
  try {
    const { rows } = await sql<Record<string, string | number>>`
      select broken.*, count(*) over () as breaches from (${broken}) as broken
      limit ${sql.lit(maxExamples)}`.execute(db);
    const [first] = rows;
    if (first === undefined) return null;
    return { rule: name, message: holds, count: Number(first['breaches']), examples: rows.map(example) };
  } catch (thrown) {
    const error = toStoreError(thrown);
    if (error.failure !== 'damaged' && error.failure !== 'failed') throw error;
    return {
      rule: name,
      message: `${holds} It cannot be checked: ${reasonOf(error)}`,
      count: 1,
      examples: [],
    };
  }
}

/** The columns of a row that tell where it is. */
function example({ breaches: _, ...row }: Record<string, string | number>): string {
  return Object.entries(row)
    .map(([column, value]) => (column === 'day' ? dayName(Number(value)) : String(value)))
    .join(' ')
    .trimEnd();
}

function reasonOf({ message, cause }: StoreError): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
