import type { ByteBudget } from '../../lib/byte-budget.ts';
import type { ModelsSettings } from '../upstream/settings.ts';
import { createModelGateway, type ModelGateway } from './gateway.ts';
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
const defaultGraceMs = 30_000;

interface Line {
  readonly gateway: ModelGateway;
  /** Whether its connections are being closed. */
  closing: boolean;
  /** Whether it may be closed once no call runs on it. */
  retired: boolean;
}

/**
 * @param onError called with the error when the connections of former settings could not be closed
 * @param graceMs how long former settings take calls that have already found their provider, in milliseconds
 */
export function createSwappableGateway(
  settings: ModelsSettings,
  budget: ByteBudget,
  onError: (error: unknown) => void,
  graceMs = defaultGraceMs,
): SwappableGateway {
  const lineWith = (given: ModelsSettings): Line => {
    const line: Line = {
      gateway: createModelGateway(given, budget, () => closeIfIdle(line)),
      closing: false,
      retired: false,
    };
    return line;
  };
  /** Former ones whose connections are still open. */
  const former = new Map<Line, NodeJS.Timeout>();

  const closeIfIdle = (line: Line) => {
    if (!line.retired || line.gateway.calls > 0 || line.closing) return;
    line.closing = true;
    former.delete(line);
    line.gateway.close().catch(onError);
  };

  let current = lineWith(settings);

  return {
    get defaultModel() {
      return current.gateway.defaultModel;
    },
    targetsOf: (name) => current.gateway.targetsOf(name),
    canonicalOf: (name) => current.gateway.canonicalOf(name),
    providerOf: (name) => current.gateway.providerOf(name),
    complete: (name, call, context) => current.gateway.complete(name, call, context),
    stream: (name, call, context) => current.gateway.stream(name, call, context),
    ask: (name, prepare, context) => current.gateway.ask(name, prepare, context),
    ableTo: (prepare) => current.gateway.ableTo(prepare),
    checkProviders: () => current.gateway.checkProviders(),
    provider: (id) => current.gateway.provider(id),
    providers: () => current.gateway.providers(),
    refresh: () => current.gateway.refresh(),
    list: () => current.gateway.list(),
    find: (name) => current.gateway.find(name),
    prepare(next) {
      const line = lineWith(next);
      return () => {
        const old = current;
        current = line;
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
