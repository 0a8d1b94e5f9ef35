/** Vercel's AI SDK: the same cases through each of its providers. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { given, judge } from '../lib/judge.js';
import { cases } from './cases.js';

const base = given('BASE');
const apiKey = given('KEY');
const openai = createOpenAI({ baseURL: `${base}/v1`, apiKey });
const compatible = createOpenAICompatible({
  name: 'switchyard',
  baseURL: `${base}/v1`,
  apiKey,
  includeUsage: true,
  supportsStructuredOutputs: true,
});
const anthropic = createAnthropic({ baseURL: `${base}/v1`, apiKey });
const google = createGoogle({ baseURL: `${base}/v1beta`, apiKey });

/**
 * `thinks`: whether its thinking reaches the caller in the client's own form, with the options that ask for it.
 * `refuses`: what the SDK calls the reason of a refusal.
 */
const models = {
  'openai responses': {
    model: openai.responses(given('MODEL_OPENAI')),
    thinking: { openai: { reasoningEffort: 'medium', reasoningSummary: 'auto', store: false } },
    embedding: openai.embedding('text-embedding-3-small'),
  },
  'openai chat': { model: openai.chat(given('MODEL_OPENAI')), thinking: null, embedding: null },
  'openai-compatible': {
    model: compatible(given('MODEL_OPENAI')),
    thinking: {},
    embedding: compatible.embeddingModel('text-embedding-3-small'),
  },
  anthropic: {
    model: anthropic(given('MODEL_ANTHROPIC')),
    thinking: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } } },
    embedding: null,
  },
  google: {
    model: google(given('MODEL_GEMINI')),
    thinking: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } } },
    embedding: null,
  },
};

globalThis.AI_SDK_LOG_WARNINGS = false;
await judge(Object.fromEntries(Object.entries(models).map(([name, model]) => [name, cases(model)])));
