import { newReport } from './api-caller.js';
import { curlOf, fetchOf, libraryOf } from './call-code.js';
import { countDown } from './count-down.js';
import { draw } from './draw.js';
import { errorParts, factParts } from './report-parts.js';

/**
 * @typedef {import('./api-caller.js').ApiRequest} ApiRequest
 * @typedef {import('./api-caller.js').CallReport} CallReport
 */

/** The part of the playground that shows the last call of a tab, with the code that makes the same. */
export class ReportView {
  #root;
  #waiting = new AbortController();

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * A call begins.
   * @param {ApiRequest} request
   */
  begin(request) {
    this.#root.dataset['shown'] = '';
    const code = { curl: curlOf, fetch: fetchOf, library: libraryOf };
    for (const [name, write] of Object.entries(code)) {
      const block = this.#root.querySelector(`[data-code="${name}"] code`);
      if (block) draw(block, [write(request, location.origin)]);
    }
    this.show(newReport(request));
  }

  clear() {
    this.#waiting.abort();
    delete this.#root.dataset['shown'];
    for (const part of this.#root.querySelectorAll('[data-part], [data-code] code')) part.replaceChildren();
  }

  /** @param {CallReport} report */
  show(report) {
    this.#waiting.abort();
    this.#waiting = new AbortController();
    draw(this.#part('facts'), factParts(report));
    const { status, retryAfterMs } = report;
    const waits = retryAfterMs !== null && (status === 429 || status === 503);
    draw(this.#part('error'), errorParts(report, waits ? retryAfterMs : null));
    if (waits) void this.#count(report, Date.now() + retryAfterMs);
  }

  /**
   * @param {CallReport} report
   * @param {number} until
   */
  async #count(report, until) {
    const tick = (/** @type {number} */ left) => draw(this.#part('error'), errorParts(report, left));
    if (await countDown(until, this.#waiting.signal, tick)) tick(0);
  }

  /** @param {string} name */
  #part(name) {
    return /** @type {HTMLElement} */ (this.#root.querySelector(`[data-part="${name}"]`));
  }
}
