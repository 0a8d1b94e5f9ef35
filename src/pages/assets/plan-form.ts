// Over 300 lines: one form, whose controls fill each other in.
import { draw } from './draw.ts';
import { useGrips } from './grips.ts';
import { iconFold, loadIcons } from './icon-picker.ts';
import { listAt, placeOfProblem, valueAt, withValueAt } from './json-pointer.ts';
import { type IconsShown, idOf } from './plan-controls.ts';
import {
  type Draft,
  placeAfter,
  planToSend,
  typedValue,
  withItem,
  withKind,
  withMoved,
  withoutItem,
  withType,
  withVariant,
} from './plan-edits.ts';
import { planFormParts } from './plan-form-parts.ts';
import { labelOf } from './plan-labels.ts';
import { itemName } from './plan-lists.ts';
import { type PlanForms, schemaAt } from './plan-schema.ts';
import { type Detail as Problem, Refusal } from './refusal.ts';
import { troubleText } from './told.ts';
import { counted } from './words.ts';

export class PlanForm {
  #root;
  #prefix;
  #announce;
  #onChange;
  #forms: PlanForms = { schema: {}, kinds: [] };
  #draft: Draft = {};
  #problems: Map<string, string> = new Map();
  #icons: IconsShown = { choices: null, search: '', problem: '' };
  /** Whether a part is unfolded, by its name or its place. */
  #unfolded: Map<string, boolean> = new Map();

  /** @param options.prefix of the ids of its controls */
  constructor(
    root: HTMLElement,
    options: {
      readonly prefix: string;
      readonly announce: (text: string) => void;
      readonly onChange: () => void;
    },
  ) {
    this.#root = root;
    this.#prefix = options.prefix;
    this.#announce = options.announce;
    this.#onChange = options.onChange;
    root.addEventListener('input', (event) => this.#typed(event.target));
    root.addEventListener('change', (event) => this.#chosen(event.target));
    root.addEventListener('click', (event) => this.#clicked(event.target));
    // Events of unfolding do not bubble.
    root.addEventListener('toggle', (event) => void this.#opened(event.target), true);
    useGrips(root, (list, from, to) => this.#move(list, from, to));
  }

  get draft() {
    return this.#draft;
  }

  /** The draft without what its kind has no place for. */
  get plan() {
    return planToSend(this.#draft, this.#forms);
  }

  show(forms: PlanForms, draft: Draft) {
    this.#forms = forms;
    this.#draft = draft;
    this.#problems.clear();
    this.#redraw();
  }

  /**
   * Shows what the server found wrong, each at its control, and takes the reader to the first.
   * @returns those that no control is about
   */
  complain(problems: readonly Problem[]): readonly string[] {
    this.#problems.clear();
    const others = [];
    for (const { path, code, message } of problems) {
      const place = placeOfProblem(path, (pointer) => this.#controlAt(pointer) !== null);
      if (place === null) others.push(message);
      else if (!this.#problems.has(place)) this.#problems.set(place, sentence(code, message));
    }
    this.#redraw();
    const [first] = this.#problems.keys();
    if (first !== undefined) this.reveal(first);
    return others;
  }

  /** What is said of a plan that was refused, with what no control is about. @param what it is called */
  explain(error: unknown, what: string): string {
    const details = error instanceof Refusal && error.status === 400 ? error.details : null;
    const others = details ? this.complain(details) : [];
    if (details && details.length > 0 && others.length === 0)
      return `Something in the ${what} is wrong; it says where.`;
    return [troubleText(error), ...others.slice(1)].join(' ');
  }

  /**
   * Unfolds what a control is in, and puts the focus on it.
   * @returns false where neither the place nor one above it has a control
   */
  reveal(pointer: string): boolean {
    const place = placeOfProblem(pointer, (at) => this.#controlAt(at) !== null);
    const control = place === null ? null : this.#controlAt(place);
    for (let part = control?.closest('details'); part; part = part.parentElement?.closest('details'))
      part.open = true;
    control?.focus();
    return control !== null;
  }

  /** The control of a place, or what stands for a list. */
  #controlAt(pointer: string): HTMLElement | null {
    const id = idOf({ prefix: this.#prefix }, pointer);
    const found = document.getElementById(id) ?? document.getElementById(`${id}-add`);
    return found && this.#root.contains(found) ? found : null;
  }

  #redraw() {
    this.#noteFolds();
    this.#draw();
  }

  #draw() {
    draw(this.#root, planFormParts(this.#state()));
    for (const part of this.#root.querySelectorAll('details')) {
      const name = part.dataset['fold'] ?? '';
      part.open = this.#unfolded.get(name) ?? part.dataset['unfolded'] !== undefined;
    }
    this.#fill();
  }

  #noteFolds() {
    for (const part of this.#root.querySelectorAll('details'))
      this.#unfolded.set(part.dataset['fold'] ?? '', part.open);
  }

  /** Puts the draft into the controls; what is right already stays, with the cursor in it. */
  #fill() {
    for (const control of this.#root.querySelectorAll('input, select, textarea')) {
      if (control instanceof HTMLInputElement && control.dataset['list'] !== undefined) {
        control.checked = listAt(this.#draft, control.dataset['list']).includes(control.value);
        continue;
      }
      const input = control as HTMLInputElement;
      const { path } = input.dataset;
      if (path === undefined) continue;
      const value = valueAt(this.#draft, path);
      if (input.type === 'radio') {
        input.checked = input.value === (value ?? '');
        continue;
      }
      if (input.type === 'checkbox') {
        input.checked = value === true;
        continue;
      }
      const text = Array.isArray(value) ? value.join('\n') : String(value ?? defaultOf(input));
      if (document.activeElement === input && sameText(input, text)) continue;
      if (input.value !== text) input.value = text;
    }
  }

  #typed(target: EventTarget | null) {
    if (!(target instanceof HTMLElement)) return;
    const { list, path, sort } = target.dataset;
    const input = target as HTMLInputElement;
    if (target.dataset['iconSearch'] !== undefined) {
      this.#icons = { ...this.#icons, search: input.value };
      this.#redraw();
    } else if (list !== undefined) {
      const others = listAt(this.#draft, list).filter((value) => value !== input.value);
      this.#set(list, input.checked ? [...others, input.value] : others);
    } else if (path !== undefined && sort === 'boolean') {
      this.#set(path, input.checked);
    } else if (path !== undefined) {
      const how = sort === 'number' || sort === 'lines' ? sort : 'text';
      this.#set(path, typedValue(input.value, how, this.#isNeeded(path)));
    }
  }

  #isNeeded(path: string) {
    const at = path.lastIndexOf('/');
    const above = path.slice(0, at);
    if (above === '') return true;
    const { required } = schemaAt(this.#forms.schema, above);
    const name = path.slice(at + 1);
    return (
      required.includes(name) || (name === 'options' && valueAt(this.#draft, `${above}/type`) === 'select')
    );
  }

  #set(path: string, value: unknown) {
    this.#draft = withValueAt(this.#draft, path, value);
    this.#unproblem(path);
    this.#onChange();
  }

  /** What is being mended is not wrong any more until the server says so again. */
  #unproblem(path: string) {
    if (!this.#problems.delete(path)) return;
    const control = this.#controlAt(path);
    control?.removeAttribute('aria-invalid');
    document.getElementById(`${idOf({ prefix: this.#prefix }, path)}-problem`)?.remove();
  }

  async #opened(target: EventTarget | null) {
    if (!(target instanceof HTMLDetailsElement) || !target.open || this.#icons.choices !== null) return;
    if (target.dataset['fold'] !== iconFold) return;
    try {
      this.#icons = { ...this.#icons, choices: await loadIcons(), problem: '' };
    } catch {
      this.#icons = {
        ...this.#icons,
        problem: 'The pictures could not be loaded. Close this and open it again.',
      };
    }
    this.#redraw();
  }

  /** What other parts of the form depend on is drawn again. */
  #chosen(target: EventTarget | null) {
    const { path = '' } = target instanceof HTMLElement ? target.dataset : {};
    const { value } = target as HTMLSelectElement;
    if (path === '/kind') this.#draft = withKind(this.#draft, value, this.#forms);
    else if (path === '/variant') this.#draft = withVariant(this.#draft, value, this.#forms);
    else if (/^\/entity\/fields\/\d+\/type$/.test(path))
      this.#draft = withType(this.#draft, path.replace(/\/type$/, ''), value);
    this.#redraw();
    this.#onChange();
  }

  #clicked(target: EventTarget | null) {
    const button = target instanceof Element && target.closest('button');
    if (!button) return;
    const { do: action, at = '', set, value } = button.dataset;
    if (set !== undefined) {
      this.#set(set, value);
      this.#redraw();
      return;
    }
    if (action === 'add') return this.#add(at);
    const cut = at.lastIndexOf('/');
    const list = at.slice(0, cut);
    const index = Number(at.slice(cut + 1));
    if (action === 'remove') this.#remove(list, index);
    else if (action === 'up') this.#move(list, index, index - 1, action);
    else if (action === 'down') this.#move(list, index, index + 1, action);
  }

  #add(list: string) {
    this.#noteFolds();
    this.#draft = withItem(this.#draft, list, this.#forms);
    const place = `${list}/${listAt(this.#draft, list).length - 1}`;
    this.#unfolded.set(place, true);
    this.#draw();
    const first = this.#root.querySelector(
      `[data-item="${place}"] :is(input:not([type="checkbox"]), select, textarea)`,
    );
    if (first instanceof HTMLElement) first.focus();
    this.#tell(list, `A new ${labelOf(list).one} was added.`);
  }

  #remove(list: string, index: number) {
    const name = itemName(this.#state(), list, index);
    this.#noteFolds();
    this.#draft = withoutItem(this.#draft, list, index);
    this.#carry(list, index, null);
    this.#draw();
    const left = listAt(this.#draft, list).length;
    const next = `${list}/${Math.min(index, left - 1)}`;
    (this.#button('remove', next) ?? this.#controlAt(list))?.focus();
    this.#tell(list, `${name} was removed.`);
  }

  #move(list: string, from: number, to: number, by?: 'up' | 'down') {
    const amount = listAt(this.#draft, list).length;
    if (from === to || to < 0 || to >= amount) return;
    const name = itemName(this.#state(), list, from);
    this.#noteFolds();
    this.#draft = withMoved(this.#draft, list, from, to);
    this.#carry(list, from, to);
    this.#draw();
    const other = by === 'up' ? 'down' : 'up';
    if (by) (this.#button(by, `${list}/${to}`) ?? this.#button(other, `${list}/${to}`))?.focus();
    this.#tell(list, `${name} is now at place ${to + 1} of ${amount}.`);
  }

  /** Takes along what is known of places in a list. */
  #carry(list: string, from: number, to: number | null) {
    this.#unfolded = carried(this.#unfolded, list, from, to);
    this.#problems = carried(this.#problems, list, from, to);
  }

  #state() {
    return {
      forms: this.#forms,
      draft: this.#draft,
      problems: this.#problems,
      prefix: this.#prefix,
      icons: this.#icons,
    };
  }

  #tell(list: string, what: string) {
    const { one = 'item' } = labelOf(list);
    this.#announce(`${what} ${counted(listAt(this.#draft, list).length, one)}.`);
    this.#onChange();
  }

  #button(action: string, place: string): HTMLElement | null {
    return this.#root.querySelector(`button[data-do="${action}"][data-at="${place}"]:not([disabled])`);
  }
}

function carried<T>(
  known: ReadonlyMap<string, T>,
  list: string,
  from: number,
  to: number | null,
): Map<string, T> {
  const next: Map<string, T> = new Map();
  for (const [place, value] of known) {
    const now = placeAfter(place, list, from, to);
    if (now !== null) next.set(now, value);
  }
  return next;
}

function sentence(code: string, message: string) {
  if (code === 'required' || code === 'minLength') return 'This is required.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}

function defaultOf(input: HTMLInputElement) {
  return input.type === 'color' ? '#000000' : (input.dataset['default'] ?? '');
}

/** Whether a box says the same in other characters, such as blank lines while the user types. */
function sameText(input: HTMLInputElement, text: string) {
  const { sort } = input.dataset;
  if (sort === 'lines')
    return (
      input.value
        .split('\n')
        .flatMap((line) => line.trim() || [])
        .join('\n') === text
    );
  return sort === 'number' && Number(input.value.replace(',', '.')) === Number(text);
}
