import type { AiFeature, AiResult } from '../../../generated/types.gen.ts';
import { CallButton, optionOf, type TabParts } from './chat-tab.ts';
import { draw } from './draw.ts';
import { ReportView } from './report-view.ts';
import { SchemaForm } from './schema-form.ts';
import { element, type Tree, treesOf } from './tree.ts';
import { preTree } from './turn-parts.ts';

/** The AI features, each with a form made of its schema. */
export class FeaturesTab {
  #parts;
  #report;
  #button;
  #picker;
  #engine;
  #form;
  #features: readonly AiFeature[] = [];

  constructor(parts: TabParts) {
    this.#parts = parts;
    this.#report = new ReportView(this.#find('[data-report]'));
    this.#picker = this.#find('#feature') as HTMLSelectElement;
    this.#engine = this.#find('#feature-engine') as HTMLSelectElement;
    this.#form = new SchemaForm(this.#find('[data-schema]'), 'feature-field');
    this.#picker.addEventListener('change', () => this.#choose());
    this.#button = new CallButton(this.#find('form') as HTMLFormElement, (signal) => this.#call(signal));
    this.#find('[data-examples]').addEventListener('click', ({ target }) => {
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
    this.#button.stop();
    draw(this.#find('[data-output]'), []);
    this.#report.clear();
  }

  get #feature() {
    return this.#features.find(({ id }) => id === this.#picker.value);
  }

  #choose() {
    const feature = this.#feature;
    if (!feature) return;
    this.clear();
    draw(this.#find('[data-about]'), aboutTrees(feature));
    this.#form.show(feature.input_schema);
    const byDefault =
      feature.engine === null ? 'as the server chooses' : `as the server chooses: ${feature.engine}`;
    this.#engine.replaceChildren(
      optionOf('', byDefault),
      ...feature.engines.map((engine) => optionOf(engine, engine)),
    );
    draw(
      this.#find('[data-examples]'),
      feature.examples.map(({ summary }, n) =>
        element('button', { type: 'button', class: 'example', 'data-example': String(n) }, summary),
      ),
    );
  }

  async #call(signal: AbortSignal) {
    const caller = this.#parts.caller();
    const feature = this.#feature;
    if (caller === null || !feature) return;
    const input = this.#form.read();
    if (input === null) return this.#parts.announce('Something in the form is not valid yet.');
    const engine = this.#engine.value;
    const request = {
      path: `/v1/ai/${feature.id}`,
      body: { input, ...(engine !== '' && { engine }) },
      library: { method: 'useFeature', path: { feature_id: feature.id } },
    };
    const output = this.#find('[data-output]');
    draw(output, [element('p', { class: 'muted' }, 'Under way…')]);
    this.#report.begin(request);
    this.#parts.announce('The call begins.');
    const report = await caller.send(request, signal, () => undefined);
    this.#report.show(report);
    if (feature !== this.#feature) return;
    const done = report.status === 200 && report.state === 'whole';
    draw(output, done ? resultTrees(report.body as AiResult) : []);
    this.#parts.announce(done ? 'The result has arrived.' : (report.error?.message ?? 'There is no result.'));
  }

  #find(selector: string) {
    return this.#parts.panel.querySelector(selector) as HTMLElement;
  }
}

function aboutTrees({ description, availability, configure }: AiFeature): readonly Tree[] {
  const [first = ''] = description.split(/\n\n/);
  return treesOf([
    element('p', {}, first),
    availability === 'model_required' &&
      element(
        'p',
        { class: 'needs' },
        element('strong', {}, 'Needs a language model, and this server has none. '),
        configure ?? '',
      ),
  ]);
}

function resultTrees({ output, engine, model, repaired, warnings }: AiResult): readonly Tree[] {
  const by = model === null ? `Engine ${engine}` : `Engine ${engine}, ${model}`;
  return [
    element('p', { class: 'muted small' }, repaired ? `${by}, repaired once.` : `${by}.`),
    valueTree(output),
    ...warnings.map(({ message }) => element('p', { class: 'muted small' }, message)),
    element(
      'details',
      {},
      element('summary', {}, 'As JSON'),
      preTree('Output as JSON', JSON.stringify(output)),
    ),
  ];
}

/** JSON as people read it: objects as lists of terms, lists of objects as tables, the rest as text. */
function valueTree(value: unknown): Tree {
  if (typeof value === 'string') return element('p', { class: 'said' }, value === '' ? '–' : value);
  if (typeof value === 'boolean') return element('p', {}, value ? 'yes' : 'no');
  if (Array.isArray(value)) return listTree(value);
  if (isObject(value)) {
    return element(
      'dl',
      { class: 'values' },
      ...Object.entries(value).map(([name, one]) =>
        element('div', {}, element('dt', {}, spaced(name)), element('dd', {}, valueTree(one))),
      ),
    );
  }
  return element('p', {}, value === null ? '–' : String(value));
}

function listTree(list: readonly unknown[]) {
  if (list.length === 0) return element('p', { class: 'muted' }, 'none');
  if (list.every(isObject)) return tableTree(list);
  if (!list.every((one) => typeof one !== 'object')) {
    return element('ul', { class: 'list' }, ...list.map((one) => element('li', {}, valueTree(one))));
  }
  return element(
    'ul',
    { class: 'chips' },
    ...list.map((one) => element('li', { class: 'chip' }, String(one))),
  );
}

function tableTree(rows: readonly Readonly<Record<string, unknown>>[]) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return element(
    'div',
    { class: 'table', tabindex: '0', role: 'group', 'aria-label': 'Table' },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, spaced(name)))),
      ),
      element(
        'tbody',
        {},
        ...rows.map((row) =>
          element('tr', {}, ...names.map((name) => element('td', {}, cellTree(row[name])))),
        ),
      ),
    ),
  );
}

function cellTree(value: unknown): Tree {
  if (value === undefined) return '';
  return typeof value === 'object' && value !== null
    ? valueTree(value)
    : typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : String(value ?? '–');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function spaced(name: string) {
  return name.replaceAll('_', ' ');
}
