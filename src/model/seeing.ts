/** Models that are known to see. An image may make a vendor refuse the whole request of any other. */
const seeing =
  /(?:^|\/)(?:claude-(?!2|instant)|gemini-|gpt-(?:4o|4\.1|4-turbo|[5-9])|o[13](?!-mini)|o4-|pixtral-|llama-4-|qwen[\d.]*-vl)/i;

/** Whether a model is known to take images, by its name. */
export const seesImages = (model: string): boolean => seeing.test(model);
