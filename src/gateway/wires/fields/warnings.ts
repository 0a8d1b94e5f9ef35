import type { Warning } from '../../../../generated/types.gen.ts';

/** What adapters call a field that clients call otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  disable_parallel_tool_use: 'parallel_tool_calls',
  safety_identifier: 'user',
  user_id: 'user',
};

/**
 * The warnings of the table of fields and of an adapter, of which the table's stands where both tell of a field.
 * @param named gives those of an adapter the names that the client's wire has
 */
export function toldOnce(
  judged: readonly Warning[],
  adapted: readonly Warning[],
  named: (adapted: readonly Warning[]) => readonly Warning[] = (same) => same,
): readonly Warning[] {
  if (judged.length === 0) return named(adapted);
  const dropped = new Set(judged.flatMap(({ param }) => (param ? [nameIn(param)] : [])));
  const others = adapted.filter(
    ({ code, param }) => code !== 'parameter_ignored' || !dropped.has(param ?? ''),
  );
  return [...judged, ...named(others)];
}

function nameIn(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return otherNames[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
