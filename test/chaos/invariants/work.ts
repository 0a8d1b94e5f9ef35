import { type Evidence, graceMs, type Work, type WorkEvent } from '../evidence.ts';

const terminal = new Set(['job.succeeded', 'job.failed', 'job.unsure', 'job.cancelled', 'end']);

/**
 * Each build and run that was accepted exists, has events numbered from 1 without gaps, and ends with exactly one terminal
 * event; none is begun again, or ended as interrupted, while the server that has it lives and can use the database.
 */
export function workEndsOnce({ work, events, calls, lives, outages, now }: Evidence): string[] {
  const eventsOf = Map.groupBy(events, (event) => event.work);
  const callOf = new Map(calls.map((call) => [call.id, call]));
  const ended = [...lives.flatMap(({ to }) => (to === null ? [] : [to])), ...outages.map(({ to }) => to)];
  const problems: string[] = [];
  for (const each of work) {
    const call = callOf.get(each.request_id);
    problems.push(...faultsOf(each, eventsOf.get(each.id) ?? []));
    if (each.finished_at === null) {
      const since = Math.max(call?.to ?? 0, ...lives.map(({ to }) => to ?? 0));
      if (call && now - since > graceMs) {
        problems.push(
          `${name(each)} has not ended ${Math.round((now - since) / 1000)} s after the last fault`,
        );
      }
    }
    if (!call) continue;
    // Who runs a build is whoever takes it first, so a second attempt needs a server that ended, whichever it was.
    if (each.kind === 'build' && each.attempt > 1 && !ended.some((at) => at > call.from)) {
      problems.push(`${name(each)} was begun ${each.attempt} times although no server ended`);
    }
    const life = lives.find(({ id }) => id === call.life);
    const undisturbed = life?.end === null && !outages.some(({ to }) => to > call.from);
    if (each.kind === 'run' && each.status === 'interrupted' && undisturbed) {
      problems.push(`${name(each)} is interrupted although its server lives`);
    }
  }
  const known = new Set(work.map(({ id }) => id));
  for (const { started, kind, id } of calls) {
    if (started !== null && !known.has(started))
      problems.push(`${kind} ${id}: ${started} was accepted and is gone`);
  }
  return problems;
}

function faultsOf(work: Work, events: readonly WorkEvent[]): string[] {
  const problems: string[] = [];
  const order = events.toSorted((one, other) => one.seq - other.seq);
  const gap = order.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap >= 0) problems.push(`${name(work)}: event ${gap + 1} is missing or doubled`);
  if (work.count !== order.length) {
    problems.push(`${name(work)}: its row counts ${work.count} events, there are ${order.length}`);
  }
  const ends = order.filter(({ type }) => terminal.has(type));
  if (work.finished_at === null) {
    if (ends.length > 0) problems.push(`${name(work)} has a terminal event and goes on`);
    return problems;
  }
  if (ends.length !== 1) problems.push(`${name(work)} has ${ends.length} terminal events`);
  else if (ends[0] !== order.at(-1)) problems.push(`${name(work)} has events after its terminal one`);
  else if (work.kind === 'build' && ends[0]?.type !== `job.${work.status}`) {
    problems.push(`${name(work)} is ${work.status} and its last event ${ends[0]?.type}`);
  }
  return problems;
}

const name = ({ id, kind }: Work) => `${kind} ${id}`;
