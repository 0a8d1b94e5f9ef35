import Koa, { type Context } from 'koa';
import { toServiceError } from '../../src/contract/errors.ts';
import { Exchange } from '../../src/http/exchange.ts';
import { ByteBudget } from '../../src/lib/byte-budget.ts';
import { FaultLog } from '../../src/observe/fault-log.ts';
import { createLog } from '../../src/observe/log.ts';

/**
 * A server for one part of `http/`: what the part gives is the reply as JSON, and what it throws the status and code of its
 * error. To be asked by supertest.
 * @param budget the memory for requests and replies in flight, in bytes
 */
export function serverOf(
  part: (context: Context, exchange: Exchange) => unknown,
  budget = Number.POSITIVE_INFINITY,
): ReturnType<Koa['callback']> {
  const log = createLog('silent', { destination: { write: () => undefined } });
  const parts = {
    log,
    faults: new FaultLog(log),
    publicUrl: 'http://127.0.0.1',
    clientAddress: () => '203.0.113.9',
    budget: new ByteBudget(budget),
    stream: { heartbeatMs: 10_000, pingMs: 10_000, writeTimeoutMs: 10_000 },
  };
  const application = new Koa();
  application.use(async (context) => {
    const exchange = new Exchange(context, parts);
    try {
      context.body = JSON.stringify((await part(context, exchange)) ?? null);
    } catch (thrown) {
      const { code, info, headers, message } = toServiceError(thrown);
      context.status = info.status;
      context.set(headers);
      context.body = { code, message };
    } finally {
      exchange.memory.release();
    }
    context.type = 'json';
  });
  return application.callback();
}
