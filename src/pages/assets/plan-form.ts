import { draw } from './draw.ts';
import { type Detail as Problem, Refusal } from './factory-client.ts';
import { useGrips } from './grips.ts';
import { isSame, listAt, placeOfProblem, valueAt, withValueAt } from './json-pointer.ts';
import { troubleText } from './messages.ts';
import { type IconsShown, iconFold, idOf, loadIcons } from './plan-controls.ts';
import {
  carried,
  type Draft,
  planToSend,
  typedValue,
  withItem,
  withKind,
  withMoved,
  withoutItem,
  withType,
  withVariant,
} from './plan-edits.ts';
import { itemName, planFormParts } from './plan-form-parts.ts';
import { labelOf } from './plan-labels.ts';
import { type PlanForms, schemaAt } from './plan-schema.ts';
import { counted } from './words.ts';

/** @param options.prefix of the ids of its controls */
export function planForm(
  root: HTMLElement,
  {
    prefix,
    announce,
    onChange,
  }: { readonly prefix: string; readonly announce: (text: string) => void; readonly onChange: () => void },
) {
  let forms: PlanForms = { schema: {}, kinds: [] };
  let draft: Draft = {};
  let problems = new Map<string, string>();
  let icons: IconsShown = { choices: null, search: '', problem: '' };
  /** Whether a part is unfolded, by its name or its place. */
  let unfolded = new Map<string, boolean>();

  root.addEventListener('input', (event) => typed(event.target));
  root.addEventListener('change', (event) => chosen(event.target));
  root.addEventListener('click', (event) => clicked(event.target));
  // Events of unfolding do not bubble.
  root.addEventListener('toggle', (event) => void opened(event.target), true);
  useGrips(root, (list, from, to) => move(list, from, to));

  function show(newForms: PlanForms, newDraft: Draft) {
    forms = newForms;
    draft = newDraft;
    problems.clear();
    redraw();
  }

  /**
   * Shows what the server found wrong, each at its control, and takes the reader to the first.
   * @returns those that no control is about
   */
  function complain(found: readonly Problem[]): readonly string[] {
    problems.clear();
    const others = [];
    for (const { path, code, message } of found) {
      const place = placeOfProblem(path, (pointer) => controlAt(pointer) !== null);
      if (place === null) others.push(message);
      else if (!problems.has(place)) problems.set(place, sentence(code, message));
    }
    redraw();
    const [first] = problems.keys();
    if (first !== undefined) reveal(first);
    return others;
  }

  /** The message for a plan that was refused, with the problems that no control shows. @param what its name */
  function explain(error: unknown, what: string): string {
    const details = error instanceof Refusal && error.status === 400 ? error.details : null;
    const others = details ? complain(details) : [];
    if (details && details.length > 0 && others.length === 0)
      return `Something in the ${what} is wrong; it says where.`;
    return [troubleText(error), ...others.slice(1)].join(' ');
  }

  /**
   * Unfolds what a control is in, and puts the focus on it.
   * @returns false where neither the place nor one above it has a control
   */
  function reveal(pointer: string): boolean {
    const place = placeOfProblem(pointer, (at) => controlAt(at) !== null);
    const control = place === null ? null : controlAt(place);
    for (let part = control?.closest('details'); part; part = part.parentElement?.closest('details'))
      part.open = true;
    control?.focus();
    return control !== null;
  }

  /** The control of a place, or what stands for a list. */
  function controlAt(pointer: string): HTMLElement | null {
    const id = idOf({ prefix: prefix }, pointer);
    const found = document.getElementById(id) ?? document.getElementById(`${id}-add`);
    return found && root.contains(found) ? found : null;
  }

  function redraw() {
    noteFolds();
    drawForm();
  }

  function drawForm() {
    draw(root, planFormParts(state()));
    for (const part of root.querySelectorAll('details')) {
      const name = part.dataset['fold'] ?? '';
      part.open = unfolded.get(name) ?? part.dataset['unfolded'] !== undefined;
    }
    fill();
  }

  function noteFolds() {
    for (const part of root.querySelectorAll('details')) unfolded.set(part.dataset['fold'] ?? '', part.open);
  }

  /** Puts the draft into the controls; those that match already stay, with the cursor in them. */
  function fill() {
    for (const control of root.querySelectorAll('input, select, textarea')) {
      const input = control as HTMLInputElement;
      const { list, path } = input.dataset;
      if (list !== undefined) input.checked = listAt(draft, list).includes(input.value);
      if (path === undefined) continue;
      const value = valueAt(draft, path);
      if (input.type === 'radio') input.checked = input.value === (value ?? '');
      else if (input.type === 'checkbox') input.checked = value === true;
      // It may say the same in other characters, such as blank lines while the user types.
      else if (document.activeElement !== input || !isSame(valueIn(input, path), value)) {
        const text = Array.isArray(value) ? value.join('\n') : String(value ?? defaultOf(input));
        if (input.value !== text) input.value = text;
      }
    }
  }

  function valueIn({ dataset: { sort }, value }: HTMLInputElement, path: string) {
    return typedValue(value, sort === 'number' || sort === 'lines' ? sort : 'text', isNeeded(path));
  }

  function typed(target: EventTarget | null) {
    if (!(target instanceof HTMLElement)) return;
    const { list, path, sort } = target.dataset;
    const input = target as HTMLInputElement;
    if (target.dataset['iconSearch'] !== undefined) {
      icons = { ...icons, search: input.value };
      redraw();
    } else if (list !== undefined) {
      const others = listAt(draft, list).filter((value) => value !== input.value);
      set(list, input.checked ? [...others, input.value] : others);
    } else if (path !== undefined) {
      set(path, sort === 'boolean' ? input.checked : valueIn(input, path));
    }
  }

  function isNeeded(path: string) {
    const at = path.lastIndexOf('/');
    const above = path.slice(0, at);
    if (above === '') return true;
    const { required } = schemaAt(forms.schema, above);
    const name = path.slice(at + 1);
    return required.includes(name) || (name === 'options' && valueAt(draft, `${above}/type`) === 'select');
  }

  function set(path: string, value: unknown) {
    draft = withValueAt(draft, path, value);
    unproblem(path);
    onChange();
  }

  /** A value being edited counts as right until the server refuses it again. */
  function unproblem(path: string) {
    if (!problems.delete(path)) return;
    const control = controlAt(path);
    control?.removeAttribute('aria-invalid');
    document.getElementById(`${idOf({ prefix: prefix }, path)}-problem`)?.remove();
  }

  async function opened(target: EventTarget | null) {
    if (!(target instanceof HTMLDetailsElement) || !target.open || icons.choices !== null) return;
    if (target.dataset['fold'] !== iconFold) return;
    try {
      icons = { ...icons, choices: await loadIcons(), problem: '' };
    } catch {
      icons = { ...icons, problem: 'The pictures could not be loaded. Close this and open it again.' };
    }
    redraw();
  }

  /** Redraws the form after a choice that other parts of it depend on. */
  function chosen(target: EventTarget | null) {
    const { path = '' } = target instanceof HTMLElement ? target.dataset : {};
    const { value } = target as HTMLSelectElement;
    if (path === '/kind') draft = withKind(draft, value, forms);
    else if (path === '/variant') draft = withVariant(draft, value, forms);
    else if (/^\/entity\/fields\/\d+\/type$/.test(path))
      draft = withType(draft, path.replace(/\/type$/, ''), value);
    redraw();
    onChange();
  }

  function clicked(target: EventTarget | null) {
    const button = target instanceof Element && target.closest('button');
    if (!button) return;
    const { do: action, at = '', set: path, value } = button.dataset;
    if (path !== undefined) {
      set(path, value);
      return redraw();
    }
    if (action === 'add') return add(at);
    const cut = at.lastIndexOf('/');
    const list = at.slice(0, cut);
    const index = Number(at.slice(cut + 1));
    if (action === 'remove') remove(list, index);
    else if (action === 'up' || action === 'down')
      move(list, index, index + (action === 'up' ? -1 : 1), action);
  }

  function add(list: string) {
    noteFolds();
    draft = withItem(draft, list, forms);
    const place = `${list}/${listAt(draft, list).length - 1}`;
    unfolded.set(place, true);
    drawForm();
    const first = root.querySelector(
      `[data-item="${place}"] :is(input:not([type="checkbox"]), select, textarea)`,
    );
    if (first instanceof HTMLElement) first.focus();
    noteChange(list, `A new ${labelOf(list).one} was added.`);
  }

  function remove(list: string, index: number) {
    const name = itemName(state(), list, index);
    noteFolds();
    draft = withoutItem(draft, list, index);
    carry(list, index, null);
    drawForm();
    const left = listAt(draft, list).length;
    const next = `${list}/${Math.min(index, left - 1)}`;
    (button('remove', next) ?? controlAt(list))?.focus();
    noteChange(list, `${name} was removed.`);
  }

  function move(list: string, from: number, to: number, by?: 'up' | 'down') {
    const amount = listAt(draft, list).length;
    if (from === to || to < 0 || to >= amount) return;
    const name = itemName(state(), list, from);
    noteFolds();
    draft = withMoved(draft, list, from, to);
    carry(list, from, to);
    drawForm();
    const other = by === 'up' ? 'down' : 'up';
    if (by) (button(by, `${list}/${to}`) ?? button(other, `${list}/${to}`))?.focus();
    noteChange(list, `${name} is now at place ${to + 1} of ${amount}.`);
  }

  /** Takes along what is known of places in a list. */
  function carry(list: string, from: number, to: number | null) {
    unfolded = carried(unfolded, list, from, to);
    problems = carried(problems, list, from, to);
  }

  const state = () => ({ forms, draft, problems, prefix, icons });

  function noteChange(list: string, what: string) {
    const { one = 'item' } = labelOf(list);
    announce(`${what} ${counted(listAt(draft, list).length, one)}.`);
    onChange();
  }

  function button(action: string, place: string): HTMLElement | null {
    return root.querySelector(`button[data-do="${action}"][data-at="${place}"]:not([disabled])`);
  }

  return {
    show,
    explain,
    reveal,
    draft: () => draft,
    /** The draft without what its kind has no place for. */
    plan: () => planToSend(draft, forms),
  };
}

function sentence(code: string, message: string) {
  if (code === 'required' || code === 'minLength') return 'This is required.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}

function defaultOf(input: HTMLInputElement) {
  return input.type === 'color' ? '#000000' : (input.dataset['default'] ?? '');
}
