import type { ServerResponse } from 'node:http';

/** So much is handed to a connection at a time. A reader that does not take that in time is given up. */
export const pieceBytes = 64 * 1024;

/** Resolves with true when the reader has caught up or is gone, with false when it takes nothing for too long. */
export function drained(res: ServerResponse, timeoutMs: number): Promise<boolean> {
  return new Promise((fulfil) => {
    const done = (caughtUp: boolean) => {
      clearTimeout(deadline);
      res.off('drain', ready);
      res.off('close', ready);
      fulfil(caughtUp);
    };
    const ready = () => done(true);
    const deadline = setTimeout(() => done(false), timeoutMs);
    res.on('drain', ready);
    res.on('close', ready);
    if (res.destroyed) ready();
  });
}

/** Cuts the connection of a reader that does not take the end either. */
export function endInTime(res: ServerResponse, timeoutMs: number): void {
  const deadline = setTimeout(() => res.destroy(), timeoutMs);
  res.once('close', () => clearTimeout(deadline));
}

/**
 * Writes a large body piece by piece, as fast as the reader takes it, and ends the reply. Handed over as a whole, it could
 * not be told from outside whether anybody reads.
 */
export async function pour(res: ServerResponse, body: Buffer, timeoutMs: number): Promise<void> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (res.destroyed) return;
    if (res.write(body.subarray(at, at + pieceBytes)) || (await drained(res, timeoutMs))) continue;
    res.destroy();
    return;
  }
  res.end();
  if (!res.writableFinished) endInTime(res, timeoutMs);
}
