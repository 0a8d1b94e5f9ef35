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
} from './errors.js';
export { Switchyard, type SwitchyardOptions } from './switchyard.js';
export type * from './types.gen.js';
