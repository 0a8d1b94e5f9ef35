import type { Usage } from '../../../generated/types.gen.ts';
import type { Taken } from '../../limits/lessee.ts';
import type { GivenBack } from '../../limits/returns.ts';

/**
 * What comes back of what was taken, now that the request has ended: what it did not use of tokens and money, and its place
 * among those that run. Negative where it used more than was taken.
 * @param costMicroUsd null where no price is known: then nothing can be charged
 */
export function unusedOf(
  taken: readonly Taken[],
  usage: Usage | null,
  costMicroUsd: number | null,
): GivenBack[] {
  const back: GivenBack[] = [];
  for (const one of taken) {
    const { unit, amount } = one;
    if (unit === 'tokens') {
      const used = usage ? usage.prompt_tokens + usage.completion_tokens : 0;
      back.push({ ...one, amount: amount - used });
    } else if (unit === 'micro_usd') back.push({ ...one, amount: amount - (costMicroUsd ?? 0) });
    else if (unit === 'running') back.push(one);
  }
  return back;
}
