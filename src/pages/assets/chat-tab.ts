import type { ChatStreamEvent, ModelList } from '../../../generated/types.gen.ts';
import type { CallReport } from './api-caller.ts';
import { draw } from './draw.ts';
import { html } from './html.ts';
import { jsonOf } from './schema-fields.ts';
import { optionOf, Tab, type TabParts } from './tab.ts';
import { messagesOf, newTurn, type Turn, turnView } from './turn-parts.ts';

const otherModel = '\u0000';

export class ChatTab extends Tab {
  #message;
  #models;
  #turns: readonly Turn[] = [];
  /** Which one it is, so that an answer to an earlier one is left out. */
  #conversation = 0;
  #frame = 0;

  constructor(parts: TabParts) {
    super(parts);
    this.#message = this.find('#chat-message') as HTMLTextAreaElement;
    this.#models = this.find('#chat-model') as HTMLSelectElement;
    this.#models.addEventListener('change', () => this.#showOther());
    this.#message.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      (this.find('form') as HTMLFormElement).requestSubmit();
    });
    this.find('[data-clear]').addEventListener('click', () => this.clear());
    this.#show();
  }

  offer({ data, routes, default_model }: ModelList) {
    const groups = new Map();
    for (const { id, provider, alias_of, sent_as, substitution } of data) {
      const other = alias_of ?? (substitution ? sent_as : null);
      const option = optionOf(id, other === null ? id : `${id} (sent as ${other})`);
      groups.set(provider, [...(groups.get(provider) ?? []), option]);
    }
    const patterns = routes.map(({ pattern }) => pattern).join(', ');
    this.#models.replaceChildren(
      ...[...groups].map(([provider, options]) => groupOf(provider, options)),
      optionOf(otherModel, 'Another model…'),
    );
    this.#models.value = data.some(({ id }) => id === default_model)
      ? default_model
      : (data[0]?.id ?? otherModel);
    this.find('#chat-other-hint').textContent =
      patterns === '' ? '' : `The server also accepts names such as ${patterns}.`;
    this.#showOther();
  }

  clear() {
    this.button.stop();
    this.#conversation += 1;
    this.#turns = [];
    this.#complain('');
    this.report.clear();
    this.#show();
  }

  override async call(signal: AbortSignal) {
    const caller = this.parts.caller();
    const text = this.#message.value;
    if (caller === null) return;
    if (text.trim() === '') return this.#complain('Write a message first.');
    const settings = this.#settings();
    if (settings === null) return;
    this.#complain('');
    this.#message.value = '';
    const conversation = this.#conversation;
    const before = this.#turns;
    const asked = newTurn('user', text);
    const messages = messagesOf(this.#value('#chat-system'), [...before, asked]);
    const request = {
      path: '/v1/chat/stream',
      body: { ...settings, messages },
      stream: true,
      library: { method: 'streamChat' },
    };
    let answer: Turn = { ...newTurn('assistant', ''), by: settings.model, live: true };
    const show = (next: Turn) => {
      answer = next;
      if (conversation !== this.#conversation) return;
      this.#turns = [...before, asked, answer];
      this.#showSoon();
    };
    show(answer);
    this.report.begin(request);
    this.parts.announce('Waiting for the model.');
    const report = await caller.send(request, signal, (event) => show(afterEvent(answer, event)));
    if (conversation !== this.#conversation) return;
    this.report.show(report);
    const kept = answer.text !== '' || answer.toolCalls.length > 0;
    show({ ...answer, live: false, kept, note: noteOf(report, answer) });
    if (!kept) {
      this.#turns = [...before, { ...asked, kept: false }, answer];
      this.#message.value ||= text;
    }
    this.parts.announce(answer.note || 'The answer is complete.');
  }

  #settings() {
    const model = this.#models.value === otherModel ? this.#value('#chat-other').trim() : this.#models.value;
    const temperature = numberIn(this.#value('#chat-temperature'));
    const maxTokens = numberIn(this.#value('#chat-max-tokens'));
    const given = this.#value('#chat-tools');
    const tools = given.trim() === '' ? { value: undefined } : jsonOf(given);
    const refuse = (problem: string) => {
      this.#complain(problem);
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

  #showOther() {
    this.find('[data-other]').hidden = this.#models.value !== otherModel;
  }

  #complain(problem: string) {
    this.find('[data-message]').textContent = problem;
  }

  /** Draws once for all events that come within one frame. */
  #showSoon() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#show());
  }

  #show() {
    const list = this.find('[data-turns]');
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
    draw(list, html`${this.#turns.map(turnView)}`);
    this.find('[data-empty]').hidden = this.#turns.length > 0;
    list.hidden = this.#turns.length === 0;
    if (atEnd) list.scrollTop = list.scrollHeight;
  }

  #value(selector: string) {
    return (this.find(selector) as HTMLInputElement).value;
  }
}

function afterEvent(turn: Turn, told: unknown): Turn {
  const event = told as ChatStreamEvent;
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
