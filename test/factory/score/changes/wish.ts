import type { ExpectedField, PromptLang, Spellings } from '../prompt-set.ts';

/**
 * What somebody who looks at a result still wants of it: one assertion that does not hold, as they would see it. It
 * knows nothing of how the product reads or builds.
 */
export type Wish =
  | { readonly sort: 'kind'; readonly kinds: readonly string[] }
  | { readonly sort: 'variant'; readonly variants: readonly string[] }
  | { readonly sort: 'language'; readonly lang: PromptLang }
  | { readonly sort: 'mode'; readonly mode: 'light' | 'dark' }
  | { readonly sort: 'currency'; readonly currency: string }
  | { readonly sort: 'accent'; readonly hues: readonly string[] }
  | { readonly sort: 'name'; readonly name: string }
  | { readonly sort: 'name part'; readonly part: string }
  | { readonly sort: 'feature'; readonly feature: string }
  /** `label` is that of the field which is there, but not as it should be; null where there is none. */
  | { readonly sort: 'field'; readonly wanted: ExpectedField; readonly label: string | null }
  | { readonly sort: 'no field'; readonly label: string }
  | { readonly sort: 'no total'; readonly label: string }
  | { readonly sort: 'fact'; readonly fact: Spellings }
  | { readonly sort: 'item'; readonly facts: readonly Spellings[] }
  | { readonly sort: 'list'; readonly entries: readonly string[] }
  /** A text that stands in the result and must not: an invented price or an entry that is numbered through, too. */
  | { readonly sort: 'no text'; readonly text: string }
  /** To be told that no app can do it. `head` names the whole of what was asked for. */
  | { readonly sort: 'told'; readonly what: Spellings; readonly head: boolean }
  /** To get an app, where it was said that there is none. */
  | { readonly sort: 'served' };
