import type { AiFeature, AiResult } from '../../../generated/types.gen.ts';
import { draw } from './draw.ts';
import { type Html, html } from './html.ts';
import { isObject } from './json-pointer.ts';
import { SchemaForm } from './schema-form.ts';
import { optionOf, Tab, type TabParts } from './tab.ts';
import { preView } from './turn-parts.ts';

export class FeaturesTab extends Tab {
  #picker;
  #engine;
  #form;
  #features: readonly AiFeature[] = [];

  constructor(parts: TabParts) {
    super(parts);
    this.#picker = this.find('#feature') as HTMLSelectElement;
    this.#engine = this.find('#feature-engine') as HTMLSelectElement;
    this.#form = new SchemaForm(this.find('[data-schema]'), 'feature-field');
    this.#picker.addEventListener('change', () => this.#choose());
    this.find('[data-examples]').addEventListener('click', ({ target }) => {
      const chip = target instanceof Element && target.closest('button');
      const example = chip && this.#feature?.examples[Number(chip.dataset['example'])];
      if (example) this.#form.fill(example.input);
    });
  }

  offer(features: readonly AiFeature[]) {
    this.#features = features;
    const options = features.map(({ id, name, availability }) =>
      optionOf(id, availability === 'available' ? name : `${name} (needs a model)`),
    );
    this.#picker.replaceChildren(...options);
    const usable = features.find(({ availability }) => availability === 'available');
    this.#picker.value = usable?.id ?? features[0]?.id ?? '';
    this.#choose();
  }

  clear() {
    this.button.stop();
    this.find('[data-output]').replaceChildren();
    this.report.clear();
  }

  get #feature() {
    return this.#features.find(({ id }) => id === this.#picker.value);
  }

  #choose() {
    const feature = this.#feature;
    if (!feature) return;
    this.clear();
    draw(this.find('[data-about]'), aboutView(feature));
    this.#form.show(feature.input_schema);
    const byDefault =
      feature.engine === null ? 'as the server chooses' : `as the server chooses: ${feature.engine}`;
    this.#engine.replaceChildren(
      optionOf('', byDefault),
      ...feature.engines.map((engine) => optionOf(engine, engine)),
    );
    draw(
      this.find('[data-examples]'),
      html`${feature.examples.map(({ summary }, n) => html`<button type="button" class="example" data-example="${n}">${summary}</button>`)}`,
    );
  }

  override async call(signal: AbortSignal) {
    const caller = this.parts.caller();
    const feature = this.#feature;
    if (caller === null || !feature) return;
    const input = this.#form.read();
    if (input === null) return this.parts.announce('Something in the form is not valid yet.');
    const engine = this.#engine.value;
    const request = {
      path: `/v1/ai/${feature.id}`,
      body: { input, ...(engine !== '' && { engine }) },
      library: { method: 'useFeature', path: { feature_id: feature.id } },
    };
    const output = this.find('[data-output]');
    draw(output, html`<p class="muted">Under way…</p>`);
    this.report.begin(request);
    this.parts.announce('The call begins.');
    const report = await caller.send(request, signal, () => undefined);
    this.report.show(report);
    if (feature !== this.#feature) return;
    const done = report.status === 200 && report.state === 'whole';
    draw(output, done ? resultView(report.body as AiResult) : html``);
    this.parts.announce(done ? 'The result has arrived.' : (report.error?.message ?? 'There is no result.'));
  }
}

function aboutView({ description, availability, configure }: AiFeature): Html {
  const [first = ''] = description.split(/\n\n/);
  return html`<p>${first}</p>
${availability === 'model_required' && html`<p class="warning"><strong>Needs a language model, and this server has none. </strong>${configure}</p>`}`;
}

function resultView({ output, engine, model, repaired, warnings }: AiResult): Html {
  const by = model === null ? `Engine ${engine}` : `Engine ${engine}, ${model}`;
  return html`<p class="muted small">${by}${repaired && ', repaired once'}.</p>
${valueView(output)}
${warnings.map(({ message }) => html`<p class="muted small">${message}</p>`)}
<details><summary>As JSON</summary>${preView('Output as JSON', JSON.stringify(output))}</details>`;
}

/** JSON as people read it: objects as lists of terms, lists of objects as tables, the rest as text. */
function valueView(value: unknown): Html {
  if (Array.isArray(value)) return listView(value);
  if (isObject(value))
    return html`<dl class="values">${Object.entries(value).map(([name, one]) => html`<div><dt>${spaced(name)}</dt><dd>${valueView(one)}</dd></div>`)}</dl>`;
  return typeof value === 'string'
    ? html`<p class="said">${value || '–'}</p>`
    : html`<p>${plainText(value)}</p>`;
}

function plainText(value: unknown) {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? '–');
}

function listView(list: readonly unknown[]): Html {
  if (list.length === 0) return html`<p class="muted">none</p>`;
  if (list.every(isObject)) return tableView(list);
  if (list.some((one) => typeof one === 'object'))
    return html`<ul class="list">${list.map((one) => html`<li>${valueView(one)}</li>`)}</ul>`;
  return html`<ul class="chips">${list.map((one) => html`<li class="chip">${String(one)}</li>`)}</ul>`;
}

function tableView(rows: readonly Readonly<Record<string, unknown>>[]): Html {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${spaced(name)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${names.map((name) => html`<td>${cellView(row[name])}</td>`)}</tr>`)}</tbody></table></div>`;
}

function cellView(value: unknown) {
  if (value === undefined) return '';
  return typeof value === 'object' && value !== null ? valueView(value) : plainText(value);
}

function spaced(name: string) {
  return name.replaceAll('_', ' ');
}
