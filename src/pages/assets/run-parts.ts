import type { AgentRun, AgentRunEvent, RunStep, ToolCall } from '../../../generated/types.gen.ts';
import { type Html, html } from './html.ts';
import { preView } from './turn-parts.ts';
import { inTime } from './words.ts';

/** The known state of a run of an agent, from its events. */
export interface RunState {
  readonly runId: string | null;
  readonly status: AgentRun['status'] | 'stopped' | 'lost';
  readonly steps: readonly RunStep[];
  readonly calling: readonly ToolCall[];
  /** The model's text in the running step. */
  readonly text: string;
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
export function stepsView({ status, steps, calling, text }: RunState): Html {
  const running = status === 'running';
  const idle = running && calling.length === 0;
  return html`${steps.map(stepView)}${(running ? calling : []).map(
    ({ function: called }) => html`<li class="step" data-kind="tool" data-live="">
<p class="step-name">Calling <code>${called.name}</code> …</p>${preView('Arguments', called.arguments)}</li>`,
  )}${
    (idle || text !== '') &&
    html`<li class="step" data-kind="model" ${running && html`data-live=""`}>
<p class="step-name">${idle ? 'The model is working …' : 'The model'}</p>${text !== '' && html`<p class="said">${text}</p>`}</li>`
  }`;
}

function stepView(step: RunStep): Html {
  if (step.type === 'model') {
    const { model, usage, duration_ms, content, tool_calls = [] } = step;
    const calls = tool_calls.map(({ function: { name } }) => name).join(', ');
    return html`<li class="step" data-kind="model"><p class="step-name">Model <code>${model}</code></p>
<p class="step-facts">${inTime(duration_ms)}, ${usage.total_tokens} tokens</p>
${content !== '' && html`<p class="said">${content}</p>`}
${calls !== '' && html`<p>Asks for ${calls}.</p>`}</li>`;
  }
  const { name, duration_ms, is_error, arguments: given, result } = step;
  const build = is_error || name !== 'build_app' ? null : buildOf(result);
  return html`<li class="step" data-kind="tool" ${is_error && html`data-failed=""`}>
<p class="step-name">Tool <code>${name}</code>${is_error && ' failed'}</p>
<p class="step-facts">${inTime(duration_ms)}</p>
${preView('Arguments', given)}${preView('Result', result)}
${build !== null && html`<p class="actions"><a class="button" href="/preview/${build}/" target="_blank" rel="noopener noreferrer">Open the app</a><span class="muted small">If there is no app yet, it is still being built.</span></p>`}</li>`;
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

export function runStatus({ status, runId, run }: RunState): Html {
  const reason = run?.stop_reason ? ` (${run.stop_reason.replaceAll('_', ' ')})` : '';
  return html`<strong data-status="${status}">${outcomes[status] ?? status}</strong>${reason}${runId !== null && html` <code>${runId}</code>`}`;
}
