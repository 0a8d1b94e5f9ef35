import { randomInt } from 'node:crypto';
import { untilAborted } from '../../lib/sleep.ts';
import { estimatePromptTokens, estimateTokens } from '../../lib/tokens.ts';
import { shownIn } from '../../model/contract-form.ts';
import { said } from '../../model/parts.ts';
import type { ModelGateway, UnroutedCall, VendorUsage } from '../../model/port.ts';
import type { PriceOf } from '../../model/prices.ts';
import { noTokens, tokenUsage } from '../../model/token-usage.ts';
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
  readonly models: Pick<ModelGateway, 'stream'>;
  /** As a client would name it. */
  readonly model: string;
  readonly limits: ModelLimits;
  readonly priceOf: PriceOf;
}

/** A message of text alone. */
export interface TextMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface Question {
  /** Names the call within its build; the same after a restart. */
  readonly name: string;
  /** The boundary to use; a new one if there is none. */
  readonly boundary?: string;
  /** Maximum number of tokens that the answer is worth. */
  readonly tokens: number;
  readonly messages: (boundary: string) => readonly TextMessage[];
  /** Told of the text so far at the end of each line. Not told again of an answer that is known from before a crash. */
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
}

/** An answer is cut off at so many characters for each token that was asked for: no text is shorter in tokens. */
const charactersPerToken = 8;
/** Code wants to be right rather than surprising. Models that take no temperature get none. */
const temperature = 0.3;

/** What the calls are made for: a build, or a plan alone. */
export interface SessionReporter {
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
    if (outcome.shortfall) throw new Shortfall(outcome.shortfall);
    return outcome;
  }

  async #call(
    messages: readonly TextMessage[],
    boundary: string,
    room: Room,
    onText: Question['onText'],
  ): Promise<Outcome> {
    const { models, model, priceOf } = this.#options;
    const { signal } = this.#reporter.context;
    const call: UnroutedCall = {
      messages: saidIn(messages),
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
    try {
      const stream = await models.stream(model, call, { signal: AbortSignal.any([signal, tooLate]) });
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
      // An answer that broke off can be continued; what was said of it by the vendor is in the gateway's log.
      if (tooLate.aborted) shortfall = 'time';
      else if (text === '') shortfall = 'unreachable';
    }
    const counted = usage ?? (served ? await estimated(messages, text, room.tokens) : null);
    return {
      boundary,
      text,
      whole,
      shortfall,
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

function saidIn(messages: readonly TextMessage[]) {
  return messages.map(({ role, content }) => said(role, content));
}

function lengthOf(messages: readonly TextMessage[]): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}

async function estimated(messages: readonly TextMessage[], text: string, max: number): Promise<VendorUsage> {
  const inputUncached = await estimatePromptTokens({ messages: saidIn(messages) });
  return tokenUsage({ inputUncached, output: Math.min(await estimateTokens(text), max) });
}
