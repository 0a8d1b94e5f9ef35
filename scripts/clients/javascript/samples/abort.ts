import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

const controller = new AbortController();
setTimeout(() => controller.abort(), 100);
try {
  const body = { model: 'sandbox/slow', message: 'Hello' };
  await switchyard.createChat({ body, signal: controller.signal });
} catch (error) {
  if (!controller.signal.aborted) throw error;
  console.log('no longer wanted');
}
