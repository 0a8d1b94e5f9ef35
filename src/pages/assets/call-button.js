/** A form with a button that calls and one that stops the running call. */
export class CallButton {
  #submit;
  #stop;
  /** @type {AbortController | null} */
  #running = null;

  /**
   * @param {HTMLFormElement} form
   * @param {(signal: AbortSignal) => Promise<void>} call
   */
  constructor(form, call) {
    this.#submit = /** @type {HTMLButtonElement} */ (form.querySelector('[type="submit"]'));
    this.#stop = /** @type {HTMLButtonElement} */ (form.querySelector('[data-stop]'));
    this.#stop.addEventListener('click', () => this.stop());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#running === null) void this.#run(call);
    });
  }

  stop() {
    this.#running?.abort();
  }

  /** @param {(signal: AbortSignal) => Promise<void>} call */
  async #run(call) {
    this.#running = new AbortController();
    this.#show(true);
    try {
      await call(this.#running.signal);
    } finally {
      this.#running = null;
      this.#show(false);
    }
  }

  /**
   * A button that is really disabled would lose the focus.
   * @param {boolean} running
   */
  #show(running) {
    if (!running && document.activeElement === this.#stop) this.#submit.focus();
    this.#submit.setAttribute('aria-disabled', String(running));
    this.#stop.hidden = !running;
  }
}
