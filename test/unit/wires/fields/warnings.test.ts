import { describe, expect, it } from 'vitest';
import type { Warning } from '../../../../generated/types.gen.ts';
import { toldOnce } from '../../../../src/wires/fields/warnings.ts';

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
