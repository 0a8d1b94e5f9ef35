import type { ByteBudget } from '../../lib/byte-budget.ts';
import type { CompletionStream } from '../../model/port.ts';
import type { ModelsSettings } from '../upstream/settings.ts';
import { createModelGateway } from './gateway.ts';
import type { LaneGateway } from './lanes.ts';

/** The models, whose settings can be exchanged while requests run. */
export interface SwappableGateway extends LaneGateway {
  /**
   * Prepares other settings, and gives what makes them hold, which cannot fail. Throws `Error` with a message for the
   * operator when they contradict themselves. Calls that have begun end on the old settings and their connections.
   */
  prepare(settings: ModelsSettings): () => void;
}

/** How long a request that has found its provider may take to ask it, beside the calls that are counted, in milliseconds. */
const graceMs = 30_000;

interface Line {
  readonly gateway: LaneGateway;
  calls: number;
  /** Whether its connections are being closed. */
  closing: boolean;
  /** Whether it may be closed once no call runs on it. */
  retired: boolean;
}

/** @param onError is told when the connections of former settings could not be closed */
export function createSwappableGateway(
  settings: ModelsSettings,
  budget: ByteBudget,
  onError: (error: unknown) => void,
): SwappableGateway {
  const lineWith = (gateway: LaneGateway): Line => ({ gateway, calls: 0, closing: false, retired: false });
  let current = lineWith(createModelGateway(settings, budget));
  /** Former ones whose connections are still open. */
  const former = new Map<Line, NodeJS.Timeout>();

  const closeIfIdle = (line: Line) => {
    if (!line.retired || line.calls > 0 || line.closing) return;
    line.closing = true;
    former.delete(line);
    line.gateway.close().catch(onError);
  };

  /** Counts a call on the line that holds now; what it gives back is to be called once when the call is over. */
  const begin = () => {
    const line = current;
    line.calls += 1;
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      line.calls -= 1;
      closeIfIdle(line);
    };
    return { gateway: line.gateway, end };
  };

  return {
    get defaultModel() {
      return current.gateway.defaultModel;
    },
    targetsOf: (name) => current.gateway.targetsOf(name),
    canonicalOf: (name) => current.gateway.canonicalOf(name),
    providerOf: (name) => current.gateway.providerOf(name),
    async complete(name, call, context) {
      const { gateway, end } = begin();
      return gateway.complete(name, call, context).finally(end);
    },
    async stream(name, call, context) {
      const { gateway, end } = begin();
      try {
        const served = await gateway.stream(name, call, context);
        return { ...served, events: endingWith(served.events, end) };
      } catch (thrown) {
        end();
        throw thrown;
      }
    },
    async ask(name, prepare, context) {
      const { gateway, end } = begin();
      try {
        const asked = await gateway.ask(name, prepare, context);
        return {
          ...asked,
          succeeded(ending) {
            asked.succeeded(ending);
            end();
          },
          ended(thrown) {
            asked.ended(thrown);
            end();
          },
        };
      } catch (thrown) {
        end();
        throw thrown;
      }
    },
    ableTo: (prepare) => current.gateway.ableTo(prepare),
    checkProviders: () => current.gateway.checkProviders(),
    provider: (id) => current.gateway.provider(id),
    providers: () => current.gateway.providers(),
    refresh: () => current.gateway.refresh(),
    list: () => current.gateway.list(),
    find: (name) => current.gateway.find(name),
    prepare(next) {
      const gateway = createModelGateway(next, budget);
      return () => {
        const old = current;
        current = lineWith(gateway);
        const retire = () => {
          old.retired = true;
          closeIfIdle(old);
        };
        former.set(old, setTimeout(retire, graceMs).unref());
      };
    },
    async close() {
      const open = [...former.keys()];
      for (const timer of former.values()) clearTimeout(timer);
      former.clear();
      await Promise.all([current, ...open].map(({ gateway }) => gateway.close()));
    },
  };
}

/** The stream, and word of its end, however it ends. */
function endingWith(inner: CompletionStream, end: () => void): CompletionStream {
  const stream: CompletionStream = {
    [Symbol.asyncIterator]: () => stream,
    async next() {
      try {
        const result = await inner.next();
        if (result.done || result.value.type === 'end') end();
        return result;
      } catch (thrown) {
        end();
        throw thrown;
      }
    },
    take() {
      const event = inner.take();
      if (event?.type === 'end') end();
      return event;
    },
    async return() {
      try {
        return await inner.return();
      } finally {
        end();
      }
    },
  };
  return stream;
}
