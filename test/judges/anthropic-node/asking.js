import Anthropic from '@anthropic-ai/sdk';
import { given } from '../lib/judge.js';
import { weatherTool } from '../lib/said.js';

/** It does not try again, so that each error is seen. */
export const anthropic = new Anthropic({
  baseURL: given('BASE'),
  apiKey: given('KEY'),
  maxRetries: 0,
  timeout: 15_000,
});
export const model = given('MODEL_ANTHROPIC');
export const user = (content) => ({ role: 'user', content });
export const asks = (content, more = {}) => ({ model, max_tokens: 1024, messages: [user(content)], ...more });
export const tools = [
  { name: weatherTool.name, description: weatherTool.description, input_schema: weatherTool.schema },
];

export const textOf = (message) =>
  message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
