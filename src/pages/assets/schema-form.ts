import { draw } from './draw.ts';
import { type Field, fieldsOf, readField } from './schema-fields.ts';
import { element, type Tree, treesOf } from './tree.ts';

/** The fields of a form that a JSON Schema describes. */
export class SchemaForm {
  #root;
  #prefix;
  #fields: readonly Field[] = [];

  /** @param prefix of the ids of its fields */
  constructor(root: HTMLElement, prefix: string) {
    this.#root = root;
    this.#prefix = prefix;
  }

  show(schema: Readonly<Record<string, unknown>>) {
    this.#fields = fieldsOf(schema);
    this.#root.replaceChildren();
    draw(
      this.#root,
      this.#fields.map((field, n) => fieldTree(field, this.#idOf(n))),
    );
  }

  fill(input: Readonly<Record<string, unknown>>) {
    this.#fields.forEach((field, n) => {
      const value = field.name === '' ? input : input[field.name];
      if (field.kind === 'choices') {
        const chosen = Array.isArray(value) ? value : [];
        for (const box of this.#inputs(n))
          if (box instanceof HTMLInputElement) box.checked = chosen.includes(box.value);
        return;
      }
      const [input0] = this.#inputs(n);
      if (input0) input0.value = entered(field, value);
      this.#complain(n, '');
    });
  }

  /**
   * What was entered, checked; the first field that is wrong gets the focus.
   * @returns null when something is wrong, which is then shown
   */
  read(): Record<string, unknown> | null {
    let input: Record<string, unknown> = {};
    let wrong = -1;
    this.#fields.forEach((field, n) => {
      const inputs = this.#inputs(n);
      const ticked = inputs.filter(
        (one) => !(one instanceof HTMLInputElement) || one.type !== 'checkbox' || one.checked,
      );
      const read = readField(
        field,
        ticked.map((one) => one.value),
      );
      const problem = read !== null && 'problem' in read ? read.problem : '';
      this.#complain(n, problem);
      if (problem !== '') wrong = wrong < 0 ? n : wrong;
      else if (read !== null && 'value' in read) {
        if (field.name === '') input = read.value as Record<string, unknown>;
        else input[field.name] = read.value;
      }
    });
    if (wrong >= 0) this.#inputs(wrong)[0]?.focus();
    return wrong >= 0 ? null : input;
  }

  #inputs(n: number) {
    const found = this.#root.children[n]?.querySelectorAll('input, textarea, select') ?? [];
    return [...found] as (HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement)[];
  }

  #complain(n: number, problem: string) {
    const line = document.getElementById(`${this.#idOf(n)}-problem`);
    if (line) line.textContent = problem === '' ? '' : `${this.#fields[n]?.name || 'The input'} ${problem}.`;
    for (const input of this.#inputs(n)) input.setAttribute('aria-invalid', String(problem !== ''));
  }

  #idOf(n: number) {
    return `${this.#prefix}-${n}`;
  }
}

function entered(field: Field, value: unknown) {
  if (value === undefined) return '';
  switch (field.kind) {
    case 'choice':
      return String(field.options.indexOf(value));
    case 'lines':
      return Array.isArray(value) ? value.join('\n') : '';
    case 'json':
      return JSON.stringify(value, null, 2);
    default:
      return String(value);
  }
}

function fieldTree(field: Field, id: string) {
  const { name, description, required, kind } = field;
  const label = treesOf([
    name || 'Input (JSON)',
    !required && element('span', { class: 'optional' }, ' optional'),
  ]);
  const notes = [
    description !== '' && element('p', { class: 'field-hint', id: `${id}-hint` }, description),
    element('p', { class: 'field-problem', id: `${id}-problem` }),
  ];
  if (kind === 'choices') {
    const ticks = field.options.map((option) =>
      element(
        'label',
        { class: 'check' },
        element('input', { type: 'checkbox', value: String(option) }),
        ` ${option}`,
      ),
    );
    return element(
      'fieldset',
      { class: 'field' },
      element('legend', {}, ...label),
      element('div', { class: 'ticks' }, ...ticks),
      ...notes,
    );
  }
  const describedBy = description === '' ? `${id}-problem` : `${id}-hint ${id}-problem`;
  return element(
    'div',
    { class: 'field', 'data-kind': kind },
    element('label', { for: id }, ...label),
    control(field, { id, 'aria-describedby': describedBy, 'aria-required': String(required) }),
    ...notes,
  );
}

function control(field: Field, attributes: Readonly<Record<string, string>>): Tree {
  const { kind, byDefault, options, required } = field;
  const hint = byDefault === undefined || kind === 'json' ? '' : `${byDefault}`;
  switch (kind) {
    case 'choice':
    case 'boolean': {
      const values =
        kind === 'choice'
          ? options.map((option, n) => [String(n), String(option)])
          : [
              ['true', 'yes'],
              ['false', 'no'],
            ];
      const none =
        byDefault === undefined ? (required ? 'Choose…' : 'not set') : `default: ${plain(byDefault)}`;
      return element(
        'select',
        attributes,
        element('option', { value: '' }, none),
        ...values.map(([value = '', text = '']) => element('option', { value }, text)),
      );
    }
    case 'number':
      return element('input', {
        ...attributes,
        type: 'text',
        inputmode: 'decimal',
        autocomplete: 'off',
        placeholder: hint,
      });
    case 'text':
      return element('input', { ...attributes, type: 'text', autocomplete: 'off', placeholder: hint });
    default: {
      const rows = kind === 'long' ? '5' : '4';
      const placeholder = kind === 'lines' ? 'one a line' : kind === 'json' ? 'JSON' : hint;
      return element('textarea', {
        ...attributes,
        rows,
        placeholder,
        spellcheck: kind === 'json' ? 'false' : 'true',
      });
    }
  }
}

function plain(value: unknown) {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
