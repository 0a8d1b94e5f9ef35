// Over 300 lines: one form, whose controls fill each other in.
import { draw } from './draw.js';
import { useGrips } from './grips.js';
import { iconFold, loadIcons } from './icon-picker.js';
import { listAt, placeOfProblem, valueAt, withValueAt } from './json-pointer.js';
import { idOf } from './plan-controls.js';
import {
  placeAfter,
  planToSend,
  typedValue,
  withItem,
  withKind,
  withMoved,
  withoutItem,
  withType,
  withVariant,
} from './plan-edits.js';
import { planFormParts } from './plan-form-parts.js';
import { labelOf } from './plan-labels.js';
import { itemName } from './plan-lists.js';
import { schemaAt } from './plan-schema.js';
import { counted } from './words.js';

/**
 * @typedef {import('./plan-edits.js').Draft} Draft
 * @typedef {import('./plan-schema.js').PlanForms} PlanForms
 * @typedef {import('./refusal.js').Detail} Problem
 */

/** The form of a plan: shows a draft and takes edits. */
export class PlanForm {
  #root;
  #prefix;
  #announce;
  #onChange;
  /** @type {PlanForms} */
  #forms = { schema: {}, kinds: [] };
  /** @type {Draft} */
  #draft = {};
  /** @type {Map<string, string>} */
  #problems = new Map();
  /** @type {import('./icon-picker.js').IconsShown} */
  #icons = { choices: null, search: '', problem: '' };
  /** Whether a part is unfolded, by its name or its place. @type {Map<string, boolean>} */
  #unfolded = new Map();

  /**
   * @param {HTMLElement} root
   * @param {object} options
   * @param {string} options.prefix of the ids of its controls
   * @param {(text: string) => void} options.announce
   * @param {() => void} options.onChange
   */
  constructor(root, { prefix, announce, onChange }) {
    this.#root = root;
    this.#prefix = prefix;
    this.#announce = announce;
    this.#onChange = onChange;
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

  /**
   * @param {PlanForms} forms
   * @param {Draft} draft
   */
  show(forms, draft) {
    this.#forms = forms;
    this.#draft = draft;
    this.#problems.clear();
    this.#redraw();
  }

  /**
   * Shows what the server found wrong, each at its control, and takes the reader to the first.
   * @param {readonly Problem[]} problems
   * @returns {readonly string[]} those that no control is about
   */
  complain(problems) {
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

  /**
   * Unfolds what a control is in, and puts the focus on it.
   * @param {string} pointer
   * @returns {boolean} false where neither the place nor one above it has a control
   */
  reveal(pointer) {
    const place = placeOfProblem(pointer, (at) => this.#controlAt(at) !== null);
    const control = place === null ? null : this.#controlAt(place);
    for (let part = control?.closest('details'); part; part = part.parentElement?.closest('details'))
      part.open = true;
    control?.focus();
    return control !== null;
  }

  /**
   * The control of a place, or what stands for a list.
   * @param {string} pointer
   * @returns {HTMLElement | null}
   */
  #controlAt(pointer) {
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
      const input = /** @type {HTMLInputElement} */ (control);
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

  /** @param {EventTarget | null} target */
  #typed(target) {
    if (!(target instanceof HTMLElement)) return;
    const { list, path, sort } = target.dataset;
    const input = /** @type {HTMLInputElement} */ (target);
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

  /**
   * Whether a member stays when it is empty.
   * @param {string} path
   */
  #isNeeded(path) {
    const at = path.lastIndexOf('/');
    const above = path.slice(0, at);
    if (above === '') return true;
    const { required } = schemaAt(this.#forms.schema, above);
    const name = path.slice(at + 1);
    return (
      required.includes(name) || (name === 'options' && valueAt(this.#draft, `${above}/type`) === 'select')
    );
  }

  /**
   * @param {string} path
   * @param {unknown} value
   */
  #set(path, value) {
    this.#draft = withValueAt(this.#draft, path, value);
    this.#unproblem(path);
    this.#onChange();
  }

  /**
   * What is being mended is not wrong any more until the server says so again.
   * @param {string} path
   */
  #unproblem(path) {
    if (!this.#problems.delete(path)) return;
    const control = this.#controlAt(path);
    control?.removeAttribute('aria-invalid');
    document.getElementById(`${idOf({ prefix: this.#prefix }, path)}-problem`)?.remove();
  }

  /** The pictures are loaded on demand. @param {EventTarget | null} target */
  async #opened(target) {
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

  /** What other parts of the form depend on is drawn again. @param {EventTarget | null} target */
  #chosen(target) {
    const { path = '' } = target instanceof HTMLElement ? target.dataset : {};
    const { value } = /** @type {HTMLSelectElement} */ (target);
    if (path === '/kind') this.#draft = withKind(this.#draft, value, this.#forms);
    else if (path === '/variant') this.#draft = withVariant(this.#draft, value, this.#forms);
    else if (/^\/entity\/fields\/\d+\/type$/.test(path))
      this.#draft = withType(this.#draft, path.replace(/\/type$/, ''), value);
    this.#redraw();
    this.#onChange();
  }

  /** @param {EventTarget | null} target */
  #clicked(target) {
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

  /** @param {string} list */
  #add(list) {
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

  /**
   * @param {string} list
   * @param {number} index
   */
  #remove(list, index) {
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

  /**
   * @param {string} list
   * @param {number} from
   * @param {number} to
   * @param {'up' | 'down'} [by] the button that was used
   */
  #move(list, from, to, by) {
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

  /**
   * Takes along what is known of places in a list.
   * @param {string} list
   * @param {number} from
   * @param {number | null} to
   */
  #carry(list, from, to) {
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

  /**
   * @param {string} list
   * @param {string} what
   */
  #tell(list, what) {
    const { one = 'item' } = labelOf(list);
    this.#announce(`${what} ${counted(listAt(this.#draft, list).length, one)}.`);
    this.#onChange();
  }

  /**
   * A button of an item, if it can be used.
   * @param {string} action
   * @param {string} place
   * @returns {HTMLElement | null}
   */
  #button(action, place) {
    return this.#root.querySelector(`button[data-do="${action}"][data-at="${place}"]:not([disabled])`);
  }
}

/**
 * @template T
 * @param {ReadonlyMap<string, T>} known
 * @param {string} list
 * @param {number} from
 * @param {number | null} to
 * @returns {Map<string, T>}
 */
function carried(known, list, from, to) {
  /** @type {Map<string, T>} */
  const next = new Map();
  for (const [place, value] of known) {
    const now = placeAfter(place, list, from, to);
    if (now !== null) next.set(now, value);
  }
  return next;
}

/**
 * What is wrong, as a sentence beside a control.
 * @param {string} code
 * @param {string} message
 */
function sentence(code, message) {
  if (code === 'required' || code === 'minLength') return 'This is needed.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}

/** What a control shows of a member that is left out. @param {HTMLInputElement} input */
function defaultOf(input) {
  return input.type === 'color' ? '#000000' : (input.dataset['default'] ?? '');
}

/**
 * Whether a box says the same in other characters, such as blank lines while the user types.
 * @param {HTMLInputElement} input
 * @param {string} text
 */
function sameText(input, text) {
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
