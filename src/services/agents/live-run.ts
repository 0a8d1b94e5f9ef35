import type { AgentRun, RunStep } from '../../../generated/types.gen.ts';
import type { Work } from '../../background/jobs/local-jobs.ts';
import { LostJobError, Recorder } from '../../background/jobs/recorder.ts';
import { ServiceError, toServiceError } from '../../contract/errors.ts';
import { genAi } from '../../lib/gen-ai-conventions.ts';
import { beginSpan, traced } from '../../lib/trace.ts';
import type { ModelMessage } from '../../model/parts.ts';
import type { ModelGateway } from '../../model/port.ts';
import type { AgentRunRow } from '../../store/background-schema.ts';
import { StoreError } from '../../store/errors.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import type { Meter } from '../../tenants/metering/meter.ts';
import { nothingSpent, usageView } from '../../tenants/metering/spent.ts';
import { LimitReached, type Outcome, type RunReport, runLoop } from './loop.ts';
import type { RunEnd, RunStore, UnnumberedEvent } from './run-store.ts';
import type { Agent } from './settings.ts';
import type { AgentTool } from './tools/tool.ts';
import { inOrder, summaryView } from './view.ts';

export interface LiveRunParts {
  readonly store: RunStore;
  readonly models: ModelGateway;
  readonly agent: Agent;
  readonly tools: readonly AgentTool[];
  readonly messages: readonly ModelMessage[];
  readonly row: AgentRunRow;
  readonly meter: Meter;
  readonly context: Pick<MeteredRequest, 'caller' | 'requestId' | 'tagsHeader'> & {
    readonly signal: AbortSignal;
  };
  /** Called with internal faults. */
  readonly onFault: (error: unknown, what: string) => void;
  /** Called after each event that was written. */
  readonly onWritten: () => void;
}

/** The reason of a run that was cancelled from outside. */
export const cancelled = new DOMException('The run was cancelled.', 'AbortError');
export const interrupted = new ServiceError('run_interrupted', 'The server ended before the run did.');

interface Ending {
  readonly status: RunEnd['status'];
  readonly stopReason: AgentRun['stop_reason'];
  readonly error: ServiceError | null;
}

/** A run that this process carries out. */
export class LiveRun implements Work {
  readonly id: string;
  readonly #parts: LiveRunParts;
  readonly #abort = new AbortController();
  readonly #steps: RunStep[] = [];
  readonly #progress: Outcome = { output: null, ...nothingSpent() };
  /** The end that could not be written yet. */
  #unwritten: { readonly event: UnnumberedEvent; readonly end: RunEnd } | null = null;
  /**
   * Resolves when the run is over, with its record if this process has written its end; null: the database failed, or
   * another process has ended it.
   */
  readonly done: Promise<AgentRun | null>;

  constructor(parts: LiveRunParts) {
    this.id = parts.row.id;
    this.#parts = parts;
    this.done = this.#run();
  }

  get written(): boolean {
    return this.#unwritten === null;
  }

  /** @param reason `cancelled` or `interrupted` */
  stop(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Writes the end that could not be written before. False when the run had ended already. */
  async writeEnd(): Promise<boolean> {
    if (!this.#unwritten) return false;
    const { event, end } = this.#unwritten;
    const written = await this.#parts.store.append(this.id, [event], end);
    this.#unwritten = null;
    this.#parts.onWritten();
    return written;
  }

  async #run(): Promise<AgentRun | null> {
    const { store, models, agent, tools, messages, row, meter, context, onFault, onWritten } = this.#parts;
    const { signal } = this.#abort;
    const recorder = new RunRecorder(store, this.id, onWritten, (error) => this.stop(error));
    const timeUp = new LimitReached('max_time', `The run reached its cap of ${agent.maxSeconds} seconds.`);
    const timer = setTimeout(() => this.stop(timeUp), agent.maxSeconds * 1000);
    const stop = () => this.stop(context.signal.reason);
    if (row.background === 0) {
      if (context.signal.aborted) stop();
      else context.signal.addEventListener('abort', stop, { once: true });
    }
    let ending: Ending;
    try {
      await recorder.start(agent.id);
      const report = {
        delta: recorder.delta.bind(recorder),
        toolCall: recorder.toolCall,
        step: (step: RunStep) => {
          this.#steps.push(step);
          return recorder.step(step);
        },
      };
      const { onAttempt } = meter;
      const { caller, requestId, tagsHeader = null } = context;
      const span = beginSpan(`invoke_agent ${agent.id}`, 'internal', () => ({
        [genAi.operation]: 'invoke_agent',
        [genAi.agentName]: agent.id,
      }));
      const run = () =>
        runLoop(
          {
            models,
            agent,
            tools,
            messages,
            report,
            onFault,
            context: { caller, requestId, tagsHeader, signal, onAttempt },
          },
          this.#progress,
        );
      await traced(span, run, (thrown) => toServiceError(thrown).code);
      ending = { status: 'succeeded', stopReason: 'answered', error: null };
    } catch (thrown) {
      ending = this.#endingOf(thrown);
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', stop);
    }
    await recorder.flush().catch(() => undefined);
    await this.#settle(ending).catch((thrown: unknown) => {
      ending = this.#endingOf(thrown);
    });
    return this.#end(ending);
  }

  /** Before the end is published. Throws `StoreError` where the ledger cannot hold a success. */
  async #settle({ status, stopReason, error }: Ending): Promise<void> {
    const { meter } = this.#parts;
    const delivered = { ...this.#progress, finishReason: stopReason };
    if (status === 'succeeded') await meter.succeeded(delivered);
    else if (status === 'cancelled') meter.cancelled(delivered);
    else await meter.failed(error, delivered);
  }

  #endingOf(thrown: unknown): Ending {
    const { signal } = this.#abort;
    const reason: unknown = signal.aborted ? signal.reason : thrown;
    if (reason instanceof LimitReached)
      return { status: 'failed', stopReason: reason.stopReason, error: reason };
    if (
      reason === interrupted ||
      reason instanceof LostJobError ||
      (reason instanceof ServiceError && reason.code === 'shutting_down')
    )
      return { status: 'interrupted', stopReason: null, error: interrupted };
    if (reason instanceof StoreError) {
      this.#parts.onFault(reason, 'the record of a run');
      const message = 'The database of the server failed while the agent ran.';
      const error = new ServiceError('storage_unavailable', message);
      return { status: 'failed', stopReason: null, error };
    }
    if (reason instanceof DOMException && reason.name === 'AbortError')
      return { status: 'cancelled', stopReason: null, error: null };
    const error = toServiceError(reason);
    if (error.code === 'internal_error') this.#parts.onFault(reason, 'a run');
    return { status: 'failed', stopReason: null, error };
  }

  async #end({ status, stopReason, error }: Ending): Promise<AgentRun | null> {
    const { store, row, onFault } = this.#parts;
    const finishedAt = store.now;
    const run: AgentRun = {
      ...summaryView({ ...row, status, finished_at: finishedAt }),
      stop_reason: stopReason,
      output: this.#progress.output,
      steps: inOrder(this.#steps),
      usage: this.#progress.usage && usageView(this.#progress.usage),
      error: error && { code: error.code, message: error.message, retryable: error.retryable },
      request_id: row.request_id,
    };
    this.#unwritten = { event: { type: 'end', run }, end: { status, finishedAt } };
    const written = await this.writeEnd().catch((failure: unknown) => onFault(failure, 'the end of a run'));
    return written ? run : null;
  }
}

/** Pieces of text that come within this time are written as one, in milliseconds. */
const gatherMs = 100;

/**
 * Writes the events of one run. Pieces of text are gathered for a moment. These are not awaited, so after a failure
 * everything later fails with it, and `onFailure` is called.
 */
class RunRecorder implements RunReport {
  readonly #id: string;
  readonly #recorder: Recorder<UnnumberedEvent>;
  #text: { readonly step: number; content: string } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  constructor(store: RunStore, id: string, onWritten: () => void, onFailure: (error: unknown) => void) {
    this.#id = id;
    this.#recorder = new Recorder(async (events) => {
      if (this.#failure) throw this.#failure.error;
      try {
        if (!(await store.append(id, events))) throw new LostJobError('The run has ended already.');
      } catch (error) {
        this.#failure = { error };
        onFailure(error);
        throw error;
      }
    }, onWritten);
  }

  start(agentId: string): Promise<void> {
    return this.#take({ type: 'start', run_id: this.#id, agent_id: agentId });
  }

  delta(step: number, content: string): void {
    if (this.#text?.step === step) this.#text.content += content;
    else {
      this.#take();
      this.#text = { step, content };
    }
    this.#timer ??= setTimeout(() => this.#take(), gatherMs);
  }

  toolCall: RunReport['toolCall'] = (call) => {
    this.#take({ type: 'tool_call', tool_call: call });
  };

  step: RunReport['step'] = (step) => this.#take({ type: 'step', step });

  /** Writes what waits. Rejects when it, or something before it, could not be written. */
  flush(): Promise<void> {
    return this.#take();
  }

  /** Writes the text that was gathered, and then an event. */
  #take(event?: UnnumberedEvent): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = event ? [event] : [];
    if (this.#text) events.unshift({ type: 'delta', ...this.#text });
    this.#text = null;
    if (events.length === 0) return this.#last;
    this.#last = this.#recorder.take(...events);
    // Who does not wait for it learns of it by `onFailure`.
    this.#last.catch(() => undefined);
    return this.#last;
  }
}
