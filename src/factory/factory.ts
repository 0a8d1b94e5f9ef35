import type { Builder, Planner } from './builder.ts';
import type { BrowserSettings, Drive } from './drive/drive.ts';
import type { ModelOptions } from './model/session.ts';

// The door of the factory, which makes an app of a prompt: all that other rooms use of it. They read, build and check in
// `openThreads` with what `loadBuilder` gives, revise by the rules for sent specs, and show what the catalogue says of kinds.
// A name that none of them uses does not belong here.
export type { BuiltApp } from './build-app.ts';
export { TemplateFault } from './build-reporter.ts';
export {
  type BuildContext,
  type Builder,
  type BuildMode,
  type BuildReport,
  type Grasp,
  type ModelUsage,
  type NoticeCode,
  NotSure,
  NotUnderstood,
  type Planned,
  type Planner,
  type PlanOptions,
  type Stage,
  stages,
  type Workshop,
  type WrittenApp,
} from './builder.ts';
export { kindOfApp, offersOf, templateList, templateVersion, variantsOf } from './catalogue.ts';
export type { Drive } from './drive/drive.ts';
export { iconChoices } from './icons/icon-set.ts';
export type { ModelOptions } from './model/session.ts';
export type { FileEntry } from './package.ts';
export { headOf } from './page-links.ts';
export type { Design } from './plan/design.ts';
export {
  keepsThings,
  keyedLike,
  newProblems,
  type SentSpec,
  sentSpecProblems,
  soundSeed,
} from './plan/sent-spec.ts';
export type { Problem } from './problem.ts';
export { cleanPrompt, promptLimits, seen } from './prompt.ts';
export type { Reading } from './read/draft.ts';
export { familyOf, slug } from './render/app-data.ts';
export {
  type AppSpec,
  appSpecSchema,
  maxSpecBytes,
  schemaProblems,
  type TemplateName,
  templateNames,
} from './spec.ts';
export type { CheckResult } from './verify/verify.ts';
export { openThreads, type Threads, type Tools } from './workshop/threads.ts';

/** What tries apps in a browser. */
export async function loadDrive(settings: BrowserSettings): Promise<Drive> {
  return (await import('./drive/drive.ts')).openDrive(settings);
}

/** Who builds: a model, or the rules where there is none. */
export async function loadBuilder(byModel: ModelOptions | null): Promise<Builder> {
  if (byModel === null) return (await import('./embedded-builder.ts')).embeddedBuilder;
  return (await import('./model/builder.ts')).createBuilder(byModel);
}

/** Who plans where a model does. */
export async function loadPlanner(byModel: ModelOptions): Promise<Planner> {
  return (await import('./model/planner.ts')).createPlanner(byModel);
}
