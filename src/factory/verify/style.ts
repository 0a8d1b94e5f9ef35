import { type CssNode, type Declaration, generate, parse, walk } from 'css-tree';
import { type Problem, problem } from '../problem.ts';
import { contrast } from '../render/palette.ts';

/** The stylesheet can be read, and loads nothing from elsewhere. */
export function cssProblems(file: string, text: string): Problem[] {
  const problems: Problem[] = [];
  const tree = parse(text, {
    positions: true,
    parseCustomProperty: false,
    onParseError: ({ message, line }) => problems.push(problem('css.parse', message, file, line)),
  });
  walk(tree, (node) => {
    if (node.type === 'Url' && !/^(data:|#)/.test(node.value)) problems.push(foreign(file, node, node.value));
    if (node.type === 'Atrule' && node.name === 'import' && /(https?:)?\/\//.test(generate(node)))
      problems.push(foreign(file, node, generate(node)));
  });
  return problems;
}

function foreign(file: string, node: CssNode, address: string): Problem {
  const local = !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
  const message = local
    ? `The stylesheet refers to ${address}, which is not there.`
    : `The stylesheet refers to ${address.slice(0, 80)}; an app must not need the network.`;
  return problem(local ? 'refs.local' : 'refs.external', message, file, node.loc?.start.line ?? null);
}

/** Pairs of custom properties that text is set in, with the contrast that they need. */
const pairs = [
  ['text', 'bg', 4.5],
  ['text', 'surface', 4.5],
  ['text', 'raised', 4.5],
  ['muted', 'bg', 4.5],
  ['muted', 'surface', 4.5],
  ['muted', 'raised', 4.5],
  ['on-accent', 'accent', 4.5],
  ['accent-text', 'accent-soft', 4.5],
  ['accent-text', 'surface', 4.5],
  ['accent-text', 'bg', 4.5],
  ['danger', 'surface', 4.5],
  ['danger', 'danger-soft', 4.5],
  ['good', 'good-soft', 4.5],
  ['good', 'surface', 4.5],
  ['warn', 'warn-soft', 4.5],
  ['field-line', 'surface', 3],
] as const;

/** Text can be read: in each rule with custom properties, and in each that sets both colours itself. */
export function contrastProblems(file: string, text: string): Problem[] {
  const problems: Problem[] = [];
  walk(parse(text, { positions: true, parseCustomProperty: false, onParseError: () => {} }), (node) => {
    if (node.type !== 'Rule') return;
    const values = new Map<string, string>();
    walk(node.block, (child) => {
      if (child.type === 'Declaration') values.set(child.property, textOf(child));
    });
    const line = node.loc?.start.line ?? null;
    const check = (front: string | undefined, back: string | undefined, min: number, what: string) => {
      if (!front || !back || !isHex(front) || !isHex(back)) return;
      const ratio = contrast(front, back);
      if (ratio < min)
        problems.push(
          problem(
            'a11y.contrast',
            `${what}: contrast ${ratio.toFixed(2)}, at least ${min} is needed.`,
            file,
            line,
          ),
        );
    };
    for (const [front, back, min] of pairs)
      check(values.get(`--${front}`), values.get(`--${back}`), min, `--${front} on --${back}`);
    check(
      values.get('color'),
      values.get('background') ?? values.get('background-color'),
      4.5,
      'Text on its background',
    );
  });
  return problems;
}

const isHex = (value: string) => /^#[0-9a-f]{6}$/i.test(value);

function textOf(declaration: Declaration): string {
  return generate(declaration.value).trim();
}
