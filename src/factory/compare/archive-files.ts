import { strFromU8, unzipSync } from 'fflate';

/** The texts in an archive that this factory has packed, by path. */
export function archiveFiles(zip: Uint8Array): Map<string, string> {
  return new Map(Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, strFromU8(bytes)]));
}
