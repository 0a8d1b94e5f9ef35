import type { ServiceError } from '../../../../contract/errors.ts';
import { invalid } from '../../check.ts';

/**
 * The ids of the calls in one conversation. Each call has to be answered right after the message that made it. Some clients
 * count their calls from 0 in each turn: an id that has been there before gets another, with which its result goes along.
 */
export class CallIds {
  readonly #used = new Set<string>();
  /** The client's id of each call that has no result yet -> the id in the internal form. */
  #open = new Map<string, string>();

  /** A call was made. */
  called(id: string, path: string): string {
    if (this.#open.has(id)) throw invalid(path, 'repeats that of another call');
    let unique = id;
    for (let n = 2; this.#used.has(unique); n += 1) unique = `${id}_${n}`;
    this.#used.add(unique);
    this.#open.set(id, unique);
    return unique;
  }

  /** A result has come. */
  answered(id: string, path: string): string {
    const unique = this.#open.get(id);
    if (unique === undefined)
      throw invalid(path, 'must name a call of the assistant message before it, once');
    this.#open.delete(id);
    return unique;
  }

  /** Something else comes than a result. */
  expectNone(path: string): void {
    const [first] = this.#open.keys();
    if (first !== undefined) throw unanswered(path, first);
  }
}

function unanswered(path: string, id: string): ServiceError {
  return invalid(path, `must be a tool message that answers the call ${JSON.stringify(id)}`);
}
