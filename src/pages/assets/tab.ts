import type { ApiCaller } from './api-caller.ts';
import { ReportView } from './report-view.ts';

export type TabParts = {
  panel: HTMLElement;
  caller: () => ApiCaller | null;
  announce: (text: string) => void;
};

/** A tab of the playground: a form that calls the interface, and a report of the last call. */
export abstract class Tab {
  protected readonly parts: TabParts;
  protected readonly report;
  protected readonly button;

  constructor(parts: TabParts) {
    this.parts = parts;
    this.report = new ReportView(this.find('[data-report]'));
    this.button = new CallButton(this.find('form') as HTMLFormElement, (signal) => this.call(signal));
  }

  protected abstract call(signal: AbortSignal): Promise<void>;

  protected find(selector: string) {
    return this.parts.panel.querySelector(selector) as HTMLElement;
  }
}

export function optionOf(value: string, text: string) {
  const option = document.createElement('option');
  option.value = value;
  option.textContent = text;
  return option;
}

/** A form with a button that calls and one that stops the running call. */
class CallButton {
  #submit;
  #stop;
  #running: AbortController | null = null;

  constructor(form: HTMLFormElement, call: (signal: AbortSignal) => Promise<void>) {
    this.#submit = form.querySelector('[type="submit"]') as HTMLButtonElement;
    this.#stop = form.querySelector('[data-stop]') as HTMLButtonElement;
    this.#stop.addEventListener('click', () => this.stop());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#running === null) void this.#run(call);
    });
  }

  stop() {
    this.#running?.abort();
  }

  async #run(call: (signal: AbortSignal) => Promise<void>) {
    this.#running = new AbortController();
    this.#show(true);
    try {
      await call(this.#running.signal);
    } finally {
      this.#running = null;
      this.#show(false);
    }
  }

  /** A button that is really disabled would lose the focus. */
  #show(running: boolean) {
    if (!running && document.activeElement === this.#stop) this.#submit.focus();
    this.#submit.setAttribute('aria-disabled', String(running));
    this.#stop.hidden = !running;
  }
}
