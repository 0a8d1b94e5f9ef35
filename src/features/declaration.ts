import type { JsonSchema } from '../lib/json-schema.ts';

export type Engine = 'model' | 'local';

/** What a feature takes and gives, as its declaration says: a file in `openapi/features/` or the operator's YAML. */
export interface FeatureDeclaration {
  /** Its name in the path: lower-case letters, digits and `-`. */
  readonly id: string;
  readonly name: string;
  /** What it does in at most eight words. */
  readonly summary: string;
  /** What it does, in Markdown. */
  readonly description: string;
  /** What it can run on, the preferred engine first. */
  readonly engines: readonly Engine[];
  /** JSON Schema without `$ref` of the object that it takes. */
  readonly input: JsonSchema;
  /** JSON Schema without `$ref` of the object that it gives. */
  readonly output: JsonSchema;
  /** The one field of the output, where that is a text: the model writes plain text, and it can be streamed. */
  readonly textOutput: string | null;
  /** Maximum number of tokens in the answer of a model. */
  readonly maxTokens: number;
  readonly examples: readonly FeatureExample[];
}

export interface FeatureExample {
  /** Its name in the contract. */
  readonly id: string;
  readonly summary: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
}

/** A feature that the operator has declared. */
export interface OwnFeature extends FeatureDeclaration {
  /** What the model is asked, with `{{input.field}}` where the input goes. */
  readonly prompt: string;
  /** The model that answers unless the call names one; null: the default model. */
  readonly model: string | null;
  /** 0 to 2; null: what suits the output. */
  readonly temperature: number | null;
}
