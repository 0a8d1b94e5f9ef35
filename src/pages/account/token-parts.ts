import type { TokenSums } from '../../tenants/metering/settlements.ts';
import { type Html, html } from '../html.ts';
import { count } from './parts.ts';

/** What the tokens of prompts are made of, as far as there is more to tell than their number. */
export function promptParts(sums: TokenSums): string {
  return listed([
    [sums.cachedTokens, 'read from the cache'],
    [sums.cacheWrite5mTokens, 'written to it for 5 minutes'],
    [sums.cacheWrite1hTokens, 'written to it for an hour'],
    [sums.audioPromptTokens, 'audio'],
    [sums.imagePromptTokens, 'images'],
  ]);
}

/** The same of the tokens of answers. */
export function completionParts(sums: TokenSums): string {
  return listed([
    [sums.reasoningTokens, 'reasoning'],
    [sums.audioCompletionTokens, 'audio'],
    [sums.imageCompletionTokens, 'images'],
  ]);
}

/** A number of tokens, with what they are made of. */
export function tokensView(tokens: number, parts: string): Html {
  return html`${count(tokens)}${parts !== '' && html` <small class="muted">(${parts})</small>`}`;
}

function listed(parts: readonly (readonly [number, string])[]): string {
  return parts
    .filter(([tokens]) => tokens > 0)
    .map(([tokens, what]) => `${count(tokens)} ${what}`)
    .join(', ');
}
