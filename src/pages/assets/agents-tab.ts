import type { Agent, AgentList, AgentRunEvent } from '../../../generated/types.gen.ts';
import { draw, onClick, oncePerFrame } from './draw.ts';
import { html } from './html.ts';
import { openTab, type TabParts } from './report-view.ts';
import { afterRunEvent, newRun, type RunState, runStatus, stepsView } from './run-parts.ts';
import { schemaForm } from './schema-form.ts';

/** Example inputs for the agents that come with the server. */
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
    picker.replaceChildren(...agents.map(({ id, name }) => new Option(name, id)));
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
