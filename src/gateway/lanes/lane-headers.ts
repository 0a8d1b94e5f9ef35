import type { Warning } from '../../../generated/types.gen.ts';
import type { Served } from '../../model/port.ts';

export type Lane = 'native' | 'translated';

/** Maximum length of the header of warnings, in characters: proxies refuse long ones. */
const maxWarningsLength = 2000;

/** What a reply on a foreign interface says of how it came about, where its body has no place for it. */
export function laneHeaders(
  { provider, warnings }: Pick<Served, 'provider' | 'warnings'>,
  lane: Lane,
): Record<string, string> {
  const told = warningsHeader(warnings);
  return {
    'x-switchyard-provider': provider,
    'x-switchyard-lane': lane,
    ...(told !== '' && { 'x-switchyard-warnings': told }),
  };
}

/** The codes of the warnings, each with the field that it is about: `field_dropped;param=top_k, temperature_ignored`. */
export function warningsHeader(warnings: readonly Warning[]): string {
  let header = '';
  for (const { code, param } of warnings) {
    const about =
      param === null || param === undefined ? '' : `;param=${param.replaceAll(/[^\w.[\]-]/g, '_')}`;
    const next = header === '' ? code + about : `${header}, ${code}${about}`;
    if (next.length > maxWarningsLength) return header;
    header = next;
  }
  return header;
}
