import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { costOf, type Price, type PriceBook, type PriceHistory, type PriceOf } from '../../model/usage.ts';
import type { Finding } from '../../store/check/check-store.ts';
import { addRows, findRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { sumsIn, tokensOf } from './settlements.ts';

/** The prices of a book, for every request. */
export function priceOfIn(book: PriceBook, now: () => number): PriceOf {
  return (provider, model, at) => {
    const history = book[`${provider}/${model}`];
    if (history === undefined) return null;
    const { changes } = history;
    if (changes === undefined) return history;
    const moment = at ?? now();
    return changes.findLast(({ from }) => from <= moment)?.price ?? history;
  };
}

/** A price as it is kept with the ledger. */
interface PriceVersion {
  /** 16 hexadecimal digits: the same for the same rates of the same model, whichever process reckons. */
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly price: Price;
}

/** Every price of a book, those of the future included. */
export function versionsIn(book: PriceBook): readonly PriceVersion[] {
  return Object.entries(book).flatMap(([name, history]) => {
    const slash = name.indexOf('/');
    const provider = name.slice(0, slash);
    const model = name.slice(slash + 1);
    const { changes = [], ...first } = history;
    return [first, ...changes.map(({ price }) => price)].map((price) => ({
      id: versionOf(price, provider, model),
      provider,
      model,
      price,
    }));
  });
}

const known = new WeakMap<Price, Map<string, string>>();

/** The id of a price of a model, which is a digest of both. */
export function versionOf(price: Price, provider: string, model: string): string {
  let ids = known.get(price);
  if (ids === undefined) {
    ids = new Map();
    known.set(price, ids);
  }
  const name = `${provider}/${model}`;
  let id = ids.get(name);
  if (id === undefined) {
    id = createHash('sha256')
      .update(JSON.stringify([name, canonical(price)]))
      .digest('hex')
      .slice(0, 16);
    ids.set(name, id);
  }
  return id;
}

/** The rates in one order, without what is no part of the price. */
function canonical({ tiers, ...rest }: PriceHistory): unknown {
  const { changes: _, ...rates } = rest;
  return [sorted(rates), (tiers ?? []).map(sorted)];
}

function sorted(rates: object): readonly (readonly [string, number])[] {
  return Object.entries(rates as Record<string, number>).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Rows of one statement. */
const batch = 500;

/**
 * Writes down the prices of a book that the database does not have yet, so that what is reckoned by them can be reckoned again.
 * Done before the first request is: from then on nothing of it is written. Rejects with what the database throws.
 */
export async function keepPrices({ db, clock }: Store, book: PriceBook): Promise<void> {
  const created_at = clock.now();
  const rows = versionsIn(book).map(({ id, provider, model, price }) => ({
    id,
    provider,
    model,
    rates: JSON.stringify(price),
    created_at,
  }));
  for (let at = 0; at < rows.length; at += batch)
    await addRows(db, 'prices', rows.slice(at, at + batch), { unlessThere: true });
}

/** How many of the latest requests are reckoned again. */
const checked = 10_000;
const maxExamples = 10;

/**
 * Reckons the latest requests again, each by the price that its row names. One that called several models is only held to naming
 * prices that are known, as its row has the sum of their tokens. Changes nothing. Rejects with what the database throws.
 */
export async function checkPrices({ db }: Store): Promise<readonly Finding[]> {
  const kept = await findRows(db, 'prices', {});
  const prices = new Map(kept.map(({ id, rates }) => [id, JSON.parse(rates) as Price]));
  const latest = sql`and price_versions is not null order by created_at desc limit ${checked}`;
  const rows = await findRows(db, 'settled', {}, latest);
  const unknown: string[] = [];
  const wrong: string[] = [];
  for (const row of rows) {
    const where = `tenant_id=${row.tenant_id} id=${row.id}`;
    const [first = '', ...others] = (row.price_versions ?? '').split(' ');
    const price = prices.get(first);
    if (price === undefined || others.some((id) => !prices.has(id))) unknown.push(where);
    else if (others.length === 0 && costOf(price, tokensOf(sumsIn(row))) !== row.cost_micro_usd)
      wrong.push(where);
  }
  return [
    ...finding('ledger_names_known_prices', 'The prices that a request was reckoned by are kept.', unknown),
    ...finding(
      'ledger_costs_are_price_times_tokens',
      'A request costs what its tokens cost at the price that it names.',
      wrong,
    ),
  ];
}

function finding(rule: string, message: string, places: readonly string[]): readonly Finding[] {
  if (places.length === 0) return [];
  return [{ rule, message, count: places.length, examples: places.slice(0, maxExamples) }];
}
