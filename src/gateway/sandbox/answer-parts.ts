import type { AnswerPart, CompletionEvent } from '../../model/port.ts';

/** Puts the pieces of an answer together. */
export class AnswerParts {
  readonly parts: AnswerPart[] = [];

  take(event: Exclude<CompletionEvent, { type: 'end' }>): void {
    const last = this.parts.at(-1);
    switch (event.type) {
      case 'delta':
      case 'refusal_delta': {
        const type = event.type === 'delta' ? 'text' : 'refusal';
        if (last?.type === type) this.#replace({ ...last, text: last.text + event.content });
        else this.parts.push({ type, text: event.content });
        break;
      }
      case 'citation':
        if (last?.type === 'text')
          this.#replace({ ...last, citations: [...(last.citations ?? []), event.citation] });
        break;
      case 'thinking':
        this.parts.push(event.part);
        break;
      case 'tool_call':
        this.parts.push(event.toolCall);
        break;
      default:
      // It comes once more as a whole.
    }
  }

  #replace(part: AnswerPart): void {
    this.parts[this.parts.length - 1] = part;
  }
}
