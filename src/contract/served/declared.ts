/** What is made into operations of their own in the contract: AI features and agents, built in or of the operator. */
import type { JsonSchema } from '../../lib/json-schema.ts';

/** An AI feature, as far as the contract says it. */
export interface DeclaredFeature {
  /** Its name in the path: lower-case letters, digits and `-`. */
  readonly id: string;
  /** What it does in at most eight words. */
  readonly summary: string;
  /** What it does, in Markdown. */
  readonly description: string;
  /** What it can run on, the preferred engine first. */
  readonly engines: readonly ('model' | 'local')[];
  /** JSON Schema without `$ref` of the object that it takes. */
  readonly input: JsonSchema;
  /** JSON Schema without `$ref` of the object that it gives. */
  readonly output: JsonSchema;
  /** The one field of the output, where that is a text, which can be streamed. */
  readonly textOutput: string | null;
  readonly examples: readonly FeatureExample[];
}

interface FeatureExample {
  /** Its name in the contract. */
  readonly id: string;
  readonly summary: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
}

/** An agent, as far as the contract says it. */
export interface DeclaredAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** What the model is told before the input. `{{name}}` stands for a variable of the run. */
  readonly instructions: string;
  /** Maximum number of calls of the model. */
  readonly maxSteps: number;
  /** Maximum number of tokens of all calls of the model together. */
  readonly maxTokens: number;
  readonly maxSeconds: number;
  /** What `input` must fit; null for text and messages. */
  readonly inputSchema: JsonSchema | null;
  readonly examples: readonly AgentExample[];
}

export interface AgentExample {
  /** Its name in the contract. */
  readonly id: string;
  readonly summary: string;
  readonly input: unknown;
  readonly output: string;
}
