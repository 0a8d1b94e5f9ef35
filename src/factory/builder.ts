import type { Attempt } from '../model/port.ts';
import type { TokenUsage } from '../model/usage.ts';
import type { BuiltApp } from './build-app.ts';
import type { Drive } from './drive/drive.ts';
import type { Package } from './package.ts';
import type { Design } from './plan/design.ts';
import type { SentSpec } from './plan/sent-spec.ts';
import type { Problem } from './problem.ts';
import type { Reading, ReadOptions } from './read/draft.ts';
import type { Family } from './render/app-data.ts';
import type { Revised } from './revise/revise.ts';
import type { AppSpec } from './spec.ts';
import type { CheckResult, Verification } from './verify/verify.ts';

/**
 * What a build does at the moment, in the order in which it comes to it. `repairing` leads back to `verifying`; a step
 * down from a model's work to the templates leads back to `generating`, and one to the rules to `planning`.
 */
export const stages = ['planning', 'generating', 'verifying', 'repairing', 'packaging'] as const;
export type Stage = (typeof stages)[number];

/** Who thinks: rules, or a model of the gateway. */
export type BuildMode =
  | { readonly mode: 'embedded'; readonly model: null }
  | { readonly mode: 'model'; readonly model: string };

/** What of an instruction was carried out, and what was not, in words for people. */
export interface Grasp {
  readonly understood: readonly string[];
  readonly notUnderstood: readonly string[];
}

/** An instruction that no model could be asked about and the rules do not understand. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
}

/** A plan that may not be what was asked for, of a request that wants to be asked first. */
export class NotSure extends Error {
  override readonly name = 'NotSure';
}

/**
 * Something worth telling those who watch a build. Each becomes an event, in this order. A step down the ladder gives
 * `notice`, and then what is made again: a `spec` where the rules have planned, and its files.
 */
export type BuildReport =
  | { readonly type: 'stage'; readonly stage: Stage }
  | {
      readonly type: 'spec';
      readonly reading: Reading;
      readonly engine: BuildMode;
      /** What a model has made of an instruction. */
      readonly grasp?: Grasp;
      /** What a model has planned beside the spec. */
      readonly design?: Design;
      /** Whether the template of the kind is used although a model plans. */
      readonly fromTemplate?: boolean;
    }
  | {
      readonly type: 'file';
      readonly path: string;
      readonly bytes: number;
      readonly sha256: string;
      /** From 1. */
      readonly index: number;
      readonly total: number;
    }
  | { readonly type: 'check'; readonly result: CheckResult }
  | {
      readonly type: 'repair';
      /** From 1. */
      readonly round: number;
      readonly maxRounds: number;
      readonly problems: readonly Problem[];
    }
  | { readonly type: 'repaired'; readonly round: number; readonly fixed: number; readonly remaining: number }
  | { readonly type: 'notice'; readonly code: NoticeCode; readonly message: string }
  | { readonly type: 'usage'; readonly usage: ModelUsage };

export type NoticeCode =
  | 'engine_degraded'
  | 'beyond_kinds'
  | 'prompt_truncated'
  | 'recovered_after_restart'
  /** No browser has tried the app, although there should be one. */
  | 'not_driven'
  /** A browser has found something that was not mended. */
  | 'shortcomings';

/** What the model calls of a build have cost so far. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The same by class; left out in builds of version 1.0. */
  readonly tokens?: TokenUsage;
  /** Null where a price is unknown. */
  readonly costUsd: number | null;
  /** Each attempt of each call, as the ledger has them; left out in builds of version 1.1. */
  readonly attempts?: readonly Attempt[];
  /** Who answered last; null where nobody did. */
  readonly served: { readonly provider: string; readonly model: string } | null;
}

/** The steps of a build that need a processor and nothing else. They run beside the event loop of the server. */
export interface Workshop {
  plan(prompt: string, options: PlanOptions): Promise<Reading>;
  render(spec: AppSpec, family?: Family): Promise<ReadonlyMap<string, string>>;
  verify(files: ReadonlyMap<string, string>, spec: AppSpec): Promise<Verification>;
  /** The sources in an archive that `pack` has made, by the paths that they had. */
  sources(zip: Uint8Array): Promise<ReadonlyMap<string, string>>;
  pack(files: ReadonlyMap<string, string>, html: string, spec: AppSpec): Promise<Package>;
}

/** An app whose files a model has written. */
export interface WrittenApp {
  readonly spec: AppSpec;
  /** All of them, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** What was planned beside the spec; left out in builds of version 1.1. */
  readonly design?: Design | undefined;
}

/** What a builder is given for one build. */
export interface BuildContext {
  readonly prompt: string;
  readonly options: PlanOptions;
  readonly workshop: Workshop;
  /** Tries apps in a browser that stands apart; left out: there is none. */
  readonly drive?: Drive | undefined;
  readonly signal: AbortSignal;
  /** The app that a revision begins with, where a model has written it; null for every other build. */
  readonly written: () => Promise<WrittenApp | null>;
  /** Resolves when the report is stored. */
  readonly report: (report: BuildReport) => Promise<void>;
  /** Whether the build may ask a model at all; it stays so across a crash of the server. */
  readonly mayAskModel: () => Promise<boolean>;
  /**
   * The text that `produce` gave for this name the first time, also across a crash of the server: what a model has
   * answered is paid for once.
   */
  readonly checkpoint: (name: string, produce: () => Promise<string>) => Promise<string>;
}

/** Turns a prompt into an app. Throws the reason of the signal when that is aborted. */
export type Builder = (context: BuildContext) => Promise<BuiltApp>;

/** What a build is asked for beside its prompt. */
export interface PlanOptions extends ReadOptions {
  /** What the app is to be, as far as it was said. */
  readonly spec?: SentSpec;
  /** The prompt fills nothing in: the spec is that of a revision, and the prompt what its first build was asked for with. */
  readonly settled?: boolean;
  /** Of a revision: of which app it is. */
  readonly family?: Family;
  /** Builds nothing where the plan may not be what was asked for. */
  readonly whenUnsure?: 'ask';
  /** An instruction that a model carries out; left out where the rules have, and `spec` is what came of it. */
  readonly instructed?: Instructed;
}

export interface Instructed {
  readonly instruction: string;
  /** The spec that is changed. */
  readonly base: AppSpec;
  /** What the rules have made of it; the spec that came of it is that of the options. */
  readonly byRules: Omit<Revised, 'spec'>;
}

/** What a planner is given for one plan. */
interface PlanContext {
  readonly prompt: string;
  readonly options: PlanOptions;
  readonly signal: AbortSignal;
  /** Plans by rules. */
  readonly byRules: (prompt: string, options: PlanOptions) => Promise<Reading>;
  /** Called with what the model calls have used so far. */
  readonly onUsage: (usage: ModelUsage) => void;
}

export interface Planned {
  readonly reading: Reading;
  /** Who has planned in the end. */
  readonly engine: BuildMode;
  /** The model that was to plan and could not. */
  readonly degradedFrom: string | null;
  /** For people. */
  readonly notices: readonly string[];
  /** What a model has planned beside the spec. */
  readonly design?: Design | undefined;
}

/** Turns a prompt into a plan and builds nothing. Throws the reason of the signal when that is aborted. */
export type Planner = (context: PlanContext) => Promise<Planned>;
