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
export { filesOf } from './files.js';
export { Switchyard, type SwitchyardOptions } from './switchyard.js';
export type * from './types.gen.js';
