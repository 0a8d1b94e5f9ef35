import type { Agent, AgentRunEvent } from '../../../generated/types.gen.ts';
import { draw } from './draw.ts';
import { html } from './html.ts';
import { afterRunEvent, newRun, type RunState, runStatus, stepsView } from './run-parts.ts';
import { SchemaForm } from './schema-form.ts';
import { optionOf, Tab, type TabParts } from './tab.ts';

/** What is worth a try with the agents that come with the server. */
const examples: Readonly<Record<string, readonly string[]>> = {
  assistant: ['What is 17 * 23?', 'What time is it?'],
  analyst: ['Total of 1200, 950 and 1430: what is 1200 + 950 + 1430?'],
  'app-builder': ['Build an app: a reading list where I can rate books'],
};

export class AgentsTab extends Tab {
  #picker;
  #input;
  #schemaForm;
  #variables;
  #agents: readonly Agent[] = [];
  #run = newRun();
  #frame = 0;

  constructor(parts: TabParts) {
    super(parts);
    this.#picker = this.find('#agent') as HTMLSelectElement;
    this.#input = this.find('#agent-input') as HTMLTextAreaElement;
    this.#schemaForm = new SchemaForm(this.find('[data-schema]'), 'agent-field');
    this.#variables = new SchemaForm(this.find('[data-variables]'), 'agent-variable');
    this.#picker.addEventListener('change', () => this.#choose());
    this.find('[data-examples]').addEventListener('click', ({ target }) => {
      const chip = target instanceof Element && target.closest('button');
      if (!chip) return;
      this.#input.value = chip.textContent ?? '';
      this.#input.focus();
    });
  }

  offer(agents: readonly Agent[]) {
    this.#agents = agents;
    this.#picker.replaceChildren(...agents.map(({ id, name }) => optionOf(id, name)));
    this.#choose();
  }

  clear() {
    this.button.stop();
    this.#run = newRun();
    this.report.clear();
    this.#input.value = '';
    this.#hideRun();
  }

  get #agent() {
    return this.#agents.find(({ id }) => id === this.#picker.value);
  }

  #choose() {
    const agent = this.#agent;
    if (!agent) return;
    const { description, model, tools, max_steps, variables, input_schema } = agent;
    const usable = tools.filter(({ available }) => available).map(({ name }) => name);
    draw(
      this.find('[data-about]'),
      html`<p>${description}</p>
<p class="muted small">Model ${model}, at most ${max_steps} calls of it. Tools: ${usable.join(', ') || 'none'}.</p>`,
    );
    this.#schemaForm.show(input_schema ?? { properties: {} });
    this.find('[data-text-input]').hidden = input_schema !== null;
    const texts = Object.fromEntries(variables.map((name) => [name, { type: 'string', maxLength: 200 }]));
    this.#variables.show({ properties: texts, required: variables });
    this.find('[data-has-variables]').hidden = variables.length === 0;
    const chips = input_schema === null ? (examples[agent.id] ?? []) : [];
    draw(
      this.find('[data-examples]'),
      html`${chips.map((text) => html`<button type="button" class="example">${text}</button>`)}`,
    );
  }

  override async call(signal: AbortSignal) {
    const caller = this.parts.caller();
    const agent = this.#agent;
    if (caller === null || !agent) return;
    const variables = this.#variables.read();
    const input = agent.input_schema === null ? this.#input.value : this.#schemaForm.read();
    const empty = input === '' ? 'Say what the agent is to do.' : '';
    this.find('[data-message]').textContent = empty;
    if (input === null || variables === null || empty !== '') return;
    const request = {
      path: `/v1/agents/${agent.id}/run/stream`,
      body: { input, ...(agent.variables.length > 0 && { variables }) },
      stream: true,
      library: { method: 'streamAgentRun', path: { agent_id: agent.id } },
    };
    this.#show(newRun());
    this.report.begin(request);
    this.parts.announce('The run begins.');
    const report = await caller.send(request, signal, (event) => {
      if (this.parts.caller() !== caller) return;
      const told = event as AgentRunEvent;
      this.#show(afterRunEvent(this.#run, told));
      if (told.type === 'tool_call') this.parts.announce(`It calls ${told.tool_call.function.name}.`);
    });
    if (this.parts.caller() !== caller) return;
    this.report.show(report);
    if (this.#run.status !== 'running') {
      return this.parts.announce(report.error?.message ?? `The run is over: ${this.#run.status}.`);
    }
    if (report.state === 'stopped') this.#show({ ...this.#run, status: 'stopped' });
    else if (report.status === 200) this.#show({ ...this.#run, status: 'lost' });
    else this.#hideRun();
    this.parts.announce(report.error?.message ?? 'The run did not end.');
  }

  #hideRun() {
    cancelAnimationFrame(this.#frame);
    this.find('[data-run]').hidden = true;
  }

  #show(state: RunState) {
    this.#run = state;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.find('[data-run]').hidden = false;
      draw(this.find('[data-status]'), runStatus(this.#run));
      draw(this.find('[data-steps]'), stepsView(this.#run));
    });
  }
}
