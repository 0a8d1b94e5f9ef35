/** Vercel's AI SDK: the same cases through each of its providers. */
import { judge } from '../lib/judge.js';
import { cases } from './cases.js';
import { models } from './models.js';

globalThis.AI_SDK_LOG_WARNINGS = false;
await judge(Object.fromEntries(Object.entries(models).map(([name, model]) => [name, cases(model)])));
