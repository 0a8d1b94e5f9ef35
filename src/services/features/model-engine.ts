import { ServiceError } from '../../contract/errors.ts';
import { detailsOf } from '../../contract/problems.ts';
import { contentOf, shownIn } from '../../model/contract-form.ts';
import { type ModelMessage, said } from '../../model/parts.ts';
import type { CallContext, CompletionStream, ModelGateway, Served, UnroutedCall } from '../../model/port.ts';
import { sandboxId } from '../../model/usage.ts';
import { answeredBy, type Spent, spend, usageOf } from '../../tenants/metering/spent.ts';
import { type Fields, Misfit, promptFile, type Task } from './task.ts';

export interface ModelCall {
  readonly feature: string;
  readonly task: Task;
  /** The model's name; null: the default model. */
  readonly model: string | null;
  readonly temperature: number;
  readonly maxTokens: number;
}

/** Maximum length of what goes back to the model of an answer that does not fit, in characters. */
const maxAnswerLength = 20_000;
const problemsShown = 20;

/** The first call of a model that is made, for the estimate of its tokens. */
export function firstCall({ task, temperature, maxTokens }: ModelCall): UnroutedCall {
  const messages = [said('system', task.system), said('user', task.user)];
  const form = task.form && { responseFormat: task.form };
  return { messages, temperature, temperatureGiven: false, maxTokens, ...form };
}

/**
 * Asks a model; an answer that does not fit goes back to it once, with what is wrong. Throws `output_invalid`,
 * `model_required` when only the sandbox answers, and what the gateway throws.
 */
export async function askModel(models: ModelGateway, call: ModelCall, context: CallContext, spent: Spent) {
  let next = firstCall(call);
  for (let round = 1; ; round += 1) {
    const { served, content } = await complete(models, call, next, context, spent);
    try {
      return { output: read(call, content), served, repaired: round > 1 };
    } catch (thrown) {
      if (!(thrown instanceof Misfit)) throw thrown;
      if (round === 2) throw doesNotFit(served, thrown);
      next = { ...next, messages: [...next.messages, ...(await repairMessages(content, thrown))] };
    }
  }
}

/** An answer of a model whose end was reached, or why it was not. */
interface Ended {
  readonly text: string;
  /** Whether it was cut off at its limit of tokens. */
  readonly cut: boolean;
}

async function complete(
  models: ModelGateway,
  { feature, model }: ModelCall,
  call: UnroutedCall,
  context: CallContext,
  spent: Spent,
): Promise<{ served: Served; content: Ended }> {
  const served = await models.complete(model, call, context).catch((error: unknown) => {
    if (call.responseFormat === undefined || !refusesForm(error)) throw error;
    const { responseFormat: _, ...inWords } = call;
    return models.complete(model, inWords, context);
  });
  const { parts, finishReason, usage } = served.completion;
  const content = contentOf(parts);
  answeredBy(spent, served);
  spend(spent, { ...served, usage: await usageOf(usage, call, content) });
  requireLanguageModel(feature, served);
  requireNotWithheld(served, finishReason);
  return { served, content: { text: content, cut: finishReason === 'length' } };
}

/**
 * Whether it may be the form of the answer that the vendor refuses: models differ in what they accept, and the schema is in
 * the prompt anyway.
 */
function refusesForm(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'provider_rejected' || error.param?.startsWith('response_format') === true;
}

function read({ task, maxTokens }: ModelCall, { text, cut }: Ended): Fields {
  if (cut) throw Misfit.because(`was cut off at its limit of ${maxTokens} tokens and has to be shorter`);
  return task.read(text);
}

async function repairMessages({ text }: Ended, { problems }: Misfit): Promise<ModelMessage[]> {
  const listed = detailsOf(problems)
    .slice(0, problemsShown)
    .map(({ path, message }) => `- ${path || 'It'} ${message}.`)
    .join('\n');
  const template = await promptFile('repair');
  const answer = text.trim().slice(0, maxAnswerLength);
  return [
    said('assistant', answer === '' ? '(nothing)' : answer),
    said(
      'user',
      template.replace('{{problems}}', () => listed),
    ),
  ];
}

function doesNotFit({ model }: Served, { problems }: Misfit): ServiceError {
  const [first] = detailsOf(problems);
  const what = first ? `${first.path || 'it'} ${first.message}` : 'it does not fit';
  const message = `The model ${JSON.stringify(model)} gave an answer that does not fit the output schema, twice: ${what}.`;
  return new ServiceError('output_invalid', message);
}

/**
 * Asks a model for a text, piece by piece. Nothing can be repaired then: pieces that are out stay out. The iteration gives the
 * pieces and returns the output; it throws where the answer is not whole.
 */
export async function streamFromModel(
  models: ModelGateway,
  call: ModelCall,
  context: CallContext,
  spent: Spent,
) {
  const first = firstCall(call);
  const served = await models.stream(call.model, first, context);
  try {
    answeredBy(spent, served);
    requireLanguageModel(call.feature, served);
  } catch (error) {
    await served.events.return();
    throw error;
  }
  return { served, pieces: () => pieces(served, served.events, call, first, spent) };
}

async function* pieces(
  served: Served,
  events: CompletionStream,
  call: ModelCall,
  first: UnroutedCall,
  spent: Spent,
): AsyncGenerator<string, Fields> {
  let text = '';
  let ended = false;
  try {
    for await (const event of events) {
      const shown = shownIn(event);
      if (shown !== '') {
        text += shown;
        yield shown;
      } else if (event.type === 'end') {
        spend(spent, { ...served, usage: await usageOf(event.usage, first, text) });
        ended = true;
        requireNotWithheld(served, event.finishReason);
        return read(call, { text, cut: event.finishReason === 'length' });
      }
    }
    throw new Error('the stream of a model ended without its end');
  } catch (thrown) {
    if (!(thrown instanceof Misfit)) throw thrown;
    const [problem] = detailsOf(thrown.problems);
    const message = `The text of the model ${JSON.stringify(served.model)} is not whole: it ${problem?.message}.`;
    throw new ServiceError('output_invalid', message);
  } finally {
    // Also when the reader has left.
    await events.return();
    if (!ended && text !== '') spend(spent, { ...served, usage: await usageOf(null, first, text) });
  }
}

function requireLanguageModel(feature: string, { provider }: Served): void {
  if (provider === sandboxId) throw modelRequired(feature, 'and the sandbox that answered is none');
}

function requireNotWithheld({ model }: Served, finishReason: string): void {
  if (finishReason !== 'content_filter') return;
  const message = `The provider of the model ${JSON.stringify(model)} withheld the answer.`;
  throw new ServiceError('output_invalid', message);
}

/** The settings that a language model needs before it can answer. */
export const howToConfigure =
  'Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or a provider in the file that SWITCHYARD_CONFIG names, and start the server again.';

/** @param why the second half of the sentence. */
export function modelRequired(feature: string, why: string): ServiceError {
  const message = `The feature "${feature}" needs a language model for this call, ${why}. ${howToConfigure}`;
  return new ServiceError('model_required', message);
}

/** How alike two texts are, in a word. */
export function verdictOf(similarity: number): string {
  if (similarity >= 1) return 'identical';
  if (similarity >= 0.85) return 'near_duplicate';
  if (similarity >= 0.6) return 'similar';
  return similarity >= 0.3 ? 'related' : 'different';
}
