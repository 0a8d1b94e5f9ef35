import type { Call, Evidence, Instant, VendorCall } from '../evidence.ts';

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
