import { archiveFiles } from '../../src/factory/compare.ts';
import type {
  BuildContext,
  Builder,
  BuildReport,
  BuiltApp,
  Drive,
  PlanOptions,
  Workshop,
  WrittenApp,
} from '../../src/factory/factory.ts';
import { packageApp, packedSources } from '../../src/factory/package.ts';
import { plan } from '../../src/factory/plan/complete-spec.ts';
import { renderApp } from '../../src/factory/render/render.ts';
import { verifyApp } from '../../src/factory/verify/verify.ts';

/** The workshop without threads. */
export const plainWorkshop: Workshop = {
  plan: async (prompt, options) => plan(prompt, options),
  render: async (spec, family) => renderApp(spec, family),
  verify: (files, spec) => verifyApp(files, spec),
  sources: async (zip) => packedSources(archiveFiles(zip)),
  pack: async (files, html, spec) => packageApp(files, html, spec),
};

export interface BuildSetting {
  readonly prompt?: string;
  readonly options?: PlanOptions;
  readonly workshop?: Partial<Workshop>;
  readonly drive?: Drive;
  readonly signal?: AbortSignal;
  /** What a revision begins with, where a model has written it. */
  readonly written?: WrittenApp;
  /** What is kept over a crash. */
  readonly checkpoints?: Map<string, string>;
  readonly onReport?: (report: BuildReport) => void | Promise<void>;
}

export interface FinishedBuild {
  readonly app: BuiltApp;
  readonly reports: readonly BuildReport[];
}

/** Carries a build out as the server would, and gives what was reported. */
export async function carryOut(builder: Builder, setting: BuildSetting = {}): Promise<FinishedBuild> {
  const reports: BuildReport[] = [];
  const checkpoints = setting.checkpoints ?? new Map<string, string>();
  const context: BuildContext = {
    prompt: setting.prompt ?? 'a list of what to buy at the market',
    options: setting.options ?? {},
    workshop: { ...plainWorkshop, ...setting.workshop },
    drive: setting.drive,
    signal: setting.signal ?? new AbortController().signal,
    async report(report) {
      reports.push(report);
      await setting.onReport?.(report);
    },
    mayAskModel: async () => true,
    written: async () => setting.written ?? null,
    async checkpoint(name, produce) {
      const known = checkpoints.get(name);
      if (known !== undefined) return known;
      const text = await produce();
      checkpoints.set(name, text);
      return text;
    },
  };
  return { app: await builder(context), reports };
}

/** What was reported, each in a word: stages by name, the others by type. */
export function outline(reports: readonly BuildReport[]): string {
  const words = reports
    .filter(({ type }) => !['file', 'check', 'usage'].includes(type))
    .map((report) => (report.type === 'stage' ? report.stage : report.type));
  return words.join(' ');
}

export function noticesIn(reports: readonly BuildReport[]): string[] {
  return reports.flatMap((report) => (report.type === 'notice' ? [report.message] : []));
}
