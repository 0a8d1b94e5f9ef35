import { LostJobError, Recorder } from '../../background/jobs/recorder.ts';
import type { RunReport } from './loop.ts';
import type { RunStore, UnnumberedEvent } from './run-store.ts';

/** Pieces of text that come within this time are written as one, in milliseconds. */
const gatherMs = 100;

/**
 * Writes the events of one run. Pieces of text are gathered for a moment. Nobody waits for these, so after a failure
 * everything else fails with it, and `onFailure` is told.
 */
export class RunRecorder implements RunReport {
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
