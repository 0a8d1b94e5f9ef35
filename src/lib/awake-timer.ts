/** Into how many parts a time is divided. */
const parts = 4;

/**
 * Acts after a time in which this process was awake. One that is held up, as on a busy machine, finds its timers due before it has
 * read what came meanwhile, and would take an answer for missing that lies there. So the time passes in parts: one that ended late
 * counts half, and what can be read is read before the action. Returns what cancels it.
 * @param action is called once, unless it was cancelled
 */
export function afterAwake(milliseconds: number, action: () => void): () => void {
  const partMs = milliseconds / parts;
  let left = 2 * parts;
  let immediate: NodeJS.Immediate | undefined;
  let since = performance.now();
  const pass = () => {
    const now = performance.now();
    left -= now - since > 2 * partMs ? 1 : 2;
    since = now;
    if (left > 0) timer = setTimeout(pass, partMs);
    // Those come after what can be read.
    else immediate = setImmediate(action);
  };
  let timer = setTimeout(pass, partMs);
  return () => {
    clearTimeout(timer);
    if (immediate) clearImmediate(immediate);
  };
}
