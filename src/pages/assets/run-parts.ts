import type { AgentRun, AgentRunEvent, RunStep, ToolCall } from '../../../generated/types.gen.ts';
import { element, type Tree, treesOf } from './tree.ts';
import { preTree } from './turn-parts.ts';
import { inTime } from './words.ts';

/** What is known of a run of an agent, from its events. */
export interface RunState {
  readonly runId: string | null;
  readonly status: AgentRun['status'] | 'stopped' | 'lost';
  readonly steps: readonly RunStep[];
  /** Tools that are at work. */
  readonly calling: readonly ToolCall[];
  /** What the model says in the running step. */
  readonly text: string;
  /** The whole record, at the end. */
  readonly run: AgentRun | null;
}

export function newRun(): RunState {
  return { runId: null, status: 'running', steps: [], calling: [], text: '', run: null };
}

export function afterRunEvent(state: RunState, event: AgentRunEvent): RunState {
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

/** The steps of a run, done and running. */
export function stepTrees({ status, steps, calling, text }: RunState): readonly Tree[] {
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
        element('p', { class: 'step-name' }, idle ? 'The model is working …' : 'The model'),
        text !== '' && element('p', { class: 'said' }, text),
      ),
  ]);
}

function stepTree(step: RunStep): Tree {
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

/** The id of the build that a tool has started. Of its result nothing else is made a link. */
function buildOf(result: string) {
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

/** How the run stands, in a line. */
export function runStatus({ status, runId, run }: RunState): readonly Tree[] {
  const reason = run?.stop_reason ? ` (${run.stop_reason.replaceAll('_', ' ')})` : '';
  return treesOf([
    element('strong', { 'data-status': status }, outcomes[status] ?? String(status)),
    reason,
    runId !== null && ' ',
    runId !== null && element('code', {}, runId),
  ]);
}
