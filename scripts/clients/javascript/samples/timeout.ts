import { Switchyard, TimeoutError } from '@switchyard/client';

// For every call of this client, in milliseconds
const switchyard = new Switchyard({ timeout: 60_000 });

try {
  // For this call
  await switchyard.createChat({ body: { model: 'sandbox/slow', message: 'Hello' }, timeout: 100 });
} catch (error) {
  if (!(error instanceof TimeoutError)) throw error;
  console.log(error.message);
}
