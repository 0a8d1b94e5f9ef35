import { type TokenUsage, tokenUsage } from '../../model/usage.ts';
import { readUsage as readChatUsage } from '../wires/openai-chat/vendor/usage.ts';
import { readUsage as readResponsesUsage } from '../wires/openai-responses/vendor/reply.ts';

/** Maximum length of a line that is read, in bytes; the usage of a longer one is unknown. */
const maxLine = 8 * 1024 * 1024;

/** Reads along in the results of a batch, a line each, for what they have used. */
export class BatchUsage {
  #rest: Buffer[] = [];
  #length = 0;
  #total: TokenUsage | null = null;
  #model: string | null = null;

  /** The model of the first result that names one: a batch has one model, by which it is priced. */
  get model(): string | null {
    return this.#model;
  }

  read(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      this.#add(chunk.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  /** Of all results together; null if none reports any. Called at the end. */
  total(): TokenUsage | null {
    this.#line();
    return this.#total;
  }

  #add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > maxLine) this.#rest = [];
    else if (piece.length > 0) this.#rest.push(Buffer.from(piece));
  }

  #line(): void {
    const line = this.#length > maxLine ? '' : Buffer.concat(this.#rest).toString();
    this.#rest = [];
    this.#length = 0;
    const { usage, model } = line.trim() === '' ? nothing : resultIn(line);
    if (usage === null) return;
    this.#model ??= model;
    const sum = this.#total ?? tokenUsage({});
    const names = Object.keys(usage) as (keyof TokenUsage)[];
    this.#total = Object.fromEntries(
      names.map((name) => [name, Number(sum[name] ?? 0) + Number(usage[name])]),
    ) as unknown as TokenUsage;
  }
}

const nothing: Result = { usage: null, model: null };

interface Result {
  readonly usage: TokenUsage | null;
  readonly model: string | null;
}

function resultIn(line: string): Result {
  try {
    const { response } = JSON.parse(line) as { response?: { body?: { usage?: unknown; model?: unknown } } };
    const { usage, model } = response?.body ?? {};
    return {
      usage: readResponsesUsage(usage) ?? readChatUsage(usage),
      model: typeof model === 'string' ? model : null,
    };
  } catch {
    return nothing;
  }
}
