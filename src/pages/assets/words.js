/** @param {number} bytes */
export function inBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const thousands = bytes / 1000;
  return thousands < 1000 ? `${shortened(thousands)} kB` : `${shortened(thousands / 1000)} MB`;
}

/** @param {number} ms */
export function inTime(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${shortened(ms / 1000)} s` : countdown(ms);
}

/**
 * Time that is left, in whole seconds upwards.
 * @param {number} ms
 */
export function countdown(ms) {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  const minutes = Math.floor(seconds / 60);
  const rest = `${minutes === 0 ? seconds : String(seconds % 60).padStart(2, '0')}\u00a0s`;
  return minutes === 0 ? rest : `${minutes}\u00a0min ${rest}`;
}

/**
 * @param {number} amount
 * @param {string} one
 * @param {string} many
 */
export function counted(amount, one, many = `${one}s`) {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** @param {number} value */
function shortened(value) {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}

/**
 * The time of day, in hours and minutes.
 * @param {string} moment
 */
export function timeOf(moment) {
  return new Date(moment).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
