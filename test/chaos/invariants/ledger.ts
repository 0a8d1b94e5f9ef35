import { sumColumns, tokenColumns } from '../../../src/store/token-columns.ts';
import {
  type Call,
  type Evidence,
  graceMs,
  type Instant,
  type LedgerEntry,
  type VendorCall,
} from '../evidence.ts';

/** What a request of each kind leaves in the ledger under its own id. */
const metered = new Set<Call['kind']>(['chat', 'stream', 'feature', 'agent', 'build']);

/**
 * Ledger = vendor = what clients got. A success that a client holds is a success in the ledger, with the same usage; a
 * success in the ledger is one that a client holds, unless its connection broke; what reached the vendor was admitted;
 * and no row stays open.
 */
export function ledgerIsTrue(evidence: Evidence): string[] {
  const { calls, ledger, vendor, unaccounted, onSockets } = evidence;
  const rowsOf = Map.groupBy(ledger, ({ request_id }) => request_id);
  const vendorOf = Map.groupBy(vendor, ({ id }) => id);
  const problems: string[] = [];
  for (const call of calls) {
    if (!metered.has(call.kind)) continue;
    const rows = rowsOf.get(call.id) ?? [];
    const [row] = rows;
    if (rows.length > 1) problems.push(`${name(call)} stands ${rows.length} times in the ledger`);
    if (row) problems.push(...faultsOf(call, row, vendorOf.get(call.id) ?? [], evidence));
    else if (call.outcome === 'success') problems.push(`${name(call)} succeeded and is not in the ledger`);
    else if (vendorOf.has(call.id))
      problems.push(`${name(call)} reached the vendor and is not in the ledger`);
  }
  const known = new Set(calls.map(({ id }) => id));
  for (const { request_id, tenant_id } of ledger) {
    if (!known.has(request_id) && tenant_id !== unaccounted && tenant_id !== onSockets)
      problems.push(`request ${request_id} is in the ledger and nobody sent it`);
  }
  return problems;
}

function faultsOf(
  call: Call,
  row: LedgerEntry,
  reached: readonly VendorCall[],
  { now, lives }: Evidence,
): string[] {
  const problems: string[] = [];
  // A build and a run in the background go on after their answer; the work's own invariant looks after them.
  const goesOn = call.started !== null;
  if (row.settled_at === null) {
    const life = lives.find(({ id }) => id === call.life);
    const since = Math.max(call.to, life?.to ?? 0);
    if (now - since > graceMs)
      problems.push(`${name(call)} is still open ${seconds(now - since)} after its end`);
    else if (!goesOn && life?.end === null && call.outcome === 'success' && now - call.to > 5_000) {
      problems.push(`${name(call)} was answered and its row is still open`);
    }
    return problems;
  }
  if (call.outcome === 'success' && !goesOn) {
    if (row.status !== 'succeeded') problems.push(`${name(call)} succeeded and its row says ${row.status}`);
    else if (call.usage) {
      const { prompt, completion } = call.usage;
      if (row.prompt_tokens !== prompt || row.completion_tokens !== completion) {
        const told = `${row.prompt_tokens}+${row.completion_tokens}`;
        problems.push(`${name(call)} was told ${prompt}+${completion} tokens and its row says ${told}`);
      }
    }
  }
  if (call.outcome === 'refused' && !goesOn && row.status === 'succeeded') {
    problems.push(`${name(call)} was refused (${call.status} ${call.code}) and its row says succeeded`);
  }
  if (row.status === 'interrupted' && lives.find(({ id }) => id === call.life)?.end === null) {
    problems.push(`${name(call)} is interrupted although its server lives`);
  }
  if (row.status === 'succeeded' && reached.length > 0) {
    const whole = reached.filter((each) => each.whole);
    const match = whole.some(
      ({ usage }) =>
        usage === null ||
        row.usage_source === 'estimated' ||
        (usage.prompt === row.prompt_tokens && usage.completion === row.completion_tokens),
    );
    if (!match) {
      const tokens = `${row.prompt_tokens}+${row.completion_tokens} tokens (${row.usage_source})`;
      problems.push(`${name(call)} succeeded with ${tokens}, and no whole answer of the vendor had these`);
    }
  }
  if (row.status !== 'interrupted' && row.attempts !== null && reached.length > row.attempts) {
    problems.push(
      `${name(call)} reached the vendor ${reached.length} times and tells of ${row.attempts} attempts`,
    );
  }
  return problems;
}

/**
 * The same of requests over sockets, whose rows have ids of the server's own: they are told by their tokens, which the vendor gives
 * no two requests of a round alike.
 */
export function socketsAgree({ calls, ledger, vendor, lives, now, onSockets }: Evidence): string[] {
  const asked = calls.filter(({ kind }) => kind === 'socket');
  const rows = ledger.filter(({ tenant_id }) => tenant_id === onSockets);
  const ids = new Set(asked.map(({ id }) => id));
  const reached = new Set(vendor.map(({ id }) => id).filter((id) => ids.has(id))).size;
  const unsure = asked.filter(({ outcome }) => outcome === 'unsure');
  const problems: string[] = [];
  if (rows.length > asked.length)
    problems.push(`${asked.length} requests over sockets stand ${rows.length} times in the ledger`);
  if (reached > rows.length)
    problems.push(
      `${reached} requests over sockets reached the vendor, and ${rows.length} are in the ledger`,
    );
  const left = rows.filter(({ status }) => status === 'succeeded');
  for (const call of asked) {
    if (call.outcome !== 'success') continue;
    const { prompt, completion } = call.usage ?? { prompt: null, completion: null };
    const at = left.findIndex((row) => row.prompt_tokens === prompt && row.completion_tokens === completion);
    if (at >= 0) left.splice(at, 1);
    else problems.push(`${name(call)} was told ${prompt}+${completion} tokens, and no row says so`);
  }
  if (left.length > unsure.length)
    problems.push(`${left.length} successes over sockets that no client holds, of ${unsure.length} that may`);
  const killed = new Set(lives.filter(({ end }) => end !== null).map(({ id }) => id));
  const interrupted = rows.filter(({ status }) => status === 'interrupted').length;
  if (interrupted > unsure.filter(({ life }) => killed.has(life)).length)
    problems.push(`${interrupted} requests over sockets are interrupted, more than their servers ended with`);
  const over = Math.max(...asked.map(({ to }) => to), ...lives.map(({ to }) => to ?? 0));
  const open = rows.filter(({ settled_at }) => settled_at === null).length;
  if (open > 0 && now - over > graceMs)
    problems.push(`${open} requests over sockets are still open ${seconds(now - over)} after their end`);
  return problems;
}

/** The daily sums are those of the rows that are settled, and in the sums of their process. */
export function sumsAreRight({ ledger, sums }: Evidence): string[] {
  const expected = new Map<string, Map<string, number>>();
  const add = (key: string, field: string, amount: number) => {
    const fields = expected.get(key) ?? new Map<string, number>();
    fields.set(field, (fields.get(field) ?? 0) + amount);
    expected.set(key, fields);
  };
  for (const row of ledger) {
    if (row.summed_as === null) continue;
    const key = `${row.tenant_id} ${row.operation}`;
    add(key, 'requests', 1);
    add(key, row.summed_as, 1);
    if (row.summed_as !== row.status) continue;
    for (const column of tokenColumns) add(key, column, row[column] ?? 0);
    add(key, 'cost_micro_usd', row.cost_micro_usd ?? 0);
    if (row.usage_source !== null && row.cost_micro_usd === null) add(key, 'unpriced', 1);
  }
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const sum of sums) {
    const key = `${sum.tenant_id} ${sum.operation}`;
    seen.add(key);
    for (const field of sumColumns) {
      const right = expected.get(key)?.get(field) ?? 0;
      if (sum[field] !== right)
        problems.push(`${key}: ${field} sums up to ${sum[field]}, its rows to ${right}`);
    }
  }
  for (const key of expected.keys()) if (!seen.has(key)) problems.push(`${key}: no sums at all`);
  return problems;
}

const name = ({ id, kind }: Call) => `${kind} ${id}`;
const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

const minute = 60_000;

/**
 * Never more than a tenant's requests per minute in any 60 seconds of true time, and never more at the same time than it
 * may have. What was admitted is what stands in the ledger; when is known from the client's clock (between the request's
 * first byte and the end of its answer, or its arrival at the vendor), which no fault touches.
 */
export function limitsHold({ calls, ledger, tenants, vendor }: Evidence): string[] {
  const callOf = new Map(calls.map((call) => [call.id, call]));
  const vendorOf = Map.groupBy(vendor, ({ id }) => id);
  const rowsOf = Map.groupBy(ledger, ({ tenant_id }) => tenant_id);
  const problems: string[] = [];
  for (const { id, perMinute, concurrent } of tenants) {
    const admitted = (rowsOf.get(id) ?? []).flatMap(({ request_id }) => {
      const call = callOf.get(request_id);
      return call ? [{ from: call.from, to: admittedBy(call, vendorOf.get(request_id)) }] : [];
    });
    const succeeded = calls.filter((call) => call.tenant === id && call.outcome === 'success');
    if (perMinute !== null) {
      const most = Math.max(maxWithin(admitted, minute), maxWithin(succeeded, minute));
      if (most > perMinute)
        problems.push(`tenant ${id}: ${most} admitted in 60 s at a limit of ${perMinute}`);
    }
    if (concurrent !== null) {
      // Of a request that was sent to the vendor again, the vendor may still be at what the server has given up.
      const open = succeeded.flatMap(({ id: request }) => {
        const attempts = vendorOf.get(request) ?? [];
        return attempts.length === 1 ? attempts.filter(({ whole }) => whole) : [];
      });
      const most = maxAtOnce(open.map(({ from, to }) => ({ from, to: to ?? from })));
      if (most > concurrent) problems.push(`tenant ${id}: ${most} at once at a limit of ${concurrent}`);
    }
  }
  return problems;
}

/**
 * When a request was admitted at the latest. One whose client has left without an answer may be admitted after that, and is
 * for certain only once it has reached the vendor.
 */
function admittedBy(call: Call, reached: readonly VendorCall[] = []): Instant {
  if (call.outcome !== 'unsure') return call.to;
  return Math.min(...reached.map(({ from }) => from));
}

interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** How many happened for certain within some window of this length: those that neither begin before nor end after it. */
export function maxWithin(spans: readonly Span[], windowMs: number): number {
  const byEnd = spans.toSorted((one, other) => one.to - other.to);
  let most = 0;
  for (const { from } of spans) {
    let count = 0;
    for (const span of byEnd) {
      if (span.to >= from + windowMs) break;
      if (span.from >= from) count += 1;
    }
    most = Math.max(most, count);
  }
  return most;
}

export function maxAtOnce(spans: readonly Span[]): number {
  const steps = spans.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  steps.sort((one, other) => one.at - other.at || one.by - other.by);
  let open = 0;
  let most = 0;
  for (const { by } of steps) {
    open += by;
    most = Math.max(most, open);
  }
  return most;
}
