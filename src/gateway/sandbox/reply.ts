import type { ResponseFormat } from '../../../generated/types.gen.ts';
import { shorten } from '../../lib/static-text.ts';
import { type Citation, type ToolCallPart, textOf } from '../../model/parts.ts';
import { type ModelCall, sandboxId } from '../../model/port.ts';
import { madeUpInstance } from './made-up.ts';
import type { SandboxModel } from './models.ts';
import { everyTool, type Turn, turnOf } from './tool-calls.ts';

/** What the sandbox says or calls; what is empty is not there. */
export interface Reply {
  /** Before the answer. */
  readonly thought: string;
  readonly text: string;
  /** In place of an answer. */
  readonly refusal: string;
  /** Of the text. */
  readonly citations: readonly Citation[];
  readonly calls: readonly ToolCallPart[];
}

/** The reply to a call, without regard to the maximum of tokens. */
export async function replyOf(model: SandboxModel, call: ModelCall): Promise<Reply> {
  if (model === 'sandbox/empty') return nothing;
  if (model === 'sandbox/refusal') return { ...nothing, refusal };
  const thought = model === 'sandbox/thinking' ? thinking(call) : '';
  const reply = await answerOf(model, call);
  if (model !== 'sandbox/citations' || reply.text === '') return { ...nothing, ...reply, thought };
  const text = `${reply.text} ${cited}`;
  return { ...nothing, text, citations: [{ ...source, start: reply.text.length + 1, end: text.length }] };
}

async function answerOf(model: SandboxModel, call: ModelCall): Promise<Pick<Reply, 'text' | 'calls'>> {
  const { calls, results } = turnFor(model, call);
  if (calls.length > 0) return { text: '', calls };
  if (call.responseFormat) return { text: JSON.stringify(await inForm(call.responseFormat)), calls };
  if (model === 'sandbox/echo') return { text: question(call), calls };
  return { text: results.length > 0 ? report(results) : introduction(call), calls };
}

function turnFor(model: SandboxModel, call: ModelCall): Turn {
  if (model === 'sandbox/echo' || !call.tools) return { calls: [], results: [] };
  return model === 'sandbox/parallel-tools' ? everyTool(call) : turnOf(call);
}

const nothing: Reply = { thought: '', text: '', refusal: '', citations: [], calls: [] };

const refusal =
  'This is the built-in sandbox of Switchyard: it was asked to refuse, and refuses every request.';

const cited = 'It was asked to cite something, too, and made this up.';
const source: Citation = { url: 'https://example.com/', title: 'Example Domain', citedText: cited };

function thinking(call: ModelCall): string {
  const asked = shorten(question(call), 200);
  return `No language model thinks here: the sandbox was asked to show a thought. ${asked ? `The question is "${asked}".` : 'There is no question.'}`;
}

async function inForm(format: ResponseFormat): Promise<unknown> {
  return format.type === 'json_schema'
    ? madeUpInstance(format.json_schema.schema)
    : { sandbox: 'No language model was called; this is made up.' };
}

function report(results: Turn['results']): string {
  const lines = results.map(
    ({ name, arguments: json, result }) => `${name} ${shorten(json, 200)} gave: ${shorten(result, 2000)}`,
  );
  return `${lines.join('\n')}\n\nThis is the built-in sandbox of Switchyard: it called the tools and repeats what they gave, without a language model.`;
}

function question(call: ModelCall): string {
  const last = call.messages.findLast(({ role }) => role === 'user');
  return last ? textOf(last) : '';
}

function introduction(call: ModelCall): string {
  const asked = shorten(question(call), 200);
  return (
    `This is the built-in sandbox of Switchyard: no language model was called. ` +
    `${asked ? `You asked: "${asked}" ` : ''}` +
    `To get real answers, set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY and start the server again. ` +
    `GET /v1/models lists what it can do until then, such as ${sandboxId}/echo.`
  );
}
