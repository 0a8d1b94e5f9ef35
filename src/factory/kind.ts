import type { AppFeature, AppPalette, AppSpec } from '../../generated/types.gen.ts';

/** A kind of apps, as `kinds/<kind>/kind.yaml` says it; `kinds/kind.schema.json` says what each member means. */
export interface Kind extends KindParts {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examplePrompts: readonly string[];
  readonly accent: string;
  readonly look: NonNullable<AppPalette['look']>;
  /** The name of its picture. */
  readonly icon: string;
  readonly uses: readonly SpecMember[];
  readonly features: readonly AppFeature[];
  readonly copy: Readonly<Record<string, Text>>;
  readonly variants: Readonly<Record<string, Variant>>;
}

/** What a variant can say in place of its kind. */
interface KindParts {
  readonly uses?: readonly SpecMember[];
  readonly needs?: readonly SpecMember[];
  readonly features?: readonly AppFeature[];
  readonly settings?: Readonly<Record<string, Setting>>;
  readonly entry?: string;
  readonly icon?: string;
  readonly styles?: readonly string[];
}

export interface Variant extends KindParts {
  readonly description: string;
  /** Files of an app by their paths, and those that stand for them. */
  readonly files?: Readonly<Record<string, string>>;
}

export type SpecMember = keyof AppSpec;

/** A number that an app begins with. */
export interface Setting {
  readonly description: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly step?: number;
}

/** A short text that an app shows. */
export interface Text {
  readonly description: string;
  readonly pattern?: string;
  readonly options?: readonly string[];
  readonly value?: string;
}
