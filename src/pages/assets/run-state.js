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
 * @property {string} text what the model says in the step that goes on
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
