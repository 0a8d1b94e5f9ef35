/**
 * Lets a judge import the packages that are installed in TOOLS/npm, wherever the judge itself lies, and never the project's
 * own versions of them. Loaded with `node --import` before a judge.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const tools = process.env.TOOLS;
if (tools === undefined)
  throw new Error('TOOLS is not set: the folder where the packages of the judges are installed');
const parentURL = pathToFileURL(join(tools, 'npm/judge.js')).href;
const judges = new URL('../', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const isPackage = !/^(\.|\/|[a-z]+:)/.test(specifier);
    const fromJudge = context.parentURL?.startsWith(judges) && !context.parentURL.includes('/node_modules/');
    return next(specifier, isPackage && fromJudge ? { ...context, parentURL } : context);
  },
});
