import type { Warning } from '../../../generated/types.gen.ts';
import { type Camel, camelCased } from '../../lib/names.ts';
import { shorten } from '../../lib/static-text.ts';
import { inputTokens, type TokenUsage } from '../../model/usage.ts';
import type { AdmissionRow, Settlement } from '../../store/ledger.ts';
import { byName, type TokenColumn, tokenColumns } from '../../store/token-columns.ts';

/** Maximum number of warnings that are kept of a request. A client chooses the names of fields, so there may be any number. */
const maxWarnings = 100;

/** Maximum length of the name of a field, in characters. */
const maxLength = 200;

export const uncounted: Readonly<Record<TokenColumn, null>> = byName(tokenColumns, () => null);

/** Pause before settlements that failed are tried again, in milliseconds. */
const retryMs = 250;

/** The end of a request whose admission failed, or that has no settlement. */
export const abandoned = { status: 'failed', errorCode: 'internal_error' } as const;

const none: readonly Settlement[] = [];

/** The settlements that are not yet on disk. It is written with the next batch, as clients wait for it. */
export class Settlements {
  readonly #wake: () => void;
  readonly #abandonedStatus: number;
  #pending: Settlement[] = [];
  #writing: Settlement[] = [];
  #timer: NodeJS.Timeout | null = null;
  #due = false;
  #written = Promise.withResolvers<void>();
  #inTransit = Promise.withResolvers<void>();
  #attempted: ((written: boolean) => void)[] = [];
  #sequence = 0;

  /**
   * @param wake is called when there is something to write.
   * @param abandonedStatus under which the ledger shows requests that are `abandoned`
   */
  constructor(wake: () => void, abandonedStatus: number) {
    this.#wake = wake;
    this.#abandonedStatus = abandonedStatus;
  }

  /** Whether some are to be written now: after a failure there is a pause. */
  get due(): boolean {
    return this.#due && this.#pending.length > 0;
  }

  /** How many are not on disk yet. */
  get waiting(): number {
    return this.#pending.length + this.#writing.length;
  }

  /** Resolves when it is on disk. */
  add(settlement: Settlement): Promise<void> {
    // They are written in this order. By the time, so that a database finds the latest by where they are.
    this.#sequence = Math.max(this.#sequence + 1, settlement.settled_at * 1000);
    settlement.sequence = this.#sequence;
    const { promise } = this.#written;
    this.#pending.push(settlement);
    this.#due = true;
    this.#wake();
    return promise;
  }

  /** Replaces a settlement as long as it is not on disk, also one that the database is still waiting to write. */
  amend(settlement: Settlement, by: Settlement): void {
    by.sequence = settlement.sequence;
    for (const list of [this.#pending, this.#writing]) {
      const index = list.indexOf(settlement);
      if (index >= 0) list[index] = by;
    }
  }

  /** Takes all to write them; `done` or `failed` must follow. */
  take(): readonly Settlement[] {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = false;
    if (this.#pending.length === 0) return none;
    this.#writing = this.#pending;
    this.#pending = [];
    this.#inTransit = this.#written;
    this.#written = Promise.withResolvers<void>();
    return this.#writing;
  }

  done(): void {
    this.#writing = [];
    this.#inTransit.resolve();
    this.#report(true);
  }

  /** They are tried again: a settlement cannot be dropped. */
  failed(): void {
    if (this.#writing.length > 0) {
      this.#written.promise.then(this.#inTransit.resolve);
      this.#pending = [...this.#writing, ...this.#pending];
      this.#writing = [];
    }
    if (this.#pending.length > 0) this.#retry();
    this.#report(false);
  }

  /**
   * Closes requests whose admission failed although it may be on disk, or get there late. They are written once more as
   * admitted, so that whatever comes late changes nothing.
   */
  abandon(rows: readonly AdmissionRow[], now: number): void {
    for (const row of rows) {
      const { tenant_id, created_at, id, key_id, operation, tags } = row;
      this.add({
        tenant_id,
        created_at,
        id,
        key_id,
        operation,
        tags,
        sequence: 0,
        begins: row,
        status: abandoned.status,
        http_status: this.#abandonedStatus,
        model: null,
        provider: null,
        ...uncounted,
        usage_source: null,
        cost_micro_usd: null,
        price_versions: null,
        error_code: abandoned.errorCode,
        finish_reason: null,
        first_byte_ms: null,
        total_ms: 0,
        attempts: null,
        warnings: null,
        settled_at: now,
      });
    }
  }

  /** Resolves when all that is known now has been written, or an attempt to write it has failed. */
  async flush(): Promise<void> {
    while (this.#pending.length > 0 || this.#writing.length > 0) {
      const attempt = new Promise<boolean>((resolve) => this.#attempted.push(resolve));
      this.#due = true;
      this.#wake();
      if (!(await attempt)) return;
    }
  }

  #retry(): void {
    if (this.#timer || this.#due) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#due = true;
      this.#wake();
    }, retryMs);
    // A process that has nothing else to do flushes them when it closes.
    this.#timer.unref();
  }

  #report(written: boolean): void {
    const attempted = this.#attempted;
    this.#attempted = [];
    for (const resolve of attempted) resolve(written);
  }
}

/** The ledger's columns of tokens; null where there was nothing to count. */
export function columnsOf(tokens: TokenUsage | null): Record<TokenColumn, number | null> {
  if (tokens === null) return uncounted;
  return {
    prompt_tokens: inputTokens(tokens),
    completion_tokens: tokens.output,
    cached_tokens: tokens.cacheRead,
    reasoning_tokens: tokens.reasoning,
    cache_write_5m_tokens: tokens.cacheWrite5m,
    cache_write_1h_tokens: tokens.cacheWrite1h,
    audio_prompt_tokens: tokens.audioIn,
    audio_completion_tokens: tokens.audioOut,
    image_prompt_tokens: tokens.imageIn,
    image_completion_tokens: tokens.imageOut,
  };
}

/** The tokens of a request or of many, in the terms of reports. */
export type TokenSums = Camel<Record<TokenColumn, number>>;

/** The tokens of a row; classes that an older version did not count are 0. */
export function sumsIn(row: Readonly<Record<TokenColumn, number | null>>): TokenSums {
  return camelCased(byName(tokenColumns, (name) => row[name] ?? 0));
}

/** The same by class. */
export function tokensOf(sums: TokenSums): TokenUsage {
  const { promptTokens, cachedTokens, cacheWrite5mTokens, cacheWrite1hTokens } = sums;
  return {
    inputUncached: promptTokens - cachedTokens - cacheWrite5mTokens - cacheWrite1hTokens,
    cacheRead: cachedTokens,
    cacheWrite5m: cacheWrite5mTokens,
    cacheWrite1h: cacheWrite1hTokens,
    output: sums.completionTokens,
    reasoning: sums.reasoningTokens,
    audioIn: sums.audioPromptTokens,
    audioOut: sums.audioCompletionTokens,
    imageIn: sums.imagePromptTokens,
    imageOut: sums.imageCompletionTokens,
  };
}

/**
 * A warning as the ledger keeps it, with the field that it is about; null: none of the request's. The code implies the
 * words.
 */
export interface KeptWarning {
  readonly code: Warning['code'];
  readonly param: string | null;
}

/** The ledger's text of them; null for none. */
export function warningsText(warnings: readonly Warning[]): string | null {
  if (warnings.length === 0) return null;
  const kept = warnings.slice(0, maxWarnings).map(
    ({ code, param }): KeptWarning => ({
      code,
      param: typeof param === 'string' ? shorten(param, maxLength) : null,
    }),
  );
  return JSON.stringify(kept);
}

/** The row in the ledger. */
export function warningsIn(text: string | null): readonly KeptWarning[] {
  return text === null ? [] : (JSON.parse(text) as KeptWarning[]);
}
