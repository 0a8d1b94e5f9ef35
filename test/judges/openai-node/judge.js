/** The official OpenAI SDK for Node.js: its plain calls and its helpers, on Chat Completions and Responses. */
import OpenAI from 'openai';
import { given, judge } from '../lib/judge.js';
import { chat } from './chat.js';
import { elsewhere } from './elsewhere.js';
import { media } from './media.js';
import { responses } from './responses.js';
import { vectors } from './vectors.js';

/** A client that does not try again, so that each error is seen. */
const client = () =>
  new OpenAI({ baseURL: `${given('BASE')}/v1`, apiKey: given('KEY'), maxRetries: 0, timeout: 15_000 });

await judge({
  ...chat(client()),
  ...responses(client()),
  ...vectors(client()),
  ...media(client()),
  ...elsewhere(),
});
