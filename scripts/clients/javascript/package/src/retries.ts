/** Waits longer than this are the caller's to decide. */
const maxWaitMs = 60_000;

/**
 * A `fetch` that repeats a request after an error reply that says `"retryable": true`, as long as the server asks to wait
 * (`Retry-After`) or else 0.5 s, 1 s, 2 s, … with jitter. A reply with `x-should-retry: false` is final. A connection
 * that failed is tried again for GET only, since another request may have been carried out.
 */
export function withRetries(send: typeof fetch, retries: number): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    for (let attempt = 0; ; attempt++) {
      const last = attempt >= retries;
      let waitMs = 500 * 2 ** attempt * (0.75 + Math.random() / 2);
      try {
        const response = await send(last ? request : request.clone());
        if (response.ok || last || !(await isRetryable(response))) return response;
        const asked = response.headers.get('retry-after');
        if (asked !== null) waitMs = Number(asked) * 1000;
        if (!(waitMs <= maxWaitMs)) return response;
        await response.body?.cancel();
      } catch (error) {
        if (last || request.method !== 'GET' || request.signal.aborted) throw error;
      }
      await delay(waitMs, request.signal);
    }
  };
}

async function isRetryable(response: Response): Promise<boolean> {
  if (response.headers.get('x-should-retry') === 'false') return false;
  try {
    const body = (await response.clone().json()) as { error?: { retryable?: boolean } };
    return body.error?.retryable === true;
  } catch {
    return response.status >= 502;
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
