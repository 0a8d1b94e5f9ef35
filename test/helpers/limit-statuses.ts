/** How limits of each kind may stand. */
export const minute = {
  name: 'minute',
  limit: 10,
  remaining: 3,
  resetMs: 59_001,
  windowSeconds: 60,
} as const;
export const month = {
  name: 'month',
  limit: 1_000,
  remaining: 0,
  resetMs: 90_061_000,
  windowSeconds: 2_592_000,
} as const;
export const tokens = { name: 'tokens', limit: 500, remaining: 20, resetMs: 100, windowSeconds: 60 } as const;
export const concurrency = {
  name: 'concurrency',
  limit: 4,
  remaining: 1,
  resetMs: null,
  windowSeconds: null,
} as const;
