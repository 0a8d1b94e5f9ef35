/**
 * The one answer of the bench. The mock vendor gives it, every reader expects it word for word:
 * a target that loses or changes a piece fails the run instead of looking fast.
 */

export const ANSWER =
  'A gateway sits between your application and the companies that run language models. ' +
  'Your code speaks to one address in one format, and the gateway translates each request for ' +
  'whichever vendor serves the model you named. It checks the key, keeps every caller within its ' +
  'limits, counts the tokens, and writes one line about each call to a log. When a vendor is slow ' +
  'or down, it can try again or turn to another one before the first word has been sent. The ' +
  'price of this is one more hop on the network and a little work for each request, so a good ' +
  'gateway adds about a millisecond to an answer that takes seconds to write, and never lies ' +
  'about how that answer ended. That is all it should do.';

/** The answer in the pieces a stream delivers: three words each, about forty of them. */
export const ANSWER_PIECES: readonly string[] = ANSWER.match(/(?:\S+\s*){1,3}/g) ?? [];

export const FINISH_REASON = 'stop';

/** Token counts as OpenAI reports them. */
export const USAGE = {
  prompt_tokens: 42,
  completion_tokens: 151,
  total_tokens: 193,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
} as const;
