/** A `CountTokensResponse`; the request is read by `readCountRequest`. */
export function writeTokenCount(totalTokens: number): object {
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}
