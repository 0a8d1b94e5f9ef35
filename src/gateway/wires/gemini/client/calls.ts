import { type Fields, wrong } from './fields.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  /** As the client has it; undefined where it has none. */
  readonly given: string | undefined;
}

/**
 * The calls of tools in a conversation and which result belongs to which. Clients may leave ids out or use one twice; then
 * results go by name and order. Ids that are made up depend on nothing but the place of the call, so that the same
 * conversation is read into the same parts each time and vendors' caches find its beginning again.
 */
export class Calls {
  readonly #ids = new Set<string>();
  #open: Call[] = [];

  /** The id of a call. */
  add(call: Fields, place: string): string {
    const given = call.text('id') || undefined;
    const name = call.text('name') ?? '';
    let id = given ?? `call_${place}`;
    while (this.#ids.has(id)) id += '_';
    this.#ids.add(id);
    this.#open.push({ id, name, given });
    return id;
  }

  /** The id of the call that a result answers. Throws `invalid_request` where there is none. */
  answer(response: Fields): string {
    const given = response.text('id') || undefined;
    const name = response.text('name');
    const byId = given === undefined ? undefined : this.#open.find((call) => call.given === given);
    const call =
      byId ??
      this.#open.find((open) => open.name === name && (open.given === undefined || given === undefined));
    if (!call) {
      const field = given === undefined ? 'name' : 'id';
      throw wrong(response.at(field), 'enum', 'must name a call of the model turn before it, once');
    }
    this.#open = this.#open.filter((open) => open !== call);
    return call.id;
  }

  /** Throws `invalid_request` where a call of the turn before has no result. */
  requireAnswered(path: string): void {
    const [call] = this.#open;
    if (call)
      throw wrong(path, 'tool_result', `must answer the call of ${JSON.stringify(call.name)} before it`);
  }

  get open(): boolean {
    return this.#open.length > 0;
  }
}
