import type { Warning, WarningCode } from '../../../generated/types.gen.ts';
import type { OutgoingProxy } from '../../lib/outgoing.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { ModelCall, ServerTimeLimits, TemperatureRange } from '../../model/port.ts';
import type { DialectSettings } from '../dialects/rules.ts';

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
  /** The name of the cap on the answer on the OpenAI wire; vendors differ. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Maximum number of connections held to it at once. */
  readonly connections: number;
  /** The operator's settings of the vendor's dialect; left out: derived from the address, or else the model. */
  readonly dialect?: DialectSettings;
  /** Whether `GET /v1/models` also shows what its vendor lists at the moment; no if left out. */
  readonly discover?: boolean;
  /** Whether it takes Responses over a WebSocket too, which those of clients then reach; no if left out. */
  readonly responsesSocket?: boolean;
}

/** A model that is known by name. */
export interface ModelSettings {
  readonly id: string;
  readonly provider: string;
  /** The vendor's own name of it. */
  readonly model: string;
  /** The range of its temperature; null: derived from its name. */
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
  readonly timeLimits: ServerTimeLimits;
  /** Maximum number of attempts of one request, over retries and fallbacks together. */
  readonly maxAttempts: number;
  /** Left out: vendors are reached directly. */
  readonly proxy?: OutgoingProxy;
}

/** Where a vendor has one of its wires, and how it knows us there. */
export interface Endpoint {
  /**
   * The path of something on this wire, from the root of the vendor's host.
   * @param suffix such as `/chat/completions`
   * @param model the vendor's own name of the model that is asked, for vendors that have it in the path
   */
  path(suffix: string, model: string): string;
  /** Credentials, and what the wire asks of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

export function endpointOf(provider: ProviderSettings, wire: VendorWire): Endpoint {
  const { apiKey, azureApiVersion } = provider;
  const base = new URL(provider.baseUrl).pathname.replace(/\/+$/, '');
  switch (wire) {
    case 'anthropic': {
      // Anthropic's own clients take the address without the version, ours with it; both will do.
      const root = /\/v\d+$/.test(base) ? base : `${base}/v1`;
      return {
        path: (suffix) => root + suffix,
        headers: { ...(apiKey !== null && { 'x-api-key': apiKey }), 'anthropic-version': '2023-06-01' },
      };
    }
    case 'gemini': {
      // The address of its OpenAI-compatible interface, which is what this server asks for, lies below that of its own.
      const root = base.replace(/\/openai$/, '');
      return {
        path: (suffix) => root + suffix,
        headers: apiKey === null ? {} : { 'x-goog-api-key': apiKey },
      };
    }
    default:
      // https://learn.microsoft.com/azure/ai-services/openai/reference
      if (azureApiVersion !== null)
        return {
          path(suffix, model) {
            // Responses name their deployment in the body, as the model.
            const deployment = wire === 'openai-responses' ? '' : `/deployments/${encodeURIComponent(model)}`;
            return `${base}/openai${deployment}${suffix}?api-version=${azureApiVersion}`;
          },
          headers: apiKey === null ? {} : { 'api-key': apiKey },
        };
      return {
        path: (suffix) => base + suffix,
        headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      };
  }
}

/** Keys warnings where one field can have several. */
export const byMessage = ({ code, message }: Warning): string => `${code} ${message}`;

const unusable = {
  thinking: ['thinking_removed', 'cannot use the thinking of another model; it was left out.'],
  citations: ['content_adapted', 'cannot be shown the citations of an earlier answer; they were left out.'],
  extraContent: [
    'extra_content_ignored',
    "has no use for the extra_content of another provider's tool calls; it was left out.",
  ],
} as const;

/** The adaptations of a call, each reported once. */
export class Adaptations {
  readonly #model: string;
  readonly #keyOf: (warning: Warning) => string;
  readonly #warnings = new Map<string, Warning>();

  /** @param keyOf warnings with the same key are one, of which the first is reported; default: their code and field */
  constructor(model: string, keyOf = ({ code, param }: Warning) => `${code} ${param}`) {
    this.#model = model;
    this.#keyOf = keyOf;
  }

  /** @param said what follows the name of the model */
  tell(code: WarningCode, param: string, said: string): void {
    this.add({ code, message: `${this.#model} ${said}`, param });
  }

  /** A setting that the model does not take with this value; undefined: it was not set. */
  ignored(param: string, value: number | string | undefined): void {
    if (value === undefined) return;
    this.tell('parameter_ignored', param, `takes no ${param} of ${JSON.stringify(value)}; it was left out.`);
  }

  /** Parts of earlier answers that only the model that gave them could use. */
  leftOut(what: keyof typeof unusable): void {
    const [code, said] = unusable[what];
    this.tell(code, 'messages', said);
  }

  add(warning: Warning): void {
    const key = this.#keyOf(warning);
    if (!this.#warnings.has(key)) this.#warnings.set(key, warning);
  }

  get warnings(): Warning[] {
    return [...this.#warnings.values()];
  }
}

/** The temperature in the range that the model takes, with a warning where the client had chosen another; undefined: send none. */
export function fitTemperature(
  { temperature, temperatureGiven }: ModelCall,
  range: TemperatureRange,
  notes: Adaptations,
): number | undefined {
  if (temperature === undefined || (range !== 'unsupported' && temperature <= range.max)) return temperature;
  const fitted = range === 'unsupported' ? undefined : range.max;
  if (!temperatureGiven) return fitted;
  if (range === 'unsupported')
    notes.tell('temperature_ignored', 'temperature', `takes no temperature; ${temperature} was left out.`);
  else {
    const said = `takes a temperature of 0 to ${range.max}; ${temperature} was lowered to ${range.max}.`;
    notes.tell('temperature_adapted', 'temperature', said);
  }
  return fitted;
}
