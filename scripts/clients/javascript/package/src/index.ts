import { unzipSync } from 'fflate';

export {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  StreamInterruptedError,
  SwitchyardError,
  TimeoutError,
} from './errors.js';
export { Switchyard, type SwitchyardOptions } from './switchyard.js';
export type * from './types.gen.js';

/** The files in the archive of a build, by their paths. `new TextDecoder().decode(file)` gives the text of one. */
export async function filesOf(archive: Blob): Promise<Map<string, Uint8Array>> {
  const entries = Object.entries(unzipSync(new Uint8Array(await archive.arrayBuffer())));
  return new Map(entries.filter(([path]) => !path.endsWith('/')));
}
