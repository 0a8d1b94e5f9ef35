import type { DeclaredFeature } from '../../contract/served/declared.ts';

export type Engine = DeclaredFeature['engines'][number];
export type FeatureExample = DeclaredFeature['examples'][number];

/** What a feature takes and gives, as its declaration says: a file in `openapi/features/` or the operator's YAML. */
export interface FeatureDeclaration extends DeclaredFeature {
  readonly name: string;
  /** Maximum number of tokens in the answer of a model. */
  readonly maxTokens: number;
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
