import { draw } from './draw.js';
import { fieldsOf, readField } from './schema-fields.js';
import { element, treesOf } from './tree.js';

/**
 * @typedef {import('./schema-fields.js').Field} Field
 * @typedef {import('./tree.js').Tree} Tree
 */

/** The fields of a form that a JSON Schema describes. */
export class SchemaForm {
  #root;
  #prefix;
  /** @type {readonly Field[]} */
  #fields = [];

  /**
   * @param {HTMLElement} root
   * @param {string} prefix of the ids of its fields
   */
  constructor(root, prefix) {
    this.#root = root;
    this.#prefix = prefix;
  }

  /** @param {Readonly<Record<string, unknown>>} schema */
  show(schema) {
    this.#fields = fieldsOf(schema);
    this.#root.replaceChildren();
    draw(
      this.#root,
      this.#fields.map((field, n) => fieldTree(field, this.#idOf(n))),
    );
  }

  /** @param {Readonly<Record<string, unknown>>} input */
  fill(input) {
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
   * @returns {Record<string, unknown> | null} null when something is wrong, which is then shown
   */
  read() {
    /** @type {Record<string, unknown>} */
    let input = {};
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
        if (field.name === '') input = /** @type {Record<string, unknown>} */ (read.value);
        else input[field.name] = read.value;
      }
    });
    if (wrong >= 0) this.#inputs(wrong)[0]?.focus();
    return wrong >= 0 ? null : input;
  }

  /** @param {number} n */
  #inputs(n) {
    const found = this.#root.children[n]?.querySelectorAll('input, textarea, select') ?? [];
    return /** @type {(HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement)[]} */ ([...found]);
  }

  /**
   * @param {number} n
   * @param {string} problem
   */
  #complain(n, problem) {
    const line = document.getElementById(`${this.#idOf(n)}-problem`);
    if (line) line.textContent = problem === '' ? '' : `${this.#fields[n]?.name || 'The input'} ${problem}.`;
    for (const input of this.#inputs(n)) input.setAttribute('aria-invalid', String(problem !== ''));
  }

  /** @param {number} n */
  #idOf(n) {
    return `${this.#prefix}-${n}`;
  }
}

/**
 * @param {Field} field
 * @param {unknown} value
 */
function entered(field, value) {
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

/**
 * @param {Field} field
 * @param {string} id
 */
function fieldTree(field, id) {
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

/**
 * @param {Field} field
 * @param {Readonly<Record<string, string>>} attributes
 * @returns {Tree}
 */
function control(field, attributes) {
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

/** @param {unknown} value */
function plain(value) {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
