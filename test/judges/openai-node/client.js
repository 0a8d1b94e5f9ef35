import OpenAI from 'openai';
import { given } from '../lib/judge.js';

/** A client that does not try again, so that each error is seen. */
export const client = () =>
  new OpenAI({ baseURL: `${given('BASE')}/v1`, apiKey: given('KEY'), maxRetries: 0, timeout: 15_000 });
