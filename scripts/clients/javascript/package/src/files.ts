import { unzipSync } from 'fflate';

/** The files in the archive of a build, by their paths. `new TextDecoder().decode(file)` gives the text of one. */
export async function filesOf(archive: Blob): Promise<Map<string, Uint8Array>> {
  const entries = Object.entries(unzipSync(new Uint8Array(await archive.arrayBuffer())));
  return new Map(entries.filter(([path]) => !path.endsWith('/')));
}
