import type { ToolCall, Warning } from '../../../generated/types.gen.ts';
import { type Html, html } from './html.ts';

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly warnings: readonly Warning[];
  /** Its outcome, if that has to be said. */
  readonly note: string;
  readonly by: string;
  /** Whether it belongs to the conversation that is sent. */
  readonly kept: boolean;
  readonly live: boolean;
}

export function newTurn(role: Turn['role'], text: string): Turn {
  return { role, text, toolCalls: [], warnings: [], note: '', by: '', kept: true, live: false };
}

export function turnView({ role, text, toolCalls, warnings, note, by, kept, live }: Turn): Html {
  const name = role === 'user' ? 'You' : by || 'Model';
  return html`<li class="turn" data-role="${role}" ${live && html`data-live=""`} ${!kept && html`data-left-out=""`}>
<p class="turn-name">${name}</p>
${text !== '' && html`<p class="said">${text}</p>`}
${live && text === '' && html`<p class="muted">Waiting for the first words…</p>`}
${toolCalls.map(({ function: called }) => html`<div class="tool-call"><p>Calls <code>${called.name}</code></p>${preView('Arguments', called.arguments)}</div>`)}
${warnings.map(({ message }) => html`<p class="muted small">${message}</p>`)}
${note !== '' && html`<p class="turn-note">${note}</p>`}</li>`;
}

/** A text as it is or, if it is JSON, set out in lines. */
export function preView(label: string, text: string): Html {
  return html`<div><p class="pre-name">${label}</p><pre tabindex="0" role="group" aria-label="${label}"><code>${laidOut(text)}</code></pre></div>`;
}

function laidOut(text: string) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The messages to send, oldest first. Calls of tools cannot be answered here, so the conversation continues without them. */
export function messagesOf(system: string, turns: readonly Turn[]) {
  return [
    ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
    ...turns.flatMap(({ kept, role, text }) => (kept && text !== '' ? { role, content: text } : [])),
  ];
}
