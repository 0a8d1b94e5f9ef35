import { availableParallelism } from 'node:os';

/** Maximum number of processes of one start. */
const most = 64;

export const expectedProcessCount = `auto, or a whole number from 1 to ${most}`;

/** How many processes a text asks for, `auto` being one for each core that there is; null for one that says nothing of the sort. */
export function processCount(text: string): number | null {
  if (text === 'auto') return Math.min(most, availableParallelism());
  const count = Number(text);
  return /^\d+$/.test(text) && count >= 1 && count <= most ? count : null;
}
