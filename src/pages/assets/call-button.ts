/** A form with a button that calls and one that stops the running call. */
export class CallButton {
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
