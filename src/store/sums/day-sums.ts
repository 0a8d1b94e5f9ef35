import { dayOf } from '../../lib/utc.ts';
import type { SettledRow, UsageSumRow, UsageTagDayRow } from '../schema.ts';
import { byName, type SumColumn, sumColumns, type TokenColumn, tokenColumns } from '../token-columns.ts';

/** The fields of a settled request that enter the sums. */
export interface Summed extends Readonly<Record<TokenColumn, number | null>> {
  readonly tenant_id: string;
  readonly created_at: number;
  readonly key_id: string;
  readonly operation: string;
  /** JSON object; null: it has none. */
  readonly tags: string | null;
  readonly status: SettledRow['status'];
  readonly provider: string | null;
  readonly model: string | null;
  readonly usage_source: string | null;
  readonly cost_micro_usd: number | null;
}

type Sums = Record<SumColumn, number>;

const nothing = byName(sumColumns, () => 0);

/** Sums of days as they come together in memory. */
export class DaySums {
  readonly #usage = new Map<string, UsageSumRow>();
  readonly #tags = new Map<string, UsageTagDayRow>();

  get size(): number {
    return this.#usage.size + this.#tags.size;
  }

  add(request: Summed): void {
    const { tenant_id, created_at, key_id, operation, tags } = request;
    const day = dayOf(created_at);
    const provider = request.provider ?? '';
    const model = request.model ?? '';
    const key = `${tenant_id}\n${day}\n${key_id}\n${operation}\n${provider}\n${model}`;
    let row = this.#usage.get(key);
    if (row === undefined) {
      row = { tenant_id, day, key_id, operation, provider, model, ...nothing };
      this.#usage.set(key, row);
    }
    countIn(row, request);
    if (tags !== null) for (const sums of this.#tagged(tenant_id, day, tags, model)) countIn(sums, request);
  }

  /** Takes one back that was counted as interrupted, when no model was known. */
  takeBack({ tenant_id, created_at, key_id, operation, tags }: Omit<Summed, 'status'>): void {
    const before = new DaySums();
    before.add(interrupted({ tenant_id, created_at, key_id, operation, tags }));
    for (const row of before.usage()) this.#subtract(this.#usage, keyOf(row), row);
    for (const row of before.tags()) this.#subtract(this.#tags, tagKeyOf(row), row);
  }

  /** In the order of their keys, so that two processes that write them cannot wait for each other. */
  usage(): UsageSumRow[] {
    return sorted(this.#usage);
  }

  tags(): UsageTagDayRow[] {
    return sorted(this.#tags);
  }

  /** Has sums of tags count under another name or value. */
  placeTags(placeOf: (row: UsageTagDayRow) => Pick<UsageTagDayRow, 'tag' | 'value'>): void {
    const rows = [...this.#tags.values()];
    this.#tags.clear();
    for (const row of rows) {
      const { tag, value } = placeOf(row);
      const moved = { ...row, tag, value };
      const found = this.#tags.get(tagKeyOf(moved));
      if (found === undefined) this.#tags.set(tagKeyOf(moved), moved);
      else for (const name of sumColumns) found[name] += row[name];
    }
  }

  *#tagged(tenant_id: string, day: number, tags: string, model: string): Generator<Sums> {
    for (const [tag, value] of Object.entries(JSON.parse(tags) as Record<string, string>)) {
      const row = { tenant_id, day, tag, value, model, ...nothing };
      const key = tagKeyOf(row);
      const found = this.#tags.get(key) ?? row;
      this.#tags.set(key, found);
      yield found;
    }
  }

  #subtract<Row extends Sums>(all: Map<string, Row>, key: string, row: Row): void {
    const found = all.get(key) ?? { ...row, ...nothing };
    all.set(key, found);
    for (const name of sumColumns) (found as Sums)[name] -= row[name];
  }
}

/** The outcome of a request whose process has ended. */
export function interrupted(
  begun: Pick<Summed, 'tenant_id' | 'created_at' | 'key_id' | 'operation' | 'tags'>,
): Summed {
  return {
    ...begun,
    ...byName(tokenColumns, () => null),
    status: 'interrupted',
    provider: null,
    model: null,
    usage_source: null,
    cost_micro_usd: null,
  };
}

/** Counts a request in. */
export function countIn(sums: Sums, request: Omit<Summed, 'tags'>): void {
  sums.requests += 1;
  sums[request.status] += 1;
  for (const name of tokenColumns) sums[name] += request[name] ?? 0;
  sums.cost_micro_usd += request.cost_micro_usd ?? 0;
  if (request.usage_source !== null && request.cost_micro_usd === null) sums.unpriced += 1;
}

function keyOf({ tenant_id, day, key_id, operation, provider, model }: UsageSumRow): string {
  return `${tenant_id}\n${day}\n${key_id}\n${operation}\n${provider}\n${model}`;
}

function tagKeyOf({ tenant_id, day, tag, value, model }: Omit<UsageTagDayRow, SumColumn>): string {
  return `${tenant_id}\n${day}\n${JSON.stringify(tag)}\n${JSON.stringify(value)}\n${model}`;
}

function sorted<Row>(all: ReadonlyMap<string, Row>): Row[] {
  return [...all.keys()].sort().map((key) => all.get(key) as Row);
}
