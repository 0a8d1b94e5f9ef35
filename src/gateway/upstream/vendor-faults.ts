import type { VerdictName } from './verdicts.ts';

/** One thing that vendors say when they do not answer, and what it means. All that a line names has to hold. */
export interface FaultLine {
  readonly verdict: VerdictName;
  /** HTTP statuses of the reply; a number is one, a pair all from the first to the second. */
  readonly status?: readonly (number | readonly [number, number])[];
  /** The `type` or `code` of the error object, where it is text. */
  readonly names?: readonly string[];
  /** What the vendor's message says. */
  readonly words?: RegExp;
  /** Where it is told. */
  readonly source: string;
}

const anyFault = [[400, 599]] as const;
const refusals = [400, 413, 422] as const;
const failures = [[500, 599]] as const;

const openAi = 'https://platform.openai.com/docs/guides/error-codes';
const anthropic = 'https://platform.claude.com/docs/en/api/errors';
const http = 'RFC 9110, section 15';

/**
 * What the reply with a status of 400 or more means; the first line that holds decides. What says the same however often it is
 * asked is told from what may pass: a client whose request a model cannot answer must not make the model look broken.
 */
export const replyFaults: readonly FaultLine[] = [
  // Not about the request, although it says so.
  {
    verdict: 'credentials',
    status: refusals,
    words: /api key (?:not valid|expired|not found)/i,
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
  },
  {
    verdict: 'accountEmpty',
    status: refusals,
    words: /credit balance is too low/i,
    source: anthropic,
  },
  {
    verdict: 'quotaSpent',
    status: [429],
    names: ['insufficient_quota'],
    source: openAi,
  },

  // The prompt is too long.
  {
    verdict: 'tooLong',
    status: refusals,
    names: ['context_length_exceeded', 'model_max_prompt_tokens_exceeded', '1261'],
    source: `${openAi}; https://github.com/anomalyco/opencode/issues/11172 (Copilot); https://docs.z.ai/api-reference/api-code`,
  },
  {
    verdict: 'tooLong',
    status: anyFault,
    names: ['exceed_context_size_error'],
    source: 'https://github.com/ggml-org/llama.cpp/pull/15780 (with 500 at first, with 400 later)',
  },
  {
    verdict: 'tooLong',
    status: failures,
    words: /context size has been exceeded|exceeds the available context size/i,
    source: 'https://github.com/ggml-org/llama.cpp/issues/19774',
  },
  {
    verdict: 'tooLong',
    status: failures,
    words: /input (?:\(\d+ tokens\) )?is too large to process/i,
    source: 'https://github.com/ggml-org/llama.cpp/issues/11105',
  },
  {
    verdict: 'tooLong',
    status: anyFault,
    words: /input length exceeds (?:the|maximum) context length/i,
    source: 'https://github.com/ollama/ollama (server/routes.go); https://github.com/n8n-io/n8n/issues/11144',
  },
  {
    verdict: 'tooLong',
    status: refusals,
    words: /prompt is too long|input is too long|too many (?:input )?tokens/i,
    source: anthropic,
  },
  {
    verdict: 'tooLong',
    status: refusals,
    words: /input token count .{0,80}exceeds/i,
    source: 'https://ai.google.dev/gemini-api/docs/tokens',
  },
  {
    verdict: 'tooLong',
    status: refusals,
    words: /context[ _-](?:length|window)|maximum context|exceeds? the (?:available )?context/i,
    source:
      'https://github.com/0xku/kon/issues/91 (vLLM), https://platform.openai.com/docs/guides/error-codes',
  },
  {
    verdict: 'tooLong',
    status: refusals,
    words:
      /maximum (?:prompt|model) length|maximum allowed (?:input )?length (?:of )?\(?\d+ tokens|prompt exceeds max length/i,
    source:
      'https://github.com/cline/cline/issues/3120 (xAI), https://github.com/earendil-works/pi/issues/4943 (Poolside), vLLM, SGLang, Z.ai',
  },
  {
    verdict: 'tooLong',
    status: refusals,
    words:
      /model token limit|more than max tokens allowed|prompt token count .{0,40}exceeds|exceeds? the max(?:imum)? (?:limit of \d+|(?:number of )?input) tokens?/i,
    source:
      'https://github.com/earendil-works/pi (utils/overflow.ts: Kimi, Copilot), https://github.com/anomalyco/opencode/issues/27519',
  },
  {
    verdict: 'tooLong',
    status: refusals,
    words:
      /range of input length|reduce the length of the (?:messages|input|prompt)|must have less than \d+ tokens|max_new_tokens`? must be <=/i,
    source:
      'https://www.alibabacloud.com/help/en/model-studio/error-code, https://github.com/earendil-works/pi (utils/overflow.ts: Groq, Cerebras), https://github.com/huggingface/text-generation-inference (router/src/validation.rs)',
  },

  // The model cannot do this, which some servers say as if they had failed.
  {
    verdict: 'cannot',
    status: [501],
    source: `${http}.6.2; llama.cpp answers embeddings so where it was started without them (seen on 27 November 2026)`,
  },
  {
    verdict: 'cannot',
    status: failures,
    names: ['not_supported_error'],
    source: 'llama.cpp, seen on 27 November 2026',
  },
  {
    verdict: 'cannot',
    status: failures,
    words: /(?:image|audio|video) input is not supported/i,
    source: 'https://github.com/ggml-org/llama.cpp/issues/13566 and 15377',
  },
  {
    verdict: 'cannot',
    status: failures,
    words: /unsupported content part type|unsupported param: tools|failed to parse (?:messages|tools)/i,
    source: 'https://github.com/ggml-org/llama.cpp/issues/12947 and 10920',
  },
  {
    verdict: 'cannot',
    status: failures,
    words: /unsupported tool|type['"]? of tool must be/i,
    source: 'https://github.com/ggml-org/llama.cpp/issues/22389 (with 400 there; custom tools with 500)',
  },
  {
    verdict: 'cannot',
    status: failures,
    words: /jinja exception/i,
    source:
      'https://github.com/ggml-org/llama.cpp/issues/19851 (the template of the model refuses the conversation)',
  },
  {
    verdict: 'cannot',
    status: failures,
    words: /missing data required for image input/i,
    source: 'https://github.com/ollama/ollama (model/model.go, ErrNoVisionModel)',
  },
  {
    verdict: 'cannot',
    status: failures,
    words: /(?:does|do) not support (?:embeddings?|images?|audio|vision|tools|thinking|chat|generate)\b/i,
    source:
      'https://github.com/chunkhound/chunkhound/issues/41 and https://github.com/ollama/ollama/issues/9739',
  },
  {
    verdict: 'cannot',
    status: failures,
    words: /endpoint disabled for this model|code = unimplemented|is not supported in \w+ mode/i,
    source: 'https://github.com/mudler/LocalAI/issues/1617, 3435 and 6455',
  },
  {
    verdict: 'cannot',
    status: failures,
    words: /is not a multimodal model/i,
    source: 'vLLM behind gateways that answer its 400 with a status of their own',
  },
  {
    verdict: 'cannot',
    status: [404],
    words: /no endpoints found that support/i,
    source: 'https://github.com/openclaw/openclaw/pull/99079 (OpenRouter: the model is there)',
  },

  // The request is at fault, which some say under a status of a failure.
  {
    verdict: 'rejected',
    status: failures,
    names: ['invalid_request_error', 'BadRequestError', 'invalid_prompt'],
    source: `${openAi}; https://github.com/vllm-project/vllm (BadRequestError)`,
  },

  // Statuses by themselves.
  { verdict: 'rejected', status: refusals, source: http },
  { verdict: 'credentials', status: [401], source: `${http}; ${anthropic}` },
  {
    verdict: 'accountEmpty',
    status: [402],
    source: `${anthropic}; https://api-docs.deepseek.com/quick_start/error_codes`,
  },
  { verdict: 'forbidden', status: [403], source: `${http}; ${anthropic}` },
  { verdict: 'unknownModel', status: [404], source: `${openAi}; ${anthropic}` },
  { verdict: 'hindered', status: [408, 409, 425], source: `${http}; RFC 8470` },
  { verdict: 'rateLimited', status: [429], source: 'RFC 6585' },
  { verdict: 'overloaded', status: [503, 529], source: `${http}; ${anthropic}` },
  { verdict: 'misunderstood', status: [[400, 499]], source: http },
  { verdict: 'failed', source: http },
];

/**
 * What an error object in a reply or a stream that began with 200 means by its `type` or `code`; where no line holds, it is judged
 * as a reply with the status that it names, or 500.
 */
export const namedFaults: readonly FaultLine[] = [
  {
    verdict: 'tooLong',
    names: ['context_length_exceeded', 'exceed_context_size_error'],
    source: `${openAi}; https://github.com/ggml-org/llama.cpp/pull/15780`,
  },
  {
    verdict: 'tooLong',
    names: ['invalid_request_error'],
    words: /prompt is too long|context[ _-](?:length|window)|maximum context/i,
    source: anthropic,
  },
  {
    verdict: 'rejected',
    names: ['invalid_request_error', 'request_too_large', 'invalid_prompt'],
    source: `${openAi}; ${anthropic}`,
  },
  {
    verdict: 'rejected',
    names: [
      'invalid_image',
      'invalid_image_format',
      'invalid_base64_image',
      'invalid_image_url',
      'image_too_large',
      'image_too_small',
      'image_parse_error',
      'image_content_policy_violation',
      'image_file_too_large',
      'unsupported_image_media_type',
      'failed_to_download_image',
    ],
    source: 'https://platform.openai.com/docs/api-reference/responses/object (error.code)',
  },
  { verdict: 'cannot', names: ['not_supported_error'], source: 'llama.cpp, seen on 27 November 2026' },
  {
    verdict: 'credentials',
    names: ['authentication_error', 'invalid_api_key'],
    source: `${anthropic}; ${openAi}`,
  },
  { verdict: 'accountEmpty', names: ['billing_error'], source: anthropic },
  { verdict: 'forbidden', names: ['permission_error'], source: anthropic },
  {
    verdict: 'unknownModel',
    names: ['not_found_error', 'model_not_found'],
    source: `${anthropic}; ${openAi}`,
  },
  {
    verdict: 'rateLimited',
    names: ['rate_limit_error', 'rate_limit_exceeded'],
    source: `${anthropic}; ${openAi}`,
  },
  { verdict: 'quotaSpent', names: ['insufficient_quota'], source: openAi },
  {
    verdict: 'overloaded',
    names: ['overloaded_error', 'server_is_overloaded'],
    source: `${anthropic}; ${openAi}`,
  },
  { verdict: 'hindered', names: ['conflict_error'], source: anthropic },
  // Reasons of the end that say that there is no answer.
  {
    verdict: 'overloaded',
    names: ['insufficient_system_resource'],
    source: 'https://api-docs.deepseek.com/api/create-chat-completion (finish_reason)',
  },
  {
    verdict: 'hindered',
    names: ['network_error'],
    source: 'https://docs.z.ai/api-reference/llm/chat-completion (finish_reason)',
  },
];
