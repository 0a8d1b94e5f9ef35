import { builtInAgents } from '../../src/services/agents/open-agents.ts';

/** TypeScript source of the operations that the built-in agents have in the contract. */
export function agentsSource(operationIds: readonly string[]): string {
  return [
    '/** Operation -> the agent that it runs. */',
    'export const agentOperations = {',
    ...builtInAgents.map(({ id }, n) => `  ${operationIds[n]}: '${id}',`),
    '} as const;',
    '',
  ].join('\n');
}
