import { pathProblems } from '../verify/paths.ts';

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
