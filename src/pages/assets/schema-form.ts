import { draw } from './draw.ts';
import { type Html, html } from './html.ts';
import { type Field, fieldsOf, readField } from './schema-fields.ts';

export function schemaForm(root: HTMLElement, prefix: string) {
  let fields: readonly Field[] = [];
  const idOf = (n: number) => `${prefix}-${n}`;

  function show(schema: Readonly<Record<string, unknown>>) {
    fields = fieldsOf(schema);
    root.replaceChildren();
    draw(root, html`${fields.map((field, n) => fieldView(field, idOf(n)))}`);
  }

  function fill(input: Readonly<Record<string, unknown>>) {
    fields.forEach((field, n) => {
      const value = field.name === '' ? input : input[field.name];
      if (field.kind === 'choices') {
        const chosen = Array.isArray(value) ? value : [];
        for (const box of inputs(n))
          if (box instanceof HTMLInputElement) box.checked = chosen.includes(box.value);
        return;
      }
      const [input0] = inputs(n);
      if (input0) input0.value = entered(field, value);
      complain(n, '');
    });
  }

  /**
   * The entered values, checked; the first wrong field gets the focus.
   * @returns null when something is wrong, which is then shown
   */
  function read(): Record<string, unknown> | null {
    let input: Record<string, unknown> = {};
    let wrong = -1;
    fields.forEach((field, n) => {
      const controls = inputs(n);
      const ticked = controls.filter(
        (one) => !(one instanceof HTMLInputElement) || one.type !== 'checkbox' || one.checked,
      );
      const value = readField(
        field,
        ticked.map((one) => one.value),
      );
      const problem = value !== null && 'problem' in value ? value.problem : '';
      complain(n, problem);
      if (problem !== '') wrong = wrong < 0 ? n : wrong;
      else if (value !== null && 'value' in value) {
        if (field.name === '') input = value.value as Record<string, unknown>;
        else input[field.name] = value.value;
      }
    });
    if (wrong >= 0) inputs(wrong)[0]?.focus();
    return wrong >= 0 ? null : input;
  }

  function inputs(n: number) {
    const found = root.children[n]?.querySelectorAll('input, textarea, select') ?? [];
    return [...found] as (HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement)[];
  }

  function complain(n: number, problem: string) {
    const line = document.getElementById(`${idOf(n)}-problem`);
    if (line) line.textContent = problem === '' ? '' : `${fields[n]?.name || 'The input'} ${problem}.`;
    for (const input of inputs(n)) input.setAttribute('aria-invalid', String(problem !== ''));
  }

  return { show, fill, read };
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

function fieldView(field: Field, id: string): Html {
  const { name, description, required, kind } = field;
  const label = html`${name || 'Input (JSON)'}${!required && html`<span class="optional"> optional</span>`}`;
  const notes = html`${description !== '' && html`<p class="field-hint" id="${id}-hint">${description}</p>`}<p class="field-problem" id="${id}-problem"></p>`;
  if (kind === 'choices')
    return html`<fieldset class="field"><legend>${label}</legend><div class="ticks">${field.options.map((option) => html`<label class="check"><input type="checkbox" value="${option}"> ${option}</label>`)}</div>${notes}</fieldset>`;
  const described = description === '' ? `${id}-problem` : `${id}-hint ${id}-problem`;
  const attributes = html`id="${id}" aria-describedby="${described}" aria-required="${required}"`;
  return html`<div class="field" data-kind="${kind}"><label for="${id}">${label}</label>${control(field, attributes)}${notes}</div>`;
}

function control({ kind, byDefault, options, required }: Field, attributes: Html): Html {
  const hint = byDefault === undefined || kind === 'json' ? '' : `${byDefault}`;
  const option = (value: unknown, text: unknown) => html`<option value="${value}">${String(text)}</option>`;
  switch (kind) {
    case 'choice':
    case 'boolean': {
      const none =
        byDefault === undefined ? (required ? 'Choose…' : 'not set') : `default: ${plain(byDefault)}`;
      const values =
        kind === 'choice'
          ? options.map((one, n) => option(n, one))
          : [option('true', 'yes'), option('false', 'no')];
      return html`<select ${attributes}>${option('', none)}${values}</select>`;
    }
    case 'number':
      return html`<input ${attributes} type="text" inputmode="decimal" autocomplete="off" placeholder="${hint}">`;
    case 'text':
      return html`<input ${attributes} type="text" autocomplete="off" placeholder="${hint}">`;
    default: {
      const placeholder = kind === 'lines' ? 'one a line' : kind === 'json' ? 'JSON' : hint;
      return html`<textarea ${attributes} rows="${kind === 'long' ? 5 : 4}" placeholder="${placeholder}" spellcheck="${kind !== 'json'}"></textarea>`;
    }
  }
}

function plain(value: unknown) {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
