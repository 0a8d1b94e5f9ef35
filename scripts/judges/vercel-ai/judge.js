/** Vercel's AI SDK: the same cases through each of its providers. */
import { judge } from '../lib/judge.js';
import { cases } from './cases.js';
import { models } from './models.js';

globalThis.AI_SDK_LOG_WARNINGS = false;
const all = {};
for (const [name, model] of Object.entries(models))
  for (const [what, run] of Object.entries(cases(model))) all[`${name}: ${what}`] = run;
await judge(all);
