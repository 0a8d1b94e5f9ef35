import type { ChatStreamEvent, ModelList } from '../../../generated/types.gen.ts';
import type { CallReport } from './api-caller.ts';
import { draw, oncePerFrame, submitByEnter } from './draw.ts';
import { html } from './html.ts';
import { openTab, type TabParts } from './report-view.ts';
import { jsonOf } from './schema-fields.ts';
import { messagesOf, newTurn, type Turn, turnView } from './turn-parts.ts';

const otherModel = '\u0000';

export function chatTab(parts: TabParts) {
  const { find, report, stop } = openTab(parts, call);
  const textIn = (selector: string) => (find(selector) as HTMLInputElement).value;
  const message = find('#chat-message') as HTMLTextAreaElement;
  const models = find('#chat-model') as HTMLSelectElement;
  let turns: readonly Turn[] = [];
  /** Which one it is, so that an answer to an earlier one is left out. */
  let conversation = 0;
  /** Draws once for all events that come within one frame. */
  const atNextFrame = oncePerFrame();
  models.addEventListener('change', showOther);
  submitByEnter(message);
  find('[data-clear]').addEventListener('click', clear);
  show();

  function offer({ data, routes, default_model }: ModelList) {
    const groups = new Map();
    for (const { id, provider, alias_of, sent_as, substitution } of data) {
      const other = alias_of ?? (substitution ? sent_as : null);
      const option = new Option(other === null ? id : `${id} (sent as ${other})`, id);
      groups.set(provider, [...(groups.get(provider) ?? []), option]);
    }
    const patterns = routes.map(({ pattern }) => pattern).join(', ');
    models.replaceChildren(
      ...[...groups].map(([provider, options]) => groupOf(provider, options)),
      new Option('Another model…', otherModel),
    );
    models.value = data.some(({ id }) => id === default_model) ? default_model : (data[0]?.id ?? otherModel);
    find('#chat-other-hint').textContent =
      patterns === '' ? '' : `The server also accepts names such as ${patterns}.`;
    showOther();
  }

  function clear() {
    stop();
    conversation += 1;
    turns = [];
    complain('');
    report.clear();
    show();
  }

  async function call(signal: AbortSignal) {
    const caller = parts.caller();
    const text = message.value;
    if (caller === null) return;
    if (text.trim() === '') return complain('Write a message first.');
    const settings = readSettings();
    if (settings === null) return;
    complain('');
    message.value = '';
    const begun = conversation;
    const before = turns;
    const asked = newTurn('user', text);
    const messages = messagesOf(textIn('#chat-system'), [...before, asked]);
    const request = {
      path: '/v1/chat/stream',
      body: { ...settings, messages },
      stream: true,
      library: { method: 'streamChat' },
    };
    let answer: Turn = { ...newTurn('assistant', ''), by: settings.model, live: true };
    const showAnswer = (next: Turn) => {
      answer = next;
      if (begun !== conversation) return;
      turns = [...before, asked, answer];
      atNextFrame(show);
    };
    showAnswer(answer);
    report.begin(request);
    parts.announce('Waiting for the model.');
    const called = await caller.send(request, signal, (event) => showAnswer(afterEvent(answer, event)));
    if (begun !== conversation) return;
    report.show(called);
    const kept = answer.text !== '' || answer.toolCalls.length > 0;
    showAnswer({ ...answer, live: false, kept, note: noteOf(called, answer) });
    if (!kept) {
      turns = [...before, { ...asked, kept: false }, answer];
      message.value ||= text;
    }
    parts.announce(answer.note || 'The answer is complete.');
  }

  function readSettings() {
    const model = models.value === otherModel ? textIn('#chat-other').trim() : models.value;
    const temperature = numberIn(textIn('#chat-temperature'));
    const maxTokens = numberIn(textIn('#chat-max-tokens'));
    const given = textIn('#chat-tools');
    const tools = given.trim() === '' ? { value: undefined } : jsonOf(given);
    const refuse = (problem: string) => {
      complain(problem);
      return null;
    };
    if (model === '') return refuse('Name a model.');
    if (Number.isNaN(temperature) || Number.isNaN(maxTokens))
      return refuse('Temperature and maximum tokens must be numbers.');
    if ('problem' in tools) return refuse(`The list of tools ${tools.problem}.`);
    return {
      model,
      ...(temperature !== null && { temperature }),
      ...(maxTokens !== null && { maxTokens }),
      ...(tools.value !== undefined && { tools: tools.value }),
    };
  }

  function showOther() {
    find('[data-other]').hidden = models.value !== otherModel;
  }

  function complain(problem: string) {
    find('[data-message]').textContent = problem;
  }

  function show() {
    const list = find('[data-turns]');
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
    draw(list, html`${turns.map(turnView)}`);
    find('[data-empty]').hidden = turns.length > 0;
    list.hidden = turns.length === 0;
    if (atEnd) list.scrollTop = list.scrollHeight;
  }

  return { offer, clear };
}

function afterEvent(turn: Turn, given: unknown): Turn {
  const event = given as ChatStreamEvent;
  switch (event.type) {
    case 'start':
      return { ...turn, by: event.model, warnings: event.warnings };
    case 'delta':
      return { ...turn, text: turn.text + event.content };
    case 'tool_call':
      return { ...turn, toolCalls: [...turn.toolCalls, event.tool_call] };
    default:
      return turn;
  }
}

function noteOf({ state, error }: CallReport, { toolCalls, text }: Turn) {
  const left = text === '' ? 'There is no answer' : 'What is shown is incomplete';
  if (state === 'stopped') return 'Stopped.';
  if (error !== null) return `${left}: ${error.message ?? 'the call failed.'}`;
  if (state !== 'whole')
    return `${left}: ${state === 'cut' ? 'the answer broke off.' : 'the server cannot be reached.'}`;
  return toolCalls.length > 0
    ? 'The playground does not run tools. Your next message continues without their results.'
    : '';
}

function groupOf(provider: string, options: readonly HTMLOptionElement[]) {
  const group = document.createElement('optgroup');
  group.label = provider === 'sandbox' ? 'Sandbox, no language model' : provider;
  group.append(...options);
  return group;
}

function numberIn(text: string) {
  return text.trim() === '' ? null : Number(text);
}
