import { type Node, parse } from 'acorn';
import { ancestor, simple } from 'acorn-walk';
import { transformSync } from 'esbuild';
import { analyze } from 'eslint-scope';
import type * as estree from 'estree';
import globals from 'globals';
import { type Problem, problem } from '../problem.ts';

/** How much is remembered: texts in characters, each at most the second. More than all templates have together. */
const maxChars = 4 * 1024 * 1024;

const maxTextChars = 128 * 1024;

type Call = estree.CallExpression & { start: number };

const scripts = /\.(js|jsx|ts|tsx)$/;
const known: ReadonlySet<string> = new Set([
  ...Object.keys(globals.browser),
  ...Object.keys(globals.builtin),
]);

type Parsed = { tree: Node; problem: null } | { tree: null; problem: Problem };

/** The source that was read last: the checks of a file come one after the other. */
let last: { readonly file: string; readonly text: string; readonly parsed: Parsed } | null = null;

/** The syntax tree of a source, or the problem that it has. */
function treeOf(file: string, text: string): Parsed {
  if (last?.file !== file || last.text !== text) last = { file, text, parsed: parsed(file, text) };
  return last.parsed;
}

function parsed(file: string, text: string): Parsed {
  try {
    const plain = /\.js$/.test(file)
      ? text
      : transformSync(text, { loader: loaderOf(file), tsconfigRaw: '{}', target: 'esnext' }).code;
    return {
      tree: parse(plain, { ecmaVersion: 'latest', sourceType: 'module', locations: true, ranges: true }),
      problem: null,
    };
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } };
    return {
      tree: null,
      problem: problem(
        'js.syntax',
        message.split('\n')[0] ?? 'The script cannot be read.',
        file,
        loc?.line ?? null,
      ),
    };
  }
}

function loaderOf(file: string): 'jsx' | 'ts' | 'tsx' {
  return file.endsWith('.jsx') ? 'jsx' : file.endsWith('.tsx') ? 'tsx' : 'ts';
}

/**
 * Code that is refused: a path that is only known at run time makes a bundler look at the disk, and made-up code
 * cannot be checked. A source that cannot be read is refused too.
 */
export function forbiddenCode(file: string, text: string): readonly Problem[] {
  return scripts.test(file) ? refusals(file, text) : [];
}

const refusals = remembered((file, text): readonly Problem[] => {
  const { tree, problem: broken } = treeOf(file, text);
  if (!tree) return [broken];
  const problems: Problem[] = [];
  const refuse = (node: Node, what: string) =>
    problems.push(problem('js.forbidden', `${what} is not allowed.`, file, node.loc?.start.line ?? null));
  simple(tree, {
    ImportExpression: (node) => refuse(node, 'import()'),
    MetaProperty(node) {
      if (node.meta.name === 'import') refuse(node, 'import.meta');
    },
    CallExpression(node) {
      if (
        node.callee.type === 'Identifier' &&
        ['require', 'eval', 'importScripts'].includes(node.callee.name)
      )
        refuse(node, `${node.callee.name}()`);
      if (
        node.callee.type === 'MemberExpression' &&
        node.callee.object.type === 'Identifier' &&
        node.callee.object.name === 'require'
      )
        refuse(node, 'require');
    },
    NewExpression(node) {
      if (
        node.callee.type === 'Identifier' &&
        ['Function', 'Worker', 'SharedWorker'].includes(node.callee.name)
      )
        refuse(node, `new ${node.callee.name}`);
    },
  });
  return problems;
});

/** Names that are used and that neither the source nor the browser defines, constants that are assigned to. */
export function undefinedNames(file: string, text: string): Problem[] {
  if (!scripts.test(file)) return [];
  const { tree } = treeOf(file, text);
  if (!tree) return [];
  const scopes = analyze(tree as unknown as estree.Program, {
    ecmaVersion: 2025,
    sourceType: 'module',
    ignoreEval: true,
  });
  const global = scopes.globalScope;
  const problems = (global?.through ?? [])
    .filter(({ identifier }) => !known.has(identifier.name) && !isTypeof(tree, identifier))
    .map(({ identifier }) =>
      problem('js.undef', `${identifier.name} is not defined.`, file, identifier.loc?.start.line ?? null),
    );
  const constants = scopes.scopes
    .flatMap((scope) => scope.variables)
    .filter((variable) =>
      variable.defs.some((def) => def.type === 'Variable' && def.parent?.kind === 'const'),
    );
  for (const reference of constants.flatMap((variable) => variable.references)) {
    if (reference.isWrite() && !reference.init) {
      problems.push(
        problem(
          'js.const',
          `${reference.identifier.name} is a constant and is assigned to.`,
          file,
          reference.identifier.loc?.start.line ?? null,
        ),
      );
    }
  }
  return problems;
}

function isTypeof(tree: Node, identifier: unknown): boolean {
  let found = false;
  ancestor(tree, {
    Identifier(node, _state, parents) {
      const parent = parents.at(-2);
      if (node === identifier && parent?.type === 'UnaryExpression') found = true;
    },
  });
  return found;
}

/** A call that makes an element, as `h('button', {…})` or `document.createElement('button')`. */
export interface MadeElement {
  readonly tag: string;
  /** Names of the attributes given on the spot; null when they cannot be read off the source. */
  readonly attributes: ReadonlyMap<string, string | null> | null;
  readonly insideLabel: boolean;
  readonly line: number;
}

/** The elements that a script makes by calls such as `h(tag, attributes, …children)`. */
export function madeElements(file: string, text: string): MadeElement[] {
  if (!scripts.test(file)) return [];
  const { tree } = treeOf(file, text);
  if (!tree) return [];
  const made: MadeElement[] = [];
  ancestor(tree, {
    CallExpression(node, _state, parents) {
      const call = node as unknown as Call;
      const tag = tagOf(call);
      if (!tag) return;
      const insideLabel = parents.slice(0, -1).some((parent) => tagOf(parent as unknown as Call) === 'label');
      made.push({
        tag,
        attributes: attributesOf(call.arguments[1]),
        insideLabel,
        line: node.loc?.start.line ?? 0,
      });
    },
  });
  return made;
}

function tagOf(call: Call): string | null {
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== 'h')
    return null;
  const [first] = call.arguments;
  return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : null;
}

function attributesOf(argument: estree.Node | undefined): Map<string, string | null> | null {
  if (argument?.type === 'Literal' && argument.value === null) return new Map();
  if (argument?.type !== 'ObjectExpression') return argument === undefined ? new Map() : null;
  const attributes = new Map<string, string | null>();
  for (const property of argument.properties) {
    if (property.type === 'SpreadElement') return null;
    const name =
      property.key.type === 'Identifier'
        ? property.key.name
        : property.key.type === 'Literal'
          ? String(property.key.value)
          : '';
    attributes.set(name, property.value.type === 'Literal' ? String(property.value.value) : null);
  }
  return attributes;
}

/**
 * The same function of a file, which remembers what it found as long as there is room. Most files of a build are a
 * template's own and come again in the next build; what was longest out of use is forgotten first.
 * @param find depends on its arguments alone, and nobody changes what it gives
 */
export function remembered<Found>(
  find: (file: string, text: string) => Found,
): (file: string, text: string) => Found {
  const known = new Map<string, { readonly file: string; readonly found: Found }>();
  let chars = 0;
  return (file, text) => {
    const before = known.get(text);
    if (before?.file === file) {
      known.delete(text);
      known.set(text, before);
      return before.found;
    }
    const found = find(file, text);
    if (text.length > maxTextChars) return found;
    if (!before) chars += text.length;
    known.set(text, { file, found });
    for (const oldest of known.keys()) {
      if (chars <= maxChars) break;
      known.delete(oldest);
      chars -= oldest.length;
    }
    return found;
  };
}
