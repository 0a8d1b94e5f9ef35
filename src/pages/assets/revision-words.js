/**
 * What was changed in a revision, in a few words; empty for a first build.
 * @param {{ type: string, instruction?: string | null, restored?: number | null }} change
 */
export function changeText({ type, instruction = null, restored = null }) {
  if (instruction !== null) return `“${instruction}”`;
  if (type === 'restore') return restored === null ? 'an earlier one again' : `revision ${restored} again`;
  if (type === 'spec' || type === 'patch') return 'changed in the form';
  return type === 'instruction' ? 'an instruction' : '';
}
