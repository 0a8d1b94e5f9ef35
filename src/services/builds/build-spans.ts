import type { Stage } from '../../factory/builder.ts';
import { beginSpan, beginTrace, inSpan, type Span } from '../../lib/trace.ts';
import type { Build } from './build.ts';

/** A build as a trace of its own, with a span for each of its stages; costs nothing while nothing is traced. */
export class BuildSpans {
  readonly #build: Span | null;
  #stage: Span | null = null;

  constructor({ id, attempt, tenantId }: Build) {
    this.#build = beginTrace('build', 'internal', () => ({
      'switchyard.build.id': id,
      'switchyard.build.attempt': attempt,
      'switchyard.tenant': tenantId ?? undefined,
    }));
  }

  /** Runs the work of the build, whose calls of models belong to it. */
  within<Result>(work: () => Result): Result {
    return inSpan(this.#build, work);
  }

  /** A stage begins, and the one before is over. */
  enter(stage: Stage): void {
    if (this.#build === null) return;
    this.#stage?.end();
    this.#stage = inSpan(this.#build, () =>
      beginSpan(`build ${stage}`, 'internal', () => ({ 'switchyard.build.stage': stage })),
    );
  }

  /** @param failure why it failed, by its code; null: it did not */
  end(failure: string | null): void {
    this.#stage?.end(failure);
    this.#build?.end(failure);
  }
}
