import { bundleApp } from '../bundle.ts';
import { attribute, elementsOf, textOf } from '../page-links.ts';
import { type Problem, problem } from '../problem.ts';
import { type AppSpec, endpointOrigin } from '../spec.ts';
import { forbiddenCode, madeElements, remembered, undefinedNames } from './code.ts';
import {
  deadControls,
  htmlParses,
  htmlShell,
  labels,
  noForeignReferences,
  pageIds,
  passwordFields,
} from './page.ts';
import { pathProblems, sizeProblems } from './paths.ts';

import { contrastProblems, cssProblems } from './style.ts';

const placeholders = [
  /\b(rest|remainder) of (the|your) (code|file|function|styles)\b/i,
  /\bexisting code\b/i,
  /\b(code|logic|implementation) (goes|remains|stays) (here|unchanged|the same)\b/i,
  /\bTODO\b|\bFIXME\b/,
  /\blorem ipsum\b/i,
  /\byour[-_ ]?(api[-_ ]?key|code here)\b/i,
];

const requests =
  /\b(?:fetch(?!\(app\.contact\.endpoint \?\? '',)|sendBeacon|importScripts)\s*\(|\bnew\s+(?:XMLHttpRequest|WebSocket|EventSource|RTCPeerConnection|WebTransport)\b|\bserviceWorker\b|\.(?:src|srcset|action|poster)\s*=\s*['"`]\s*(?:https?:)?\/\/|\blocation(?:\.href)?\s*=(?!=)\s*['"`]\s*(?:https?:)?\/\/|\blocation\.(?:assign|replace)\s*\(|\bwindow\.open\s*\(/;

const data = new Set(['application/json', 'application/ld+json', 'text/plain']);

const forbidden: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed', 'base', 'portal']);

/** The outcome of one check over all files. */
export interface CheckResult {
  readonly id: string;
  readonly status: 'passed' | 'warning' | 'failed';
  readonly problems: readonly Problem[];
}

export interface Verification {
  readonly passed: boolean;
  readonly checks: readonly CheckResult[];
  /** The bundled page; null when it could not be made. */
  readonly html: string | null;
}

type FileCheck = (file: string, text: string, scripts: string) => readonly Problem[];

/** Checks that look at one file at a time, and the files that they look at. */
const fileChecks: readonly {
  readonly files: RegExp;
  readonly ids: readonly string[];
  readonly run: FileCheck;
}[] = [
  { files: /\.html$/, ids: ['html.parse'], run: htmlParses },
  { files: /^index\.html$/, ids: ['html.shell'], run: htmlShell },
  { files: /\.html$/, ids: ['html.ids', 'refs.local'], run: pageIds },
  { files: /\.html$/, ids: ['refs.external'], run: noForeignReferences },
  { files: /\.html$/, ids: ['ui.dead'], run: deadControls },
  { files: /\.html$/, ids: ['a11y.labels'], run: labels },
  { files: /\.html$/, ids: ['security.password'], run: passwordFields },
  { files: /\.html$/, ids: ['security.page'], run: pageSecurity },
  { files: /\.css$/, ids: ['css.parse', 'refs.local', 'refs.external'], run: cssProblems },
  { files: /\.css$/, ids: ['a11y.contrast'], run: contrastProblems },
  { files: /\.(js|jsx|ts|tsx)$/, ids: ['js.syntax', 'js.forbidden'], run: forbiddenCode },
  { files: /\.(js|jsx|ts|tsx)$/, ids: ['js.undef', 'js.const'], run: undefinedNames },
  { files: /\.(js|jsx|ts|tsx)$/, ids: ['ui.dead', 'a11y.labels'], run: madeControls },
  { files: /\.(js|jsx|ts|tsx)$/, ids: ['refs.external'], run: requestProblems },
  {
    files: /\.(html|css|js|jsx|ts|tsx|md)$/,
    ids: ['placeholder'],
    run: (file, text) => (file === 'README.md' ? [] : placeholderProblems(file, text)),
  },
];

/** Every check by its id. */
export const checkIds: readonly string[] = [
  ...new Set([
    'files.nonempty',
    'size.ok',
    'paths.safe',
    ...fileChecks.flatMap((check) => check.ids),
    'bundle',
    'spec.covered',
  ]),
];

/** Looks at everything that can be seen without running the app. Whatever has an error must not be called a success. */
export async function verifyApp(
  files: ReadonlyMap<string, string>,
  spec: AppSpec | null = null,
): Promise<Verification> {
  const rules = [...sizeProblems(files), ...pathProblems(files)];
  // Oversized or badly named files are not even read.
  const sound = rules.length === 0;
  const scripts = [...files]
    .filter(([path]) => /\.(js|jsx|ts|tsx)$/.test(path))
    .map(([, text]) => text)
    .join('\n');
  const perFile = sound
    ? [...files].flatMap(([path, text]) =>
        path.endsWith('.html') ? problemsOf(path, text, scripts) : problemsOfSource(path, text),
      )
    : [];
  const bundle = sound ? await bundleApp(files, spec && endpointOrigin(spec)) : { html: null, problems: [] };
  const covered = sound && spec ? coverage(files, spec) : [];
  const problems = [...rules, ...perFile, ...bundle.problems.filter(({ id }) => id === 'bundle'), ...covered];
  const checks = checkIds.map((id) =>
    resultOf(
      id,
      problems.filter((entry) => entry.id === id),
    ),
  );
  return {
    passed: checks.every((check) => check.status !== 'failed') && bundle.html !== null,
    checks,
    html: bundle.html,
  };
}

function problemsOf(path: string, text: string, scripts: string): Problem[] {
  return fileChecks
    .filter((check) => check.files.test(path))
    .flatMap((check) => check.run(path, text, scripts));
}

/** Only pages are looked at together with the scripts; what is wrong with another file is so in every build. */
const problemsOfSource = remembered((path, text): readonly Problem[] => problemsOf(path, text, ''));

function resultOf(id: string, problems: readonly Problem[]): CheckResult {
  const failed = problems.some((entry) => entry.severity === 'error');
  return { id, status: failed ? 'failed' : problems.length > 0 ? 'warning' : 'passed', problems };
}

/** Controls that scripts make are looked at like those that stand in the page. */
function madeControls(file: string, text: string): Problem[] {
  return madeElements(file, text).flatMap(({ tag, attributes, insideLabel, line }) => {
    if (!attributes) return [];
    const acts = [...attributes.keys()].some((name) => name.startsWith('on'));
    if (tag === 'button' && !acts && attributes.get('type') !== 'submit')
      return [problem('ui.dead', 'The button does nothing.', file, line)];
    if (tag === 'form' && !acts)
      return [problem('ui.dead', 'Nothing happens when the form is sent.', file, line)];
    const isControl = ['input', 'select', 'textarea'].includes(tag) && attributes.get('type') !== 'hidden';
    const named =
      insideLabel ||
      attributes.has('id') ||
      attributes.has('aria-label') ||
      attributes.has('aria-labelledby');
    return isControl && !named ? [problem('a11y.labels', `<${tag}> has no label.`, file, line)] : [];
  });
}

/** What the spec promises is in the app: its language, its name in the title, and each of its fields. */
function coverage(files: ReadonlyMap<string, string>, spec: AppSpec): Problem[] {
  const elements = elementsOf(files.get('index.html') ?? '');
  const title = elements.find((element) => element.tagName === 'title');
  const html = elements.find((element) => element.tagName === 'html');
  const lang = html && attribute(html, 'lang');
  const everything = [...files]
    .filter(([path]) => path !== 'README.md')
    .map(([, text]) => text)
    .join('\n');
  const missing = (spec.entity?.fields ?? []).filter(
    (field) =>
      !everything.includes(JSON.stringify(field.label).slice(1, -1)) &&
      !everything.includes(escaped(field.label)),
  );
  return [
    ...(lang?.split('-')[0] === spec.lang
      ? []
      : [problem('spec.covered', `The language of the page is not ${spec.lang}.`, 'index.html', 1)]),
    ...(title && textOf(title).includes(spec.name)
      ? []
      : [problem('spec.covered', 'The title does not hold the name of the app.', 'index.html')]),
    ...missing.map((field) =>
      problem('spec.covered', `The field “${field.label}” is missing.`, 'index.html'),
    ),
  ];
}

const escaped = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);

/**
 * Nothing stands in a page that no other check looks at: scripts, styles and handlers belong in files, and a page holds no
 * other page, is not led elsewhere and does not change what its addresses mean.
 */
function pageSecurity(file: string, text: string): Problem[] {
  return elementsOf(text).flatMap((element) => {
    const { tagName: tag, attrs } = element;
    const found = (message: string) => [
      problem('security.page', message, file, element.sourceCodeLocation?.startLine ?? null),
    ];
    if (forbidden.has(tag)) return found(`<${tag}> is not allowed.`);
    if (tag === 'script' && attribute(element, 'src') === null && !data.has(attribute(element, 'type') ?? ''))
      return found('The page contains a script; move it to a file under src/.');
    if (tag === 'style') return found('Styles stand in the page; they belong in a file under src/.');
    if (tag === 'meta' && attribute(element, 'http-equiv') !== null)
      return found('<meta http-equiv> is not allowed.');
    return attrs.flatMap(({ name, value }) => {
      if (/^on/i.test(name)) return found(`The handler ${name} is in the page; move it to a script.`);
      if (name === 'style' && /url\(|@import|expression/i.test(value))
        return found('A style attribute refers to an address.');
      return /^(?:href|src|action|formaction|xlink:href)$/.test(name) && isScriptAddress(value)
        ? found(`${name} is a script address.`)
        : [];
    });
  });
}

function isScriptAddress(address: string): boolean {
  const plain = address.replace(/[\p{Cc}\s]/gu, '').toLowerCase();
  return (
    plain.startsWith('javascript:') || plain.startsWith('vbscript:') || plain.startsWith('data:text/html')
  );
}

/** No gap was left for somebody else to fill. What the user wrote stands in the page's data, which is left out. */
function placeholderProblems(file: string, text: string): Problem[] {
  const own = withoutData(text);
  return own.split('\n').flatMap((line, index) => {
    const found = placeholders.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined);
    return found ? [problem('placeholder', `“${found}” was left to be filled in.`, file, index + 1)] : [];
  });
}

/**
 * Scripts do not ask for the network in plain words. This is a hint to whoever writes the app, so that it works without:
 * code in disguise passes. The address that answers are posted to is the owner's, and only its page lets it through. What keeps an app from the network is the policy of its page and of its preview.
 */
function requestProblems(file: string, text: string): Problem[] {
  if (!/\.(js|jsx|ts|tsx)$/.test(file)) return [];
  return text.split('\n').flatMap((line, index) => {
    const found = requests.exec(line)?.[0];
    return found
      ? [
          problem(
            'refs.external',
            `${found.trim()} needs the network; an app must work without.`,
            file,
            index + 1,
          ),
        ]
      : [];
  });
}

/** The same number of lines without what stands between the tags of the page's data, its title and its description. */
function withoutData(text: string): string {
  const blank = (match: string) => match.replace(/[^\n]/g, ' ');
  return text
    .replace(/<script type="application\/json"[\s\S]*?<\/script>/g, blank)
    .replace(/<title>[\s\S]*?<\/title>/g, blank)
    .replace(/<meta name="description"[^>]*>/g, blank);
}
