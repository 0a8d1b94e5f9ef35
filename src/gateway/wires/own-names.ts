import type { Warning } from '../../../generated/types.gen.ts';
import { isObject } from '../../lib/json.ts';
import type { VendorWire } from '../../model/parts.ts';

/** The names of a field on a wire, the usual one first. */
type Names = Partial<Record<VendorWire, readonly [string, ...string[]]>>;

const inGemini = (name: string): Names => ({ gemini: [`generationConfig.${name}`] });

const form: Names = {
  'openai-responses': ['text.format'],
  anthropic: ['output_config.format'],
  gemini: ['generationConfig.responseJsonSchema', 'generationConfig.responseSchema'],
};
const cited: Names = {
  'openai-chat': ['messages[].annotations'],
  'openai-responses': ['input[].content[].annotations'],
  anthropic: ['messages[].content[].citations'],
};
const parallel: Names = {
  'openai-chat': ['parallel_tool_calls'],
  'openai-responses': ['parallel_tool_calls'],
  anthropic: ['tool_choice.disable_parallel_tool_use'],
};

/** The names of fields on the wires of clients, where they differ from our own terms, which adapters use. */
const names: Readonly<Record<string, Names>> = {
  messages: { 'openai-responses': ['input'], gemini: ['contents'] },
  name: { 'openai-chat': ['messages[].name'] },
  citations: cited,
  detail: {
    'openai-chat': ['messages[].content[].image_url.detail'],
    'openai-responses': ['input[].content[].detail'],
    gemini: ['generationConfig.mediaResolution'],
  },
  max_tokens: {
    'openai-chat': ['max_tokens', 'max_completion_tokens'],
    'openai-responses': ['max_output_tokens'],
    ...inGemini('maxOutputTokens'),
  },
  temperature: inGemini('temperature'),
  top_p: inGemini('topP'),
  top_k: inGemini('topK'),
  stop: { anthropic: ['stop_sequences'], ...inGemini('stopSequences') },
  seed: inGemini('seed'),
  frequency_penalty: inGemini('frequencyPenalty'),
  presence_penalty: inGemini('presencePenalty'),
  response_format: form,
  'response_format.type': form,
  thinking: {
    'openai-chat': ['reasoning_effort'],
    'openai-responses': ['reasoning.effort', 'reasoning'],
    anthropic: ['thinking', 'output_config.effort'],
    ...inGemini('thinkingConfig'),
  },
  verbosity: { 'openai-responses': ['text.verbosity'] },
  service_tier: { gemini: ['serviceTier', 'service_tier'] },
  user: {
    'openai-chat': ['user', 'safety_identifier'],
    'openai-responses': ['safety_identifier', 'user'],
    anthropic: ['metadata.user_id'],
  },
  parallel_tool_calls: parallel,
  disable_parallel_tool_use: parallel,
  tool_choice: { gemini: ['toolConfig.functionCallingConfig'] },
};

/** The path of a field of our own terms in the requests of a wire; undefined where it is the same. */
export function nameOnWire(
  own: string,
  wire: VendorWire,
  body: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const known = Object.hasOwn(names, own) ? names[own]?.[wire] : undefined;
  return known?.find((name) => isIn(body, name)) ?? known?.[0];
}

/** Warnings of an adapter, about the fields as the client has called them. */
export function withNamesOnWire(
  warnings: readonly Warning[],
  wire: VendorWire,
  body: Readonly<Record<string, unknown>>,
): readonly Warning[] {
  return warnings.map((warning) => {
    const name = typeof warning.param === 'string' ? nameOnWire(warning.param, wire, body) : undefined;
    return name === undefined || name === warning.param ? warning : { ...warning, param: name };
  });
}

/** Whether the field at a path without lists is there. */
function isIn(body: Readonly<Record<string, unknown>>, path: string): boolean {
  const found = path
    .split('.')
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
  return found !== undefined && found !== null;
}

/** The adapters' names of fields that clients call otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  disable_parallel_tool_use: 'parallel_tool_calls',
  safety_identifier: 'user',
  user_id: 'user',
};

/**
 * The warnings of the table of fields and of an adapter; if both concern a field, only the table's.
 * @param named gives those of an adapter the names that the client's wire has
 */
export function toldOnce(
  judged: readonly Warning[],
  adapted: readonly Warning[],
  named: (adapted: readonly Warning[]) => readonly Warning[] = (same) => same,
): readonly Warning[] {
  if (judged.length === 0) return named(adapted);
  const dropped = new Set(judged.flatMap(({ param }) => (param ? [nameIn(param)] : [])));
  const others = adapted.filter(
    ({ code, param }) => code !== 'parameter_ignored' || !dropped.has(param ?? ''),
  );
  return [...judged, ...named(others)];
}

function nameIn(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return otherNames[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
