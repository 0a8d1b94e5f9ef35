const flag = '--max-old-space-size=';
const mebibyte = 1024 * 1024;
/** What is not V8's heap, such as buffers, code and what threads have, needs the rest. */
const share = 0.4;
/** With less the server hardly starts. */
const min = 96 * mebibyte;

/**
 * Node's arguments with V8's old space bounded so that it fits into the memory there is: a heap that believes in more collects
 * its garbage too late, and the process is killed. A smaller bound stays as it is.
 * @param args of Node.js, without the script and what follows it
 * @param heap bound of the heap that holds without a flag, in bytes
 * @param memory what there is for the process, in bytes
 */
export function withHeapBound(args: readonly string[], heap: number, memory: number): readonly string[] {
  const isBound = (arg: string) => arg.replaceAll('_', '-').startsWith(flag);
  const given = args.findLast(isBound)?.slice(flag.length);
  const bound = given === undefined ? heap : Number(given) * mebibyte;
  const most = Math.max(min, memory * share);
  if (bound <= most) return args;
  return [...args.filter((arg) => !isBound(arg)), `${flag}${Math.floor(most / mebibyte)}`];
}
