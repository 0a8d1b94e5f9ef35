import { element } from './tree.js';

/**
 * @typedef {import('../../../generated/types.gen.ts').ToolCall} ToolCall
 * @typedef {import('../../../generated/types.gen.ts').Warning} Warning
 */

/**
 * One message of the conversation that is shown.
 * @typedef {object} Turn
 * @property {'user' | 'assistant'} role
 * @property {string} text
 * @property {readonly ToolCall[]} toolCalls
 * @property {readonly Warning[]} warnings
 * @property {string} note what became of it, if that has to be said
 * @property {string} by the model that speaks
 * @property {boolean} kept whether it belongs to the conversation that is sent
 * @property {boolean} live whether more of it may come
 */

/**
 * @param {Turn['role']} role
 * @param {string} text
 * @returns {Turn}
 */
export function newTurn(role, text) {
  return { role, text, toolCalls: [], warnings: [], note: '', by: '', kept: true, live: false };
}

/** @param {Turn} turn */
export function turnTree({ role, text, toolCalls, warnings, note, by, kept, live }) {
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

/** @param {ToolCall} call */
function toolCallTree({ function: { name, arguments: given } }) {
  return element(
    'div',
    { class: 'tool-call' },
    element('p', {}, 'Calls ', element('code', {}, name)),
    preTree('Arguments', given),
  );
}

/**
 * A text as it is or, if it is JSON, set out in lines.
 * @param {string} label
 * @param {string} text
 */
export function preTree(label, text) {
  return element(
    'div',
    {},
    element('p', { class: 'pre-name' }, label),
    element('pre', { tabindex: '0', role: 'group', 'aria-label': label }, element('code', {}, laidOut(text))),
  );
}

/** @param {string} text */
function laidOut(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/**
 * The messages to send, oldest first. Calls of tools cannot be answered here, so the conversation continues without them.
 * @param {string} system
 * @param {readonly Turn[]} turns
 */
export function messagesOf(system, turns) {
  return [
    ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
    ...turns.flatMap(({ kept, role, text }) => (kept && text !== '' ? { role, content: text } : [])),
  ];
}
