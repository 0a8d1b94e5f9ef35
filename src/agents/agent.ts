import type { AgentRunRequest } from '../../generated/types.gen.ts';
import type { JsonSchema } from './tools/tool.ts';

/** A model with instructions and tools. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** As a client names it; null: the default model. */
  readonly model: string | null;
  /** What the model is told before the input. `{{name}}` stands for a variable of the run. */
  readonly instructions: string;
  /** `name` of a tool, or `source/name` or `source/*` for those of a source. */
  readonly tools: readonly string[];
  /** Maximum number of calls of the model. */
  readonly maxSteps: number;
  /** Maximum number of tokens of all calls of the model together. */
  readonly maxTokens: number;
  readonly maxSeconds: number;
  /** What `input` must fit; null for text and messages. */
  readonly inputSchema: JsonSchema | null;
  /** For its operation in the contract. */
  readonly examples: readonly AgentExample[];
}

export interface AgentExample {
  /** Its name in the contract. */
  readonly id: string;
  readonly summary: string;
  readonly input: AgentRunRequest['input'];
  readonly output: string;
}

/** What an agent has as long as nobody says otherwise. */
export const agentDefaults = {
  maxSteps: 8,
  maxTokens: 60_000,
  maxSeconds: 120,
  inputSchema: null,
  examples: [],
} as const;

/** Names of the variables in a text, each once, in the order of their appearance. */
export function variablesIn(instructions: string): readonly string[] {
  return [...new Set([...instructions.matchAll(placeholder)].map(([, name = '']) => name))];
}

export function withVariables(
  instructions: string,
  values: Readonly<Record<string, string | number | boolean>>,
): string {
  return instructions.replaceAll(placeholder, (_, name: string) => String(values[name] ?? ''));
}

const placeholder = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}/g;
