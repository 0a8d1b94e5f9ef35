import { describe, expect, it } from 'vitest';
import { newReport } from '../../../src/pages/assets/api-caller.js';
import { factParts } from '../../../src/pages/assets/report-parts.js';

const report = newReport({ path: '/v1/chat', body: {}, library: { method: 'chat' } });
const factsOf = (more: Partial<typeof report>) =>
  JSON.stringify(factParts({ ...report, status: 200, ...more }));

describe('the usage of a call', () => {
  it.each([
    ['whole', null, 'no tokens: no model was called'],
    ['cut', null, 'not known: the answer was cut'],
    ['stopped', null, 'not known: the answer was stopped'],
    // A stream that told of its failure before it ended.
    ['whole', { code: 'provider_stream_interrupted' }, 'not known: the answer was cut'],
  ] as const)('%s, with the error %j, is said to be %s', (state, error, said) => {
    expect(factsOf({ state, error })).toContain(said);
  });

  it('is not told while it runs, nor for a call that was refused', () => {
    expect(factsOf({ state: 'running' })).not.toContain('Usage');
    expect(factsOf({ state: 'whole', status: 502, error: { code: 'provider_error' } })).not.toContain(
      'Usage',
    );
  });

  it('is told where it is known', () => {
    const usage = {
      prompt_tokens: 2,
      completion_tokens: 3,
      total_tokens: 5,
      source: 'estimated',
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    } as const;
    expect(factsOf({ state: 'whole', usage })).toContain('5 tokens: 2 in, 3 out, estimated');
  });
});
