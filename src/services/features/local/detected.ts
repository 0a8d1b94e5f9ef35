/** What a text seems to be written in. */
export interface Detected {
  /** ISO 639-1; null when there is nothing to tell it by. */
  readonly language: string | null;
  readonly reliable: boolean;
  readonly candidates: readonly { readonly language: string; readonly score: number }[];
}
