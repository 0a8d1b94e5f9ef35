/** Spans of calls; they contain prompts and answers only where the operator wants it: most do not. */

import { genAi, operationName, providerName } from '../../lib/gen-ai-conventions.ts';
import { activeTracer, beginSpan, currentSpan, type Span } from '../../lib/trace.ts';
import type { Part } from '../../model/parts.ts';
import type { AnswerPart, AskedFor, UnroutedCall } from '../../model/port.ts';

/** Begins the span of an attempt. */
export function spanOf(provider: string, model: string, asked: AskedFor | undefined): Span | null {
  const operation = operationName(currentSpan()?.operation ?? null);
  return beginSpan(`${operation} ${model}`, 'client', () => ({
    [genAi.operation]: operation,
    [genAi.provider]: providerName(provider),
    [genAi.requestModel]: model,
    [genAi.stream]: asked?.streaming || undefined,
    [genAi.maxTokens]: asked?.maxTokens,
    [genAi.temperature]: asked?.temperature,
    [genAi.topP]: asked?.topP,
    'switchyard.provider': provider,
  }));
}

/** Puts prompt and answer on a span where that is wanted; null: the answer is still to come. */
export function tellContents(
  span: Span,
  { messages }: UnroutedCall,
  answer: readonly AnswerPart[] | null,
): void {
  if (!activeTracer()?.contents) return;
  const asked = messages.map(({ role, content }) => ({ role, parts: content.map(partOnSpan) }));
  span.set({ [genAi.inputMessages]: JSON.stringify(asked) });
  if (answer !== null) tellAnswer(span, answer.map(partOnSpan));
}

/** The text of a streamed answer, once it is whole. */
export function tellStreamed(span: Span, text: string): void {
  tellAnswer(span, [{ type: 'text', content: text }]);
}

function tellAnswer(span: Span, parts: readonly object[]): void {
  span.set({ [genAi.outputMessages]: JSON.stringify([{ role: 'assistant', parts }]) });
}

/** Files are named by their kind alone. */
function partOnSpan(part: Part | AnswerPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', content: part.text };
    case 'tool_call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.arguments };
    case 'tool_result':
      return { type: 'tool_call_response', id: part.callId, response: part.content };
    default:
      return { type: part.type };
  }
}
