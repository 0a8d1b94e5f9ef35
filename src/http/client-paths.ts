/**
 * Clients disagree on where an interface begins: some add `/v1` to a base address that has it, some are given a base address with
 * the vendor's name in it. What stands behind that is the same path for all.
 */
const vendors: readonly (readonly [prefix: string, version: string])[] = [
  ['/openai', '/v1/'],
  ['/anthropic', '/v1/'],
  ['/gemini', '/v1beta/'],
];

/**
 * Google's clients ask for `v1` since their version 3, or for what they are told; there is one version here. OpenAI's models
 * stand at the same place, but no action follows them.
 */
const geminiAction =
  /^(?:\/gemini)?\/v1(?:alpha)?(?=\/models\/.+:(?:generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$)/;

/** The path that a request means: without `/openai`, `/anthropic` or `/gemini` in front, and with `/v1` once. */
export function meantPath(path: string): string {
  let meant = path.replace(geminiAction, '/v1beta');
  for (const [prefix, version] of vendors) {
    if (meant.startsWith(prefix + version)) meant = meant.slice(prefix.length);
  }
  return meant.startsWith('/v1/v1/') ? meant.slice('/v1'.length) : meant;
}
