/**
 * Models that their vendors serve as conversations only: all of OpenAI's but the instruct ones ("This is a chat model and not
 * supported in the v1/completions endpoint"), and Google's, whose OpenAI-compatible address has no Completions.
 */
const chatOnly = /(?:^|\/)(?:gpt-(?!3\.5-turbo-instruct|oss)|chatgpt-|o\d|codex-|gemini-|gemma-)/;

/** Whether the older Completions of a model have to be asked for as a conversation, also where its vendor has them. */
export function isChatOnly(model: string): boolean {
  return chatOnly.test(model);
}
