const restMs = 1500;

/**
 * Speaks to people who hear the page, through a live region, and not more often than they can follow: of what comes in
 * quick succession they get the first and the last.
 * @param {Element} region with `role="status"`
 * @returns {(text: string) => void}
 */
export function announcer(region) {
  let waiting = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;
  const speak = () => {
    rest = undefined;
    if (waiting === '') return;
    region.textContent = waiting;
    waiting = '';
    rest = setTimeout(speak, restMs);
  };
  return (text) => {
    waiting = text;
    if (rest === undefined) speak();
  };
}
