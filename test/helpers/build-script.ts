import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerResponse } from 'node:http';
import { parse } from 'yaml';
import type { BuildEvent } from '../../generated/types.gen.ts';

const file = path.join(import.meta.dirname, '../../openapi/examples/builds.yaml');
const examples = parse(readFileSync(file, 'utf8')) as Record<string, { value: unknown }>;

/** The build that the contract's examples tell of. */
export const exampleJobId = 'job_5x2k8q0v7c3m9r1t6w4y0z8b2d';

/** An event as the contract's example shows it, with something else in it. */
export function exampleEvent(name: string, changes: Record<string, unknown> = {}): BuildEvent {
  return { ...(examples[name]?.value as BuildEvent), ...changes } as BuildEvent;
}

/** Begins to answer as the engine does. */
export function openStream(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'x-job-id': exampleJobId });
  res.flushHeaders();
}

export function tell(res: ServerResponse, ...events: readonly BuildEvent[]): void {
  for (const event of events) res.write(`data: ${JSON.stringify(event)}\n\n`);
}
