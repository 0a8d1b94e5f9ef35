import { archiveFiles } from '../../src/factory/compare.ts';
import { embeddedBuilder } from '../../src/factory/embedded-builder.ts';
import type {
  AppSpec,
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
import type {
  Composition,
  Draft,
  Facts,
  List,
  ListItem,
  Phrase,
  Price,
  Quantity,
  Span,
  Token,
} from '../../src/factory/read/draft.ts';
import { kindsIn } from '../../src/factory/read/kinds.ts';
import { renderApp } from '../../src/factory/render/render.ts';
import { emptySpec } from '../../src/factory/spec.ts';
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

/** A builder that does what the embedded one does, but waits, fails or repairs when its prompt says so. */
export interface StagedBuilder {
  readonly builder: Builder;
  /** Releases the builds whose prompt says "wait". */
  release(): void;
}

const problem = {
  id: 'js.undef',
  severity: 'error',
  message: '“total” is not <b>defined</b>.',
  file: 'src/app.js',
  line: 12,
} as const;

const repairs: readonly BuildReport[] = [
  { type: 'stage', stage: 'planning' },
  { type: 'stage', stage: 'generating' },
  { type: 'file', path: 'src/app.js', bytes: 1234, sha256: '0'.repeat(64), index: 1, total: 1 },
  { type: 'stage', stage: 'verifying' },
  { type: 'check', result: { id: 'js.undef', status: 'failed', problems: [problem] } },
  { type: 'stage', stage: 'repairing' },
  { type: 'repair', round: 1, maxRounds: 2, problems: [problem] },
];

export function stagedBuilder(): StagedBuilder {
  const waiting = new Set<() => void>();
  return {
    release() {
      for (const go of waiting) go();
      waiting.clear();
    },
    async builder(context) {
      const { prompt, report } = context;
      if (prompt.includes('wait')) await new Promise<void>((resolve) => waiting.add(resolve));
      if (prompt.includes('degrade'))
        await report({ type: 'notice', code: 'engine_degraded', message: 'The model did not answer.' });
      if (prompt.includes('fail')) {
        for (const step of repairs) await report(step);
        throw new Error('as the test wants it');
      }
      return embeddedBuilder(context);
    },
  };
}

/** A whole spec of the parts that matter to a test. */
export const wholeSpec = (parts: Partial<AppSpec>): AppSpec => ({ ...emptySpec, name: 'Test', ...parts });

const noFacts: Facts = {
  prices: [],
  currencies: [],
  hours: [],
  dates: [],
  times: [],
  emails: [],
  phones: [],
  urls: [],
  addresses: [],
  places: [],
};

/** A draft made by hand: its tokens are the words and marks of the prompt, each its own base form. */
export function draftOf(
  prompt: string,
  { facts = {}, ...parts }: Partial<Omit<Draft, 'facts'>> & { readonly facts?: Partial<Facts> } = {},
): Draft {
  return {
    prompt,
    lang: 'en',
    kind: 'tracker',
    variant: '',
    tokens: tokensOf(prompt),
    subject: null,
    name: null,
    fields: [],
    lists: [],
    quantities: [],
    quoted: [],
    currency: 'EUR',
    ...parts,
    facts: { ...noFacts, ...facts },
  };
}

const tokensOf = (prompt: string): Token[] =>
  [...prompt.matchAll(/[\p{L}\p{N}’'°²/×-]+|\S/gu)].map(({ 0: text, index: start }) => {
    const pos = /^\d/.test(text) ? 'number' : /^\p{L}/u.test(text) ? 'noun' : 'mark';
    const lower = text.toLowerCase();
    return { text, start, end: start + text.length, lower, lemma: lower, pos };
  });

/** The position of a text in the prompt, which must have it. */
export function spanIn(prompt: string, text: string): Span {
  const start = prompt.indexOf(text);
  if (start < 0) throw new Error(`“${text}” is not in the prompt`);
  return { text, start, end: start + text.length };
}

export const phraseIn = (prompt: string, text: string, plural = text): Phrase => ({
  ...spanIn(prompt, text),
  head: (text.split(' ').at(-1) ?? text).toLowerCase(),
  singular: text,
  plural,
});

export const priceIn = (prompt: string, text: string): Price => ({
  ...spanIn(prompt, text),
  amount: Number(text.replace(/[^\d.,]/g, '').replace(',', '.')),
  shown: text,
  currency: 'EUR',
});

export const quantityIn = (prompt: string, text: string, value: number, unit = ''): Quantity => ({
  ...spanIn(prompt, text),
  value,
  unit,
});

/** A list of these texts, which stand in the prompt in this order. */
export function listIn(
  prompt: string,
  intro: string,
  texts: readonly string[],
  more: Readonly<Record<string, Partial<ListItem>>> = {},
): List {
  const items = texts.map((text) => ({
    ...spanIn(prompt, text),
    options: [],
    price: null,
    time: null,
    quantity: null,
    ...more[text],
  }));
  const start = items[0]?.start ?? 0;
  const end = items.at(-1)?.end ?? 0;
  return { intro, items, start, end, text: prompt.slice(start, end) };
}

/** What makes the spec of a kind from a prompt and its parts, as the reader does. */
export async function composer() {
  const kinds = await kindsIn(new URL('../../src/factory/kinds/', import.meta.url), true);
  return (kind: string, prompt: string, parts: Parameters<typeof draftOf>[1] = {}): Composition => {
    const compose = kinds.compose(kind);
    if (!compose) throw new Error(`${kind} does not compose`);
    const draft = draftOf(prompt, parts);
    return compose(draft, kinds.content(kind, draft.lang));
  };
}
