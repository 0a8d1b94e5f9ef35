import type { BuildReporter } from '../build-reporter.ts';
import { endMark, noFilesMark } from './blocks.ts';
import { Shortfall } from './budget.ts';
import { codeInstructions, codeQuestion, continuation, type ToWrite } from './prompts/code.ts';
import { type ReadAnswer, readFiles } from './reader.ts';
import type { ModelSession, Question } from './session.ts';

/** Minimum and maximum length of a piece that counts as repeated when an answer goes on. */
const overlap = { min: 20, max: 2000 } as const;

/** How often an answer that broke off is taken up again. */
const maxContinuations = 2;
const tokens = 16_000;

/** Has the model write the files of its spec, and tells of each as it comes. Throws a `Shortfall` unless all are whole. */
export async function generateFiles(
  session: ModelSession,
  reporter: BuildReporter,
  prompt: string,
  plan: ToWrite,
  total: number,
): Promise<ReadonlyMap<string, string>> {
  const paths = plan.files.map(({ path }) => path);
  const files = await askForFiles(session, {
    name: 'files',
    tokens,
    wanted: paths,
    messages: (boundary) => [
      { role: 'system', content: codeInstructions },
      { role: 'user', content: codeQuestion(prompt, plan, boundary) },
    ],
    onFile: (path, text) => reporter.file(path, text, paths.indexOf(path) + 1, total),
  });
  for (const path of paths) await reporter.file(path, files.get(path) ?? '', paths.indexOf(path) + 1, total);
  return files;
}

export interface FilesQuestion extends Pick<Question, 'name' | 'tokens' | 'messages'> {
  readonly wanted: readonly string[];
  /** Only those of them are awaited that the model writes, and it may say that none is needed. */
  readonly some?: boolean;
  /** Called with each file as soon as it is whole, where the model keeps to the form that it was asked for. */
  readonly onFile?: (path: string, text: string) => Promise<void>;
}

/** Asks for files until all that are wanted are whole. Throws a `Shortfall` if they do not come. */
export async function askForFiles(
  session: ModelSession,
  { name, tokens: maxTokens, wanted, messages, onFile, some = false }: FilesQuestion,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Set(wanted);
  const { boundary, ...first } = await session.ask({
    name,
    tokens: maxTokens,
    messages,
    ...(onFile && { onText: whenWhole(paths, onFile) }),
  });
  let { text, whole } = first;
  for (let count = 1; ; count++) {
    const read = readFiles(text, boundary, paths);
    const absent = wanted.filter((path) => !read.files.has(path));
    if (absent.length === 0) return read.files;
    if (some && whole && read.cut === null && (read.form !== null || text.includes(noFilesMark(boundary))))
      return read.files;
    const missing = some ? [] : absent;
    // Who has come to an end without a single file has something else in mind.
    if (read.form === null && whole) throw new Shortfall('noFiles');
    if (count > maxContinuations) throw new Shortfall('incomplete');
    const before = text;
    const cut = cutOff(read, whole, missing);
    const next = await session.ask({
      name: `${name}-continued-${count}`,
      boundary,
      tokens: maxTokens,
      messages: (mark) => [
        ...messages(mark),
        { role: 'assistant', content: before.trimEnd() || '…' },
        { role: 'user', content: continuation(cut, missing, mark) },
      ],
    });
    text = cut === null ? `${before}\n${next.text}` : joined(before, next.text);
    whole = next.whole;
  }
}

/** The file that an answer broke off in; before the first one it is the first that is wanted. */
function cutOff({ cut, form }: ReadAnswer, whole: boolean, missing: readonly string[]): string | null {
  return cut ?? (form === null && !whole ? (missing[0] ?? null) : null);
}

/** Looks for new whole files only when another mark of an end has come. */
function whenWhole(wanted: ReadonlySet<string>, onFile: NonNullable<FilesQuestion['onFile']>) {
  let from = 0;
  return async (text: string, boundary: string) => {
    const end = text.indexOf(endMark(boundary), from);
    if (end < 0) return;
    from = end + 1;
    const { files, form } = readFiles(text, boundary, wanted);
    if (form === 'marked') for (const [path, body] of files) await onFile(path, body);
  };
}

/**
 * Joins an answer that broke off with its continuation, at the exact place: what the continuation repeats of the end is
 * left out, a mark begins a line of its own, and fences that were opened again are dropped.
 */
export function joined(before: string, continuation: string): string {
  const after = withoutNewFence(continuation.replaceAll('\r\n', '\n'));
  if (/^\s*={2,}\s*(?:FILE|END)\b/i.test(after))
    return `${before}${before.endsWith('\n') ? '' : '\n'}${after.trimStart()}`;
  return before + after.slice(repeated(before, after));
}

/** How many characters at the start of `after` stand at the end of `before` already. */
function repeated(before: string, after: string): number {
  for (let length = Math.min(overlap.max, before.length, after.length); length >= overlap.min; length--)
    if (before.endsWith(after.slice(0, length))) return length;
  return 0;
}

function withoutNewFence(text: string): string {
  const opened = /^\s*```[\w-]*\n/.exec(text)?.[0];
  return opened === undefined ? text : text.slice(opened.length).replace(/^```[ \t]*(?:\n|$)/m, '');
}
