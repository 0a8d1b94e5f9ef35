/** The official OpenAI SDK for Node.js: its plain calls and its helpers, on Chat Completions and Responses. */

import { judge } from '../lib/judge.js';
import { chat } from './chat.js';
import { client } from './client.js';
import { elsewhere } from './elsewhere.js';
import { media } from './media.js';
import { responses } from './responses.js';
import { vectors } from './vectors.js';

await judge({
  ...chat(client()),
  ...responses(client()),
  ...vectors(client()),
  ...media(client()),
  ...elsewhere(),
});
