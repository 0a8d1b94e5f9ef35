import { embeddedBuilder } from '../../src/factory/embedded-builder.ts';
import type { Builder, BuildReport } from '../../src/factory/factory.ts';

/** A builder that does what the embedded one does, but waits, fails or repairs when its prompt says so. */
export interface StagedBuilder {
  readonly builder: Builder;
  /** Lets the builds go on whose prompt says "wait". */
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
