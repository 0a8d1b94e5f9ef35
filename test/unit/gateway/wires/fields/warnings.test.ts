import { describe, expect, it } from 'vitest';
import type { Warning } from '../../../../../generated/types.gen.ts';
import { toldOnce } from '../../../../../src/gateway/wires/fields/warnings.ts';
import { withNamesOnWire } from '../../../../../src/gateway/wires/own-names.ts';
import type { VendorWire } from '../../../../../src/model/parts.ts';

const warning = (code: Warning['code'], param: string | null): Warning => ({
  code,
  message: 'It is left out.',
  param,
});

describe('warnings of a translated request', () => {
  it('tell of each field once, as the client calls it', () => {
    const judged = [
      warning('field_dropped', 'text.verbosity'),
      warning('field_dropped', 'generationConfig.topK'),
      warning('field_dropped', 'metadata.user_id'),
      warning('unknown_field_dropped', 'zzz'),
    ];
    const adapted = [
      warning('parameter_ignored', 'verbosity'),
      warning('parameter_ignored', 'top_k'),
      warning('parameter_ignored', 'user'),
      warning('parameter_ignored', 'service_tier'),
      warning('content_adapted', 'verbosity'),
      warning('temperature_ignored', null),
    ];
    expect(toldOnce(judged, adapted)).toEqual([...judged, ...adapted.slice(3)]);
  });

  it('are those of the adapter where the table has none', () => {
    const adapted = [warning('parameter_ignored', 'verbosity')];
    expect(toldOnce([], adapted)).toBe(adapted);
  });
});

describe('warnings of an adapter', () => {
  const named = (param: string, wire: VendorWire, body = {}) =>
    withNamesOnWire([warning('parameter_ignored', param)], wire, body).map((told) => told.param);

  it.each<[string, VendorWire, object, string]>([
    ['temperature', 'gemini', {}, 'generationConfig.temperature'],
    ['temperature', 'anthropic', {}, 'temperature'],
    ['messages', 'openai-responses', {}, 'input'],
    ['messages', 'gemini', {}, 'contents'],
    ['max_tokens', 'openai-responses', {}, 'max_output_tokens'],
    ['max_tokens', 'openai-chat', { max_completion_tokens: 5 }, 'max_completion_tokens'],
    ['max_tokens', 'openai-chat', { max_tokens: 5 }, 'max_tokens'],
    ['thinking', 'anthropic', { output_config: { effort: 'max' } }, 'output_config.effort'],
    ['thinking', 'anthropic', { thinking: { type: 'enabled' } }, 'thinking'],
    [
      'response_format',
      'gemini',
      { generationConfig: { responseSchema: {} } },
      'generationConfig.responseSchema',
    ],
    ['disable_parallel_tool_use', 'openai-chat', {}, 'parallel_tool_calls'],
    ['constructor', 'gemini', {}, 'constructor'],
  ])('call %s of a client on %s with %j: %s', (own, wire, body, expected) => {
    expect(named(own, wire, body)).toEqual([expected]);
  });

  it('that are about no field stay so', () => {
    expect(withNamesOnWire([warning('temperature_ignored', null)], 'gemini', {})).toEqual([
      warning('temperature_ignored', null),
    ]);
  });
});
