import { randomInt } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import { untilAborted } from '../../lib/timers.ts';
import { estimatePromptTokens, estimateTokens } from '../../lib/tokens.ts';
import { shownIn } from '../../model/contract-form.ts';
import { type ModelMessage, said, seesImages } from '../../model/parts.ts';
import type { Attempt, ModelGateway, UnroutedCall, VendorUsage } from '../../model/port.ts';
import { noTokens, type PriceOf, tokenUsage } from '../../model/usage.ts';
import type { BuildContext, BuildReport } from '../builder.ts';
import {
  Budget,
  type ModelLimits,
  type Room,
  Shortfall,
  type ShortfallReason,
  type Spent,
} from './budget.ts';

export interface ModelOptions {
  readonly models: Pick<ModelGateway, 'stream'> & Partial<Pick<ModelGateway, 'targetsOf'>>;
  /** As a client would name it. */
  readonly model: string;
  readonly limits: ModelLimits;
  readonly priceOf: PriceOf;
  /** Called with the reason why a call gave no answer, which those who watch the build see in words of ours alone. */
  readonly onFailure?: (error: unknown) => void;
}

/** A message of text alone. */
interface TextMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** A picture, as PNG, for models that see. */
  readonly image?: Uint8Array;
}

export interface Question {
  /** Names the call within its build; the same after a restart. */
  readonly name: string;
  /** The boundary to use; a new one if there is none. */
  readonly boundary?: string;
  /** Maximum number of tokens that the answer is worth. */
  readonly tokens: number;
  readonly messages: (boundary: string) => readonly TextMessage[];
  /** Called with the text so far at the end of each line, but not for an answer that is known from before a crash. */
  readonly onText?: (text: string, boundary: string) => Promise<void>;
}

export interface Answer {
  readonly boundary: string;
  readonly text: string;
  /** Whether the model came to an end by itself. */
  readonly whole: boolean;
}

/** A call as it is kept, whether it gave an answer or not. */
interface Outcome extends Answer, Spent {
  readonly shortfall: ShortfallReason | null;
  /** Figures beside the reason, for those who watch the build; left out: there are none. */
  readonly figures?: string;
}

/** An answer is cut off at so many characters for each token that was asked for: no text is shorter in tokens. */
const charactersPerToken = 8;
/** Code wants to be right rather than surprising. Models that take no temperature get none. */
const temperature = 0.3;

/** What the calls are made for: a build, or a plan alone. */
interface SessionReporter {
  readonly context: Pick<BuildContext, 'signal' | 'checkpoint'>;
  report(report: BuildReport): Promise<void>;
}

/** The calls of one build to its model: each is paid for once, and all of them stay within the limits. */
export class ModelSession {
  readonly #options: ModelOptions;
  readonly #reporter: SessionReporter;
  readonly #budget: Budget;

  constructor(options: ModelOptions, reporter: SessionReporter) {
    this.#options = options;
    this.#reporter = reporter;
    this.#budget = new Budget(options.limits, options.priceOf);
  }

  /** Throws a `Shortfall` when there is no answer, and the reason of the build's signal at once when that is aborted. */
  async ask({ name, boundary = newBoundary(), tokens, messages, onText }: Question): Promise<Answer> {
    const { checkpoint, signal } = this.#reporter.context;
    const room = this.#budget.room(lengthOf(messages(boundary)), tokens);
    const kept = await untilAborted(
      checkpoint(name, async () =>
        JSON.stringify(await this.#call(messages(boundary), boundary, room, onText)),
      ),
      signal,
    );
    const outcome = JSON.parse(kept) as Outcome;
    this.#budget.spend(outcome);
    await this.#reporter.report({ type: 'usage', usage: this.#budget.usage });
    if (outcome.shortfall) throw new Shortfall(outcome.shortfall, outcome.figures);
    return outcome;
  }

  /** Whether every model that may answer is known to see: others may refuse a request with a picture. */
  #sees(): boolean {
    const targets = this.#options.models.targetsOf?.(this.#options.model) ?? [];
    return targets.length > 0 && targets.every(({ model }) => seesImages(model));
  }

  async #call(
    messages: readonly TextMessage[],
    boundary: string,
    room: Room,
    onText: Question['onText'],
  ): Promise<Outcome> {
    const { models, model, priceOf, onFailure } = this.#options;
    const { signal } = this.#reporter.context;
    const call: UnroutedCall = {
      messages: saidIn(messages, this.#sees()),
      temperature,
      temperatureGiven: false,
      maxTokens: room.tokens,
    };
    const tooLate = AbortSignal.timeout(Math.ceil(room.ms));
    const startedAt = performance.now();
    let text = '';
    let whole = false;
    let shortfall: ShortfallReason | null = null;
    let usage: VendorUsage = null;
    let served: { readonly provider: string; readonly model: string } | null = null;
    let ours: { readonly thrown: unknown } | null = null;
    let figures: string | null = null;
    const attempts: Attempt[] = [];
    const onAttempt = (attempt: Attempt) => void attempts.push(attempt);
    try {
      const stream = await models.stream(model, call, {
        signal: AbortSignal.any([signal, tooLate]),
        onAttempt,
      });
      served = { provider: stream.provider, model: stream.model };
      const payable = this.#budget.payable(priceOf(served.provider, served.model), lengthOf(messages));
      const maxCharacters = Math.min(room.tokens, payable) * charactersPerToken;
      // Leaving the loop early closes the connection.
      for await (const event of stream.events) {
        if (event.type === 'end') {
          usage = event.usage;
          whole = event.finishReason === 'stop';
          if (event.finishReason === 'content_filter') shortfall = 'refused';
          continue;
        }
        const shown = shownIn(event);
        if (shown === '') continue;
        text += shown;
        if (text.length > maxCharacters) {
          shortfall = payable < room.tokens ? 'cost' : 'tokens';
          break;
        }
        if (!shown.includes('\n')) continue;
        await onText?.(text, boundary).catch((thrown: unknown) => {
          ours = { thrown };
          throw thrown;
        });
      }
    } catch (thrown) {
      signal.throwIfAborted();
      if (ours) throw thrown;
      onFailure?.(tooLate.aborted ? new Error('The model took longer than a build may.') : thrown);
      // An answer that broke off can be continued.
      if (tooLate.aborted) shortfall = 'time';
      else if (thrown instanceof ServiceError && thrown.tooLong) {
        shortfall = 'context';
        figures = await contextFigures(thrown.message, messages);
      } else if (text === '') shortfall = 'unreachable';
      // Whoever was still thinking has read the prompt.
      const last = attempts.at(-1);
      if (last?.outcome === 'cancelled') served ??= { provider: last.provider, model: last.model };
    }
    const counted = usage ?? (served ? await estimated(messages, text, room.tokens) : null);
    return {
      boundary,
      text,
      whole,
      shortfall,
      ...(figures !== null && { figures }),
      attempts,
      provider: served?.provider ?? null,
      model: served?.model ?? null,
      tokens: counted ?? noTokens,
      ms: performance.now() - startedAt,
    };
  }
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Marks that nobody can have foreseen: neither a prompt nor a file can pretend to be one. */
function newBoundary(): string {
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
}

function saidIn(messages: readonly TextMessage[], sees = false): ModelMessage[] {
  return messages.map(({ role, content, image }) => {
    const text = said(role, content);
    if (!image || !sees) return text;
    const data = Buffer.from(image).toString('base64');
    return {
      ...text,
      content: [...text.content, { type: 'image', source: { type: 'base64', mediaType: 'image/png', data } }],
    };
  });
}

function lengthOf(messages: readonly TextMessage[]): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}

/** How much context is needed and how much there is: as the vendor says it, or as far as it can be reckoned. */
async function contextFigures(said: string, messages: readonly TextMessage[]): Promise<string> {
  const counts = [...said.matchAll(/\b(\d[\d,]{2,8}) tokens/g)].map(([, digits = '']) =>
    Number(digits.replaceAll(',', '')),
  );
  const [needed, has] = [Math.max(...counts), Math.min(...counts)].map((count) => count.toLocaleString('en'));
  if (new Set(counts).size > 1) return `${needed} tokens are needed, and it has ${has}`;
  const prompt = await estimatePromptTokens({ messages: saidIn(messages) });
  return `about ${prompt.toLocaleString('en')} tokens are needed`;
}

async function estimated(messages: readonly TextMessage[], text: string, max: number): Promise<VendorUsage> {
  const inputUncached = await estimatePromptTokens({ messages: saidIn(messages) });
  return tokenUsage({ inputUncached, output: Math.min(await estimateTokens(text), max) });
}
