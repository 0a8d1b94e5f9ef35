import type { RunReport } from './loop.ts';
import type { RunStore, UnnumberedEvent } from './run-store.ts';

/** Pieces of text that come within this time are written as one, in milliseconds. */
const gatherMs = 100;

/** The run ended without us: another process took it for lost. */
export class RunTakenOver extends Error {
  override readonly name = 'RunTakenOver';
}

/**
 * Writes the events of one run to the database, in their order, before anybody sees them. Pieces of text are gathered for
 * a moment. After a failure everything else fails with it, and `onFailure` is told.
 */
export class Recorder implements RunReport {
  readonly #store: RunStore;
  readonly #id: string;
  readonly #onWritten: () => void;
  readonly #onFailure: (error: unknown) => void;
  #waiting: UnnumberedEvent[] = [];
  #text: { readonly step: number; content: string } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  constructor(store: RunStore, id: string, onWritten: () => void, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#id = id;
    this.#onWritten = onWritten;
    this.#onFailure = onFailure;
  }

  start(agentId: string): Promise<void> {
    this.#add({ type: 'start', run_id: this.#id, agent_id: agentId });
    return this.flush();
  }

  delta(step: number, content: string): void {
    if (this.#text?.step === step) this.#text.content += content;
    else {
      this.#endText();
      this.#text = { step, content };
    }
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), gatherMs);
  }

  toolCall: RunReport['toolCall'] = (call) => {
    this.#add({ type: 'tool_call', tool_call: call });
    void this.flush().catch(() => undefined);
  };

  step: RunReport['step'] = (step) => {
    this.#add({ type: 'step', step });
    return this.flush();
  };

  /** Writes what waits. Rejects when it, or something before it, could not be written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#endText();
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing.then(() => {
      if (this.#failure) throw this.#failure.error;
    });
  }

  #add(event: UnnumberedEvent): void {
    this.#endText();
    this.#waiting.push(event);
  }

  #endText(): void {
    if (this.#text) this.#waiting.push({ type: 'delta', ...this.#text });
    this.#text = null;
  }

  async #write(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0 || this.#failure) return;
    try {
      if (!(await this.#store.append(this.#id, events))) throw new RunTakenOver('The run has ended already.');
      this.#onWritten();
    } catch (error) {
      this.#failure = { error };
      this.#onFailure(error);
    }
  }
}
