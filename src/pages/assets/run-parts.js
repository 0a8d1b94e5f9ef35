import { element, treesOf } from './tree.js';
import { preTree } from './turn-parts.js';
import { inTime } from './words.js';

/**
 * @typedef {import('../../../generated/types.gen.ts').AgentRunEvent} AgentRunEvent
 * @typedef {import('../../../generated/types.gen.ts').AgentRun} AgentRun
 * @typedef {import('../../../generated/types.gen.ts').RunStep} RunStep
 * @typedef {import('../../../generated/types.gen.ts').ToolCall} ToolCall
 */

/**
 * What is known of a run of an agent, from its events.
 * @typedef {object} RunState
 * @property {string | null} runId
 * @property {AgentRun['status'] | 'stopped' | 'lost'} status
 * @property {readonly RunStep[]} steps
 * @property {readonly ToolCall[]} calling tools that are at work
 * @property {string} text what the model says in the running step
 * @property {AgentRun | null} run the whole record, at the end
 */

/** @returns {RunState} */
export function newRun() {
  return { runId: null, status: 'running', steps: [], calling: [], text: '', run: null };
}

/**
 * @param {RunState} state
 * @param {AgentRunEvent} event
 * @returns {RunState}
 */
export function afterRunEvent(state, event) {
  switch (event.type) {
    case 'start':
      return { ...state, runId: event.run_id };
    case 'delta':
      return { ...state, text: state.text + event.content };
    case 'tool_call':
      return { ...state, calling: [...state.calling, event.tool_call] };
    case 'step': {
      const { step } = event;
      const steps = [...state.steps, step];
      if (step.type === 'model') return { ...state, steps, text: '' };
      return { ...state, steps, calling: state.calling.filter(({ id }) => id !== step.tool_call_id) };
    }
    case 'end':
      return { ...state, status: event.run.status, run: event.run, calling: [], text: '' };
    default:
      return state;
  }
}

/**
 * @typedef {import('./tree.js').Tree} Tree
 */

/**
 * The steps of a run, done and running.
 * @param {RunState} state
 * @returns {readonly Tree[]}
 */
export function stepTrees({ status, steps, calling, text }) {
  const idle = status === 'running' && calling.length === 0;
  return treesOf([
    ...steps.map(stepTree),
    ...(status === 'running' ? calling : []).map(({ function: { name, arguments: given } }) =>
      element(
        'li',
        { class: 'step', 'data-kind': 'tool', 'data-live': true },
        element('p', { class: 'step-name' }, 'Calling ', element('code', {}, name), ' …'),
        preTree('Arguments', given),
      ),
    ),
    (idle || text !== '') &&
      element(
        'li',
        { class: 'step', 'data-kind': 'model', 'data-live': status === 'running' },
        element('p', { class: 'step-name' }, idle ? 'The model is at work …' : 'The model'),
        text !== '' && element('p', { class: 'said' }, text),
      ),
  ]);
}

/**
 * @param {RunStep} step
 * @returns {Tree}
 */
function stepTree(step) {
  if (step.type === 'model') {
    const { model, usage, duration_ms, content, tool_calls = [] } = step;
    const calls = tool_calls.map(({ function: { name } }) => name).join(', ');
    return element(
      'li',
      { class: 'step', 'data-kind': 'model' },
      element('p', { class: 'step-name' }, 'Model ', element('code', {}, model)),
      element('p', { class: 'step-facts' }, `${inTime(duration_ms)}, ${usage.total_tokens} tokens`),
      content !== '' && element('p', { class: 'said' }, content),
      calls !== '' && element('p', {}, `Asks for ${calls}.`),
    );
  }
  const { name, duration_ms, is_error, arguments: given, result } = step;
  const build = is_error || name !== 'build_app' ? null : buildOf(result);
  return element(
    'li',
    { class: 'step', 'data-kind': 'tool', 'data-failed': is_error },
    element('p', { class: 'step-name' }, 'Tool ', element('code', {}, name), is_error && ' failed'),
    element('p', { class: 'step-facts' }, inTime(duration_ms)),
    preTree('Arguments', given),
    preTree('Result', result),
    build !== null &&
      element(
        'p',
        { class: 'actions' },
        element(
          'a',
          { class: 'button', href: `/preview/${build}/`, target: '_blank', rel: 'noopener noreferrer' },
          'Open the app',
        ),
        element('span', { class: 'muted small' }, 'If there is no app yet, it is still being built.'),
      ),
  );
}

/**
 * The id of the build that a tool has started. Of its result nothing else is made a link.
 * @param {string} result
 */
function buildOf(result) {
  const [id] = result.match(/\bjob_[0-9a-z]{26}\b/) ?? [];
  return id ?? null;
}

const outcomes = {
  running: 'Under way',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
  stopped: 'Stopped by you, which cancels the run',
  lost: 'The connection broke off',
};

/**
 * How the run stands, in a line.
 * @param {RunState} state
 * @returns {readonly Tree[]}
 */
export function runStatus({ status, runId, run }) {
  const reason = run?.stop_reason ? ` (${run.stop_reason.replaceAll('_', ' ')})` : '';
  return treesOf([
    element('strong', { 'data-status': status }, outcomes[status] ?? String(status)),
    reason,
    runId !== null && ' ',
    runId !== null && element('code', {}, runId),
  ]);
}
