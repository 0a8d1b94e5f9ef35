import type { AiFeature, AiFeatureList, AiResult } from '../../../generated/types.gen.ts';
import { draw, onClick } from './draw.ts';
import { type Html, html } from './html.ts';
import { isObject } from './json-pointer.ts';
import { openTab, type TabParts } from './report-view.ts';
import { schemaForm } from './schema-form.ts';
import { preView } from './turn-parts.ts';

export function featuresTab(parts: TabParts) {
  const { find, report, stop } = openTab(parts, call);
  const picker = find('#feature') as HTMLSelectElement;
  const enginePicker = find('#feature-engine') as HTMLSelectElement;
  const form = schemaForm(find('[data-schema]'), 'feature-field');
  let features: readonly AiFeature[] = [];
  picker.addEventListener('change', choose);
  onClick(find('[data-examples]'), 'button', ({ dataset }) => {
    const example = chosen()?.examples[Number(dataset['example'])];
    if (example) form.fill(example.input);
  });

  function offer({ data }: AiFeatureList) {
    features = data;
    const options = features.map(
      ({ id, name, availability }) =>
        new Option(availability === 'available' ? name : `${name} (needs a model)`, id),
    );
    picker.replaceChildren(...options);
    const usable = features.find(({ availability }) => availability === 'available');
    picker.value = usable?.id ?? features[0]?.id ?? '';
    choose();
  }

  function clear() {
    stop();
    find('[data-output]').replaceChildren();
    report.clear();
  }

  const chosen = () => features.find(({ id }) => id === picker.value);

  function choose() {
    const feature = chosen();
    if (!feature) return;
    clear();
    draw(find('[data-about]'), aboutView(feature));
    form.show(feature.input_schema);
    const byDefault =
      feature.engine === null ? 'as the server chooses' : `as the server chooses: ${feature.engine}`;
    enginePicker.replaceChildren(
      new Option(byDefault, ''),
      ...feature.engines.map((engine) => new Option(engine, engine)),
    );
    draw(
      find('[data-examples]'),
      html`${feature.examples.map(({ summary }, n) => html`<button type="button" class="example" data-example="${n}">${summary}</button>`)}`,
    );
  }

  async function call(signal: AbortSignal) {
    const caller = parts.caller();
    const feature = chosen();
    if (caller === null || !feature) return;
    const input = form.read();
    if (input === null) return parts.announce('Something in the form is not valid yet.');
    const engine = enginePicker.value;
    const request = {
      path: `/v1/ai/${feature.id}`,
      body: { input, ...(engine !== '' && { engine }) },
      library: { method: 'useFeature', path: { feature_id: feature.id } },
    };
    const output = find('[data-output]');
    draw(output, html`<p class="muted">Under way…</p>`);
    report.begin(request);
    parts.announce('The call begins.');
    const called = await caller.send(request, signal, () => undefined);
    report.show(called);
    if (feature !== chosen()) return;
    const done = called.status === 200 && called.state === 'whole';
    draw(output, done ? resultView(called.body as AiResult) : html``);
    parts.announce(done ? 'The result has arrived.' : (called.error?.message ?? 'There is no result.'));
  }

  return { offer, clear };
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
