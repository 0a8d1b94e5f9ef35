import { writtenBlock } from '../../../../src/factory/model/blocks.ts';
import type { ModelLimits } from '../../../../src/factory/model/budget.ts';
import { createBuilder } from '../../../../src/factory/model/builder.ts';
import type { PriceOf } from '../../../../src/model/usage.ts';
import { type BuildSetting, carryOut, type FinishedBuild } from '../../../helpers/factory-build.ts';
import { answering, boundaryIn, kindOf, type VendorAct } from '../../../helpers/vendor-answers.ts';
import { openAiFixture, type WireFixture } from '../../../helpers/vendor-fixtures.ts';
import { gatewayTo, type TestGateway } from '../../../helpers/vendor-gateway.ts';
import type { VendorRequest } from '../../../lib/vendor.ts';

/** A plan as a good model would give it. */
export const marketSpec = {
  spec: {
    v: 1,
    kind: 'tracker',
    variant: 'checklist',
    name: 'Market Day',
    tagline: 'What to bring home',
    lang: 'en',
    palette: { accent: '#1f8a5b', mode: 'auto', look: 'soft' },
    currency: 'EUR',
    entity: {
      singular: 'thing',
      plural: 'Things',
      fields: [
        { key: 'f0', label: 'Thing', type: 'text', required: true },
        { key: 'f1', label: 'Stall', type: 'text' },
        { key: 'f2', label: 'Bought', type: 'checkbox' },
      ],
    },
    features: ['undo'],
    seed: [{ f0: 'Leeks', f1: 'Brandt', f2: false }],
    sections: [],
    questions: [],
    hours: [],
    contact: {},
    settings: {},
    copy: {},
    icon: 'store',
    formula: null,
    grid: null,
    choices: [],
    assumptions: ['Each thing has a stall.'],
  },
  files: [
    { path: 'index.html', purpose: 'the page' },
    { path: 'src/app.css', purpose: 'the look' },
    { path: 'src/app.js', purpose: 'the list' },
  ],
} as const;

const page = `<!doctype html>
<html lang="en" data-theme="auto">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Market Day</title>
    <link rel="stylesheet" href="src/theme.css">
    <link rel="stylesheet" href="src/app.css">
  </head>
  <body>
    <main>
      <h1>Market Day</h1>
      <form id="add">
        <label>Thing <input name="thing" required></label>
        <label>Stall <input name="stall"></label>
        <button type="submit">Add</button>
      </form>
      <p id="hint" hidden>Entries are lost when this page is closed.</p>
      <ul id="list" aria-label="Bought or not"></ul>
    </main>
    <script type="module" src="src/app.js"></script>
  </body>
</html>
`;

const style = `body {
  margin: 0;
  background: var(--bg);
  color: var(--text);
  font-family: var(--font);
}

main {
  max-width: 40rem;
  margin: 2rem auto;
  padding: 0 1rem;
}

.gone {
  color: var(--muted);
  text-decoration: line-through;
}
`;

const script = `import { persistent, recall, remember } from './kit/storage.js';

const list = document.getElementById('list');
let things = recall('things', [{ thing: 'Leeks', stall: 'Brandt', bought: false }]);

function draw() {
  list.replaceChildren(...things.map(row));
  remember('things', things);
}

function row(entry) {
  const item = document.createElement('li');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = entry.bought;
  box.setAttribute('aria-label', 'Bought: ' + entry.thing);
  box.addEventListener('change', () => {
    entry.bought = box.checked;
    draw();
  });
  const text = document.createElement('span');
  text.className = entry.bought ? 'gone' : '';
  text.textContent = [entry.thing, entry.stall].filter(Boolean).join(', ');
  item.append(box, text);
  return item;
}

document.getElementById('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const values = new FormData(event.target);
  things = [...things, { thing: values.get('thing'), stall: values.get('stall'), bought: false }];
  event.target.reset();
  draw();
});

document.getElementById('hint').hidden = persistent;
draw();
`;

export const marketFiles: Readonly<Record<string, string>> = {
  'index.html': page,
  'src/app.css': style,
  'src/app.js': script,
};

/** Files as a model that keeps to the form writes them. */
export function written(files: Readonly<Record<string, string>>, boundary: string): string {
  return Object.entries(files)
    .map(([path, text]) => writtenBlock(boundary, path, text))
    .join('\n\n');
}

/** The market's files with one of them changed. */
export function changed(path: string, from: string, to: string): Record<string, string> {
  const text = marketFiles[path] ?? '';
  if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
  return { ...marketFiles, [path]: text.replace(from, () => to) };
}

export const wideLimits: ModelLimits = { outputTokens: 100_000, costUsd: 100, timeMs: 60_000 };

export interface ModelBuildSetting extends BuildSetting {
  readonly wire?: WireFixture;
  readonly limits?: Partial<ModelLimits>;
  readonly priceOf?: PriceOf;
  /** What the model says, where it differs from what a good one would; null: as a good one. */
  readonly act?: (question: string, index: number, request: VendorRequest) => VendorAct | null;
}

/** A good model: plans the market's list and writes its files. */
export function goodAnswer(question: string): VendorAct {
  return ['plan', 'correct'].includes(kindOf(question))
    ? JSON.stringify(marketSpec)
    : written(marketFiles, boundaryIn(question));
}

export interface ModelSetup {
  readonly gateway: TestGateway;
  /** What the log is told of calls without an answer. */
  readonly failures: readonly unknown[];
  build(more?: BuildSetting): Promise<FinishedBuild>;
}

export async function modelSetup({
  wire = openAiFixture,
  limits,
  priceOf = () => null,
  act = () => null,
  ...setting
}: ModelBuildSetting = {}): Promise<ModelSetup> {
  const gateway = await gatewayTo(
    wire,
    answering(wire, (question, index, request) => act(question, index, request) ?? goodAnswer(question)),
  );
  const failures: unknown[] = [];
  const builder = createBuilder({
    models: gateway,
    model: wire.model,
    limits: { ...wideLimits, ...limits },
    priceOf,
    onFailure: (error) => failures.push(error),
  });
  return { gateway, failures, build: (more = {}) => carryOut(builder, { ...setting, ...more }) };
}
