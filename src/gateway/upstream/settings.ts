import type { VendorWire } from '../../model/parts.ts';
import type { TemperatureRange, TimeLimits } from '../../model/port.ts';

/** A vendor's account: where it is, what it speaks and which names belong to it. */
export interface ProviderSettings {
  /** Name in `provider/model`, for example `openai` or `groq`. */
  readonly id: string;
  /**
   * The wires that it speaks, of which `/v1/chat` uses the first: a client that speaks one of them too gets its answers byte by
   * byte. At least one.
   */
  readonly speaks: readonly [VendorWire, ...VendorWire[]];
  /** For Azure OpenAI, which has its models as deployments in the path: the version of its interface. Null: any other. */
  readonly azureApiVersion: string | null;
  /** Address with its version, for example `https://api.openai.com/v1`. On the Anthropic wire it may lack the version. */
  readonly baseUrl: string;
  /** Null for a vendor that takes no key, such as a local one. */
  readonly apiKey: string | null;
  /** Name patterns that are routed here, `*` standing for any text, for example `gpt-*`. */
  readonly patterns: readonly string[];
  /** What the OpenAI wire calls the cap on the answer; vendors differ. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Maximum number of connections held to it at once. */
  readonly connections: number;
  /** Whether `GET /v1/models` also shows what its vendor lists at the moment; no if left out. */
  readonly discover?: boolean;
}

/** A model that is known by name. */
export interface ModelSettings {
  readonly id: string;
  readonly provider: string;
  /** The vendor's own name of it. */
  readonly model: string;
  /** What it takes as temperature; null where its name tells. */
  readonly temperature: TemperatureRange | null;
  /** Names that are tried in turn when it fails before its first byte. */
  readonly fallbacks: readonly string[];
}

/** Everything that the operator decides about models. */
export interface ModelsSettings {
  /** Configured vendors. When there is none, the sandbox answers every name. */
  readonly providers: readonly ProviderSettings[];
  readonly models: readonly ModelSettings[];
  /** Name -> the name that it stands for. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Answers variant B without `model`; null: the first model of the first provider, or the sandbox. */
  readonly defaultModel: string | null;
  readonly timeLimits: TimeLimits;
  /** Maximum number of attempts of one request, over retries and fallbacks together. */
  readonly maxAttempts: number;
}
