import { type ParserError, parse } from 'parse5';
import { attribute, type Element, elementsOf, isForeign, textOf } from '../page-links.ts';
import { type Problem, problem, warning } from '../problem.ts';

const lineOf = (element: Element) => element.sourceCodeLocation?.startLine ?? null;

/** The page is well-formed. */
export function htmlParses(file: string, text: string): Problem[] {
  const problems: Problem[] = [];
  const onParseError = ({ code, startLine }: ParserError) =>
    problems.push(problem('html.parse', `The page is not well-formed: ${code}.`, file, startLine));
  parse(text, { sourceCodeLocationInfo: true, onParseError });
  return problems;
}

/** The page has what every page needs. */
export function htmlShell(file: string, text: string): Problem[] {
  const elements = elementsOf(text);
  const first = (tag: string) => elements.find((element) => element.tagName === tag);
  const problems: Problem[] = [];
  const html = first('html');
  const title = first('title');
  if (!/^\s*<!doctype html>/i.test(text))
    problems.push(problem('html.shell', 'The page does not begin with <!doctype html>.', file, 1));
  if (!html || !attribute(html, 'lang'))
    problems.push(problem('html.shell', 'The page does not name its language.', file, 1));
  if (!title || textOf(title).trim() === '')
    problems.push(problem('html.shell', 'The page has no title.', file, 1));
  const viewport = elements.some(
    (element) => element.tagName === 'meta' && attribute(element, 'name') === 'viewport',
  );
  if (!viewport)
    problems.push(problem('html.shell', 'The page has no viewport: a phone would show it tiny.', file, 1));
  return problems;
}

/** Ids are unique, and links to a place in the page lead somewhere. */
export function pageIds(file: string, text: string, scripts: string): Problem[] {
  const elements = elementsOf(text);
  const ids = elements.map((element) => attribute(element, 'id')).filter((id) => id !== null);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const problems = twice.map((id) => problem('html.ids', `The id ${id} stands twice.`, file));
  for (const element of elements) {
    const target = element.tagName === 'a' ? attribute(element, 'href') : null;
    if (!target?.startsWith('#') || target === '#') continue;
    if (!ids.includes(target.slice(1)) && !scripts.includes(target.slice(1))) {
      problems.push(
        problem('refs.local', `The link leads to ${target}, which is not there.`, file, lineOf(element)),
      );
    }
  }
  return problems;
}

/** Attributes whose address a browser loads or sends to. A plain link only leads there when a person follows it. */
const loading: ReadonlySet<string> = new Set([
  'src',
  'srcset',
  'href',
  'data',
  'action',
  'formaction',
  'poster',
  'ping',
  'background',
  'manifest',
]);

/** No address in the page is one that a browser would load from elsewhere or send to. Scripts are not looked at. */
export function noForeignReferences(file: string, text: string): Problem[] {
  return elementsOf(text).flatMap((element) =>
    element.attrs.flatMap(({ name, value }) => {
      const follows = ['a', 'area'].includes(element.tagName) && name === 'href';
      if (!loading.has(name) || follows || !isForeign(value) || /^(data|blob):/i.test(value)) return [];
      return [
        problem(
          'refs.external',
          `<${element.tagName}> refers to ${value.slice(0, 80)}; an app must not need the network.`,
          file,
          lineOf(element),
        ),
      ];
    }),
  );
}

/** Buttons and forms do something. A script may reach an element by its id, a class or a data attribute. */
export function deadControls(file: string, text: string, scripts: string): Problem[] {
  const elements = elementsOf(text);
  const reached = (element: Element) =>
    element.attrs.some(({ name, value }) => {
      if (name.startsWith('on') || name === 'popovertarget' || name === 'command') return true;
      if (name === 'id') return scripts.includes(value);
      if (name === 'class')
        return value.split(/\s+/).some((word) => word !== '' && scripts.includes(`.${word}`));
      return name.startsWith('data-') && (scripts.includes(name) || scripts.includes(camel(name.slice(5))));
    });
  const forms = elements.filter((element) => element.tagName === 'form');
  const inForm = new Set(forms.flatMap((form) => inside(form)));
  return elements.flatMap((element) => {
    const line = lineOf(element);
    if (element.tagName === 'button') {
      const submits = inForm.has(element) && (attribute(element, 'type') ?? 'submit') !== 'button';
      return submits || reached(element)
        ? []
        : [problem('ui.dead', `The button “${textOf(element).trim()}” does nothing.`, file, line)];
    }
    if (element.tagName === 'form')
      return reached(element) || /addEventListener\(\s*['"]submit/.test(scripts)
        ? []
        : [problem('ui.dead', 'Nothing happens when the form is sent.', file, line)];
    if (element.tagName === 'a' && ['#', ''].includes(attribute(element, 'href') ?? 'x')) {
      return reached(element)
        ? []
        : [problem('ui.dead', `The link “${textOf(element).trim()}” leads nowhere.`, file, line)];
    }
    return [];
  });
}

const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function inside(element: Element): Element[] {
  return element.childNodes.flatMap((node) => ('tagName' in node ? [node, ...inside(node)] : []));
}

/** Every control has a name that can be read out, every picture a text. */
export function labels(file: string, text: string): Problem[] {
  const elements = elementsOf(text);
  const labelled = new Set(
    elements
      .filter((element) => element.tagName === 'label')
      .flatMap((label) => [
        attribute(label, 'for'),
        ...inside(label).map((child) => attribute(child, 'id') ?? child),
      ]),
  );
  const named = (element: Element) =>
    ['aria-label', 'aria-labelledby', 'title'].some((name) => attribute(element, name));
  return elements.flatMap((element) => {
    const line = lineOf(element);
    const type = attribute(element, 'type') ?? '';
    if (
      ['input', 'select', 'textarea'].includes(element.tagName) &&
      !['hidden', 'submit', 'button', 'reset'].includes(type)
    ) {
      const id = attribute(element, 'id');
      return named(element) || labelled.has(element) || (id !== null && labelled.has(id))
        ? []
        : [problem('a11y.labels', `<${element.tagName}> has no label.`, file, line)];
    }
    if (element.tagName === 'img' && attribute(element, 'alt') === null)
      return [problem('a11y.labels', 'The picture has no alternative text.', file, line)];
    if (element.tagName === 'button' && textOf(element).trim() === '' && !named(element))
      return [problem('a11y.labels', 'The button has no name.', file, line)];
    return [];
  });
}

/** A field for a password has no place in an app that anybody can publish. */
export function passwordFields(file: string, text: string): Problem[] {
  return elementsOf(text)
    .filter((element) => element.tagName === 'input' && attribute(element, 'type') === 'password')
    .map((element) => warning('security.password', 'The page asks for a password.', file, lineOf(element)));
}
