import { type Problem, problem } from '../problem.ts';

const limits = { files: 60, fileBytes: 256 * 1024, totalBytes: 1536 * 1024 } as const;
const segment = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;
const extension = /\.(html|css|js|ts|jsx|tsx|json|svg|md|txt|webmanifest)$/;
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** Paths that can be unpacked on every system and lead nowhere else. */
export function pathProblems(files: ReadonlyMap<string, string>): Problem[] {
  const seen = new Set<string>();
  return [...files.keys()].flatMap((path) => {
    const low = path.toLowerCase();
    const twice = seen.has(low);
    seen.add(low);
    const reason = twice ? 'differs from another only by its case' : wrongWith(path);
    return reason
      ? [
          problem(
            'paths.safe',
            `The path ${JSON.stringify(path.slice(0, 120))} ${reason}.`,
            path.slice(0, 120),
          ),
        ]
      : [];
  });
}

function wrongWith(path: string): string | null {
  const segments = path.split('/');
  if (segments.length > 6) return 'is too deep';
  if (!segments.every((part) => segment.test(part))) return 'has a part that is not allowed';
  if (segments.some((part) => deviceName.test(part) || part.endsWith('.')))
    return 'has a part that some systems forbid';
  return extension.test(path) ? null : 'has an ending that is not allowed';
}

/** There are files, and neither too many nor too large ones. */
export function sizeProblems(files: ReadonlyMap<string, string>): Problem[] {
  if (files.size === 0) return [problem('files.nonempty', 'There are no files.')];
  const sizes = [...files].map(([path, text]) => [path, Buffer.byteLength(text)] as const);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  return [
    ...(files.size > limits.files
      ? [problem('size.ok', `${files.size} files are too many, ${limits.files} are allowed.`)]
      : []),
    ...(total > limits.totalBytes
      ? [problem('size.ok', `${total} bytes are too many, ${limits.totalBytes} are allowed.`)]
      : []),
    ...sizes
      .filter(([, bytes]) => bytes > limits.fileBytes)
      .map(([path, bytes]) =>
        problem('size.ok', `The file has ${bytes} bytes, ${limits.fileBytes} are allowed.`, path),
      ),
    ...sizes
      .filter(([, bytes]) => bytes === 0)
      .map(([path]) => problem('files.nonempty', 'The file is empty.', path)),
  ];
}

/** A path as a model has written it, without what it has put around it. It may still be any text. */
export function parsedPath(written: string): string {
  return written
    .trim()
    .replace(/^[`"'*(]+|[`"'*):,]+$/g, '')
    .replace(/^(?:\.?\/)+/, '');
}

/** Maximum number of files that a model may write. */
export const maxFilesToWrite = 12;

const allowed = /^(?:index\.html|src\/[a-z0-9_./-]+\.(?:js|css))$/;

/** Why a list of paths cannot be the files of an app, one line for each reason. */
export function listProblems(paths: readonly string[], given: readonly string[]): string[] {
  const strange = paths.filter((path) => !allowed.test(path) || path.includes('..'));
  return [
    ...(paths.includes('index.html') ? [] : ['files must hold index.html']),
    ...(paths.length > maxFilesToWrite ? [`files may be at most ${maxFilesToWrite}`] : []),
    ...(new Set(paths).size < paths.length ? ['files holds a path twice'] : []),
    ...(strange.length > 0 ? ['files may only be index.html and .js and .css files under src/'] : []),
    ...(given.some((path) => paths.includes(path)) ? [`files must not hold ${given.join(', ')}`] : []),
    ...(strange.length === 0 && pathProblems(new Map(paths.map((path) => [path, '']))).length > 0
      ? ['files holds a path that is not allowed']
      : []),
  ];
}
