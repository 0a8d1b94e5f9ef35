export function inBytes(bytes: number) {
  if (bytes < 1000) return `${bytes} B`;
  const thousands = bytes / 1000;
  return thousands < 1000 ? `${shortened(thousands)} kB` : `${shortened(thousands / 1000)} MB`;
}

export function inTime(ms: number) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${shortened(ms / 1000)} s` : countdown(ms);
}

/** Time that is left, in whole seconds upwards. */
export function countdown(ms: number) {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  const minutes = Math.floor(seconds / 60);
  const rest = `${minutes === 0 ? seconds : String(seconds % 60).padStart(2, '0')}\u00a0s`;
  return minutes === 0 ? rest : `${minutes}\u00a0min ${rest}`;
}

export function counted(amount: number, one: string, many: string = `${one}s`) {
  return `${amount} ${amount === 1 ? one : many}`;
}

function shortened(value: number) {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}

export function timeOf(moment: string) {
  return new Date(moment).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
