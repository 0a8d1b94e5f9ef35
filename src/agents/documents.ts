/** Puts the operator's agents into the documents that the server publishes. */
import type { Manifest } from '../../generated/types.gen.ts';
import { withListed, withRequests } from '../contract/own-operations.ts';
import type { Agent } from './agent.ts';
import { bodyOf, examplesOf, runPathOf, summaryOf } from './contract.ts';

/** The manifest with the operation of each agent. */
export function manifestWith<T extends Pick<Manifest, 'operations'>>(
  manifest: T,
  agents: readonly Agent[],
  operationIds: readonly string[],
): T {
  const listed = agents.map((agent, n) => ({
    operationId: operationIds[n] ?? agent.id,
    path: runPathOf(agent.id),
    summary: summaryOf(agent),
    streams: true,
  }));
  return withListed(manifest, 'runAgent', listed);
}

/** The Postman collection with a request for each example of each agent, or one to be filled in where it has none. */
export function postmanWith(text: string, agents: readonly Agent[]): string {
  const added = agents.flatMap((agent) => {
    const examples = examplesOf(agent);
    const shown = examples.length > 0 ? examples : [{ id: 'input', summary: 'Your input', input: {} }];
    return shown.map((example) => ({
      key: ['agent', agent.id, example.id],
      path: runPathOf(agent.id),
      summary: summaryOf(agent),
      example: example.summary,
      description: agent.description,
      body: bodyOf(agent, example),
    }));
  });
  return withRequests(text, runPathOf(':agent_id'), added);
}
