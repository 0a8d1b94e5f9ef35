/**
 * Tells every second how long it is until a moment.
 * @param {number} until milliseconds since 1970
 * @param {AbortSignal} signal stops it
 * @param {(leftMs: number) => void} onTick
 * @returns {Promise<boolean>} true when the moment has come, false when it was stopped
 */
export function countDown(until, signal, onTick) {
  return new Promise((fulfil) => {
    const tick = () => {
      const left = until - Date.now();
      if (left <= 0 || signal.aborted) {
        clearInterval(timer);
        fulfil(!signal.aborted);
      } else onTick(left);
    };
    const timer = setInterval(tick, 1000);
    signal.addEventListener('abort', tick);
    tick();
  });
}
