/** How long a process is believed to live without a sign of it, in milliseconds. */
export const aliveMs = 15_000;
