import { RateLimitError, Switchyard, SwitchyardError } from '@switchyard/client';

const switchyard = new Switchyard();

try {
  await switchyard.createChat({ body: { message: 'Hello', temperature: 3 } });
} catch (error) {
  if (error instanceof RateLimitError) {
    console.log('come back in', error.retryAfter, 'seconds');
  } else if (error instanceof SwitchyardError) {
    console.log(error.status, error.code, error.param, error.message);
  } else {
    throw error;
  }
}
