import type { AgentRunRequest } from '../../../generated/types.gen.ts';
import type * as Contract from '../../contract/served/declared.ts';

/** A model with instructions and tools. */
export interface Agent extends Contract.DeclaredAgent {
  /** As a client names it; null: the default model. */
  readonly model: string | null;
  /** `name` of a tool, or `source/name` or `source/*` for those of a source. */
  readonly tools: readonly string[];
  /** For its operation in the contract. */
  readonly examples: readonly AgentExample[];
}

export interface AgentExample extends Contract.AgentExample {
  readonly input: AgentRunRequest['input'];
}

/** What an agent has as long as nobody says otherwise. */
export const agentDefaults = {
  maxSteps: 8,
  maxTokens: 60_000,
  maxSeconds: 120,
  inputSchema: null,
  examples: [],
} as const;
