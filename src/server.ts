import { openKeyStore } from './accounts/open-key-store.ts';
import { createApp } from './app.ts';
import { readConfig } from './config/config.ts';
import { modelsSettings } from './config/models-config.ts';
import type { Exchange } from './http/exchange.ts';
import { listen, serve } from './http/listen.ts';
import { ConfigError } from './lib/config-error.ts';
import type { Lifecycle } from './lib/lifecycle.ts';
import { createModelGateway } from './models/gateway.ts';
import { createLog } from './observe/log.ts';

try {
  await start();
} catch (error) {
  console.error(error instanceof ConfigError || isAddressError(error) ? error.message : error);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = await readConfig(process.env);
  const log = createLog(config.logLevel);
  const { store: keys, firstKey } = await openKeyStore(config);
  const reception = await listen(config.host, config.port);
  const publicUrl =
    config.port === 0 ? config.publicUrl.replace(/:0$/, `:${reception.port}`) : config.publicUrl;
  const models = createModelGateway(modelsSettings(config));
  const lifecycle: Lifecycle = { draining: false, startedAt: Date.now() };
  const running = new Set<Exchange>();
  const replyCheck =
    config.environment === 'production' ? null : (await import('./contract/reply-check.ts')).replyCheck;
  const app = await createApp({ publicUrl, keys, models, log, lifecycle, replyCheck, running });
  const listener = serve(reception, app.callback(), { lifecycle, running, publicUrl });
  greet(publicUrl, firstKey);

  let stopping = false;
  const stop = async (signal: string) => {
    // A second signal means: now.
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal, running: running.size }, 'stopping');
    await listener.drain(config.drainTimeoutMs);
    await models.close();
    log.info('stopped');
    log.flush(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function greet(publicUrl: string, firstKey: string | null): void {
  console.log(`Switchyard listens on ${publicUrl}`);
  console.log(`Documentation: ${publicUrl}/docs`);
  if (firstKey === null) return;
  console.log(`
This is the first start, so a key was made for you. It is shown this once:

  ${firstKey}

Try it:

  curl ${publicUrl}/v1/chat \\
    -H "Authorization: Bearer ${firstKey}" \\
    -H "Content-Type: application/json" \\
    -d '{"message": "Hello!"}'
`);
}

function isAddressError(error: unknown): error is Error {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND';
}
