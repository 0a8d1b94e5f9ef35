import type {
  Agent,
  AgentList,
  AgentRun,
  AgentRunEvent,
  RunStep,
  ToolCall,
} from '../../../generated/types.gen.ts';
import { draw, onClick, oncePerFrame, optionOf } from './draw.ts';
import { type Html, html } from './html.ts';
import { schemaForm } from './schema-form.ts';
import { openTab, type TabParts } from './tab.ts';
import { preView } from './turn-parts.ts';
import { inTime } from './words.ts';

/** What is worth a try with the agents that come with the server. */
const examples: Readonly<Record<string, readonly string[]>> = {
  assistant: ['What is 17 * 23?', 'What time is it?'],
  analyst: ['Total of 1200, 950 and 1430: what is 1200 + 950 + 1430?'],
  'app-builder': ['Build an app: a reading list where I can rate books'],
};

export function agentsTab(parts: TabParts) {
  const { find, report, stop } = openTab(parts, call);
  const picker = find('#agent') as HTMLSelectElement;
  const box = find('#agent-input') as HTMLTextAreaElement;
  const inputForm = schemaForm(find('[data-schema]'), 'agent-field');
  const variablesForm = schemaForm(find('[data-variables]'), 'agent-variable');
  let agents: readonly Agent[] = [];
  let run = newRun();
  const atNextFrame = oncePerFrame();
  picker.addEventListener('change', choose);
  onClick(find('[data-examples]'), 'button', ({ textContent }) => {
    box.value = textContent ?? '';
    box.focus();
  });

  function offer({ data }: AgentList) {
    agents = data;
    picker.replaceChildren(...agents.map(({ id, name }) => optionOf(id, name)));
    choose();
  }

  function clear() {
    stop();
    run = newRun();
    report.clear();
    box.value = '';
    hideRun();
  }

  const chosen = () => agents.find(({ id }) => id === picker.value);

  function choose() {
    const agent = chosen();
    if (!agent) return;
    const { description, model, tools, max_steps, variables, input_schema } = agent;
    const usable = tools.filter(({ available }) => available).map(({ name }) => name);
    draw(
      find('[data-about]'),
      html`<p>${description}</p>
<p class="muted small">Model ${model}, at most ${max_steps} calls of it. Tools: ${usable.join(', ') || 'none'}.</p>`,
    );
    inputForm.show(input_schema ?? { properties: {} });
    find('[data-text-input]').hidden = input_schema !== null;
    const texts = Object.fromEntries(variables.map((name) => [name, { type: 'string', maxLength: 200 }]));
    variablesForm.show({ properties: texts, required: variables });
    find('[data-has-variables]').hidden = variables.length === 0;
    const chips = input_schema === null ? (examples[agent.id] ?? []) : [];
    draw(
      find('[data-examples]'),
      html`${chips.map((text) => html`<button type="button" class="example">${text}</button>`)}`,
    );
  }

  async function call(signal: AbortSignal) {
    const caller = parts.caller();
    const agent = chosen();
    if (caller === null || !agent) return;
    const variables = variablesForm.read();
    const input = agent.input_schema === null ? box.value : inputForm.read();
    const empty = input === '' ? 'Say what the agent is to do.' : '';
    find('[data-message]').textContent = empty;
    if (input === null || variables === null || empty !== '') return;
    const request = {
      path: `/v1/agents/${agent.id}/run/stream`,
      body: { input, ...(agent.variables.length > 0 && { variables }) },
      stream: true,
      library: { method: 'streamAgentRun', path: { agent_id: agent.id } },
    };
    show(newRun());
    report.begin(request);
    parts.announce('The run begins.');
    const called = await caller.send(request, signal, (event) => {
      if (parts.caller() !== caller) return;
      const runEvent = event as AgentRunEvent;
      show(afterRunEvent(run, runEvent));
      if (runEvent.type === 'tool_call') parts.announce(`It calls ${runEvent.tool_call.function.name}.`);
    });
    if (parts.caller() !== caller) return;
    report.show(called);
    if (run.status !== 'running') {
      return parts.announce(called.error?.message ?? `The run is over: ${run.status}.`);
    }
    if (called.state === 'stopped') show({ ...run, status: 'stopped' });
    else if (called.status === 200) show({ ...run, status: 'lost' });
    else hideRun();
    parts.announce(called.error?.message ?? 'The run did not end.');
  }

  function hideRun() {
    atNextFrame(() => {
      find('[data-run]').hidden = true;
    });
  }

  function show(state: RunState) {
    run = state;
    atNextFrame(() => {
      find('[data-run]').hidden = false;
      draw(find('[data-status]'), runStatus(run));
      draw(find('[data-steps]'), stepsView(run));
    });
  }

  return { offer, clear };
}

/** What is known of a run of an agent, from its events. */
export interface RunState {
  readonly runId: string | null;
  readonly status: AgentRun['status'] | 'stopped' | 'lost';
  readonly steps: readonly RunStep[];
  readonly calling: readonly ToolCall[];
  /** What the model says in the running step. */
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
