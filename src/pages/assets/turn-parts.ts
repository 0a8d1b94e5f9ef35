import type { ToolCall, Warning } from '../../../generated/types.gen.ts';
import { element } from './tree.ts';

/** One message of the conversation that is shown. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly warnings: readonly Warning[];
  /** What became of it, if that has to be said. */
  readonly note: string;
  /** The model that speaks. */
  readonly by: string;
  /** Whether it belongs to the conversation that is sent. */
  readonly kept: boolean;
  /** Whether more of it may come. */
  readonly live: boolean;
}

export function newTurn(role: Turn['role'], text: string): Turn {
  return { role, text, toolCalls: [], warnings: [], note: '', by: '', kept: true, live: false };
}

export function turnTree({ role, text, toolCalls, warnings, note, by, kept, live }: Turn) {
  const name = role === 'user' ? 'You' : by || 'Model';
  return element(
    'li',
    { class: 'turn', 'data-role': role, 'data-live': live, 'data-left-out': !kept },
    element('p', { class: 'turn-name' }, name),
    text !== '' && element('p', { class: 'said' }, text),
    live && text === '' && element('p', { class: 'muted' }, 'Waiting for the first words…'),
    ...toolCalls.map((call) => toolCallTree(call)),
    ...warnings.map(({ message }) => element('p', { class: 'muted small' }, message)),
    note !== '' && element('p', { class: 'turn-note' }, note),
  );
}

function toolCallTree({ function: { name, arguments: given } }: ToolCall) {
  return element(
    'div',
    { class: 'tool-call' },
    element('p', {}, 'Calls ', element('code', {}, name)),
    preTree('Arguments', given),
  );
}

/** A text as it is or, if it is JSON, set out in lines. */
export function preTree(label: string, text: string) {
  return element(
    'div',
    {},
    element('p', { class: 'pre-name' }, label),
    element('pre', { tabindex: '0', role: 'group', 'aria-label': label }, element('code', {}, laidOut(text))),
  );
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
