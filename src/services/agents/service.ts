import { agentOperations } from '../../../generated/agents.gen.ts';
import type { AgentList, AgentRunList, AgentRunRequest, ErrorDetail } from '../../../generated/types.gen.ts';
import { fieldError, ServiceError } from '../../contract/errors.ts';
import { ascendingUlid } from '../../lib/ids.ts';
import { variablesIn, withVariables } from '../../lib/placeholders.ts';
import { messagesOf } from '../../model/contract-form.ts';
import { type ModelMessage, said } from '../../model/parts.ts';
import type { ModelGateway } from '../../model/port.ts';
import { decodeCursor, type ListRequest } from '../../store/list-page.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import { admit, type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { RunKey } from './run-store.ts';
import { type Runs, startedRun } from './runs.ts';
import type { Agent, AgentSettings, McpAccessRule } from './settings.ts';
import type { Toolbox } from './toolbox.ts';
import type { ToolsChange } from './tools/mcp.ts';
import { compileSchema, detailsOf } from './tools/schemas.ts';
import { agentView, summaryView } from './view.ts';

/** Agent -> the operation that it has of its own, for those that are built in. */
const ownOperations = new Map<string, string>(
  Object.entries(agentOperations).map(([operation, id]) => [id, operation]),
);

/** The operation that a run of an agent stands under in the ledger. */
export const operationOf = (agentId: string): string => ownOperations.get(agentId) ?? 'runAgent';

/** A request to run an agent, and whose it is. */
type RunContext = MeteredRequest & { readonly signal: AbortSignal };

export type AgentService = ReturnType<typeof createAgentService>;

export interface Equipment {
  readonly all: ReadonlyMap<string, Agent>;
  readonly own: readonly Agent[];
  readonly toolbox: Toolbox;
  readonly access: readonly McpAccessRule[];
}

interface AgentParts {
  readonly equipment: Equipment;
  /** Throws `ConfigError`. */
  readonly equip: (settings: AgentSettings) => Equipment;
  readonly watchers: Set<(change: ToolsChange) => void>;
  readonly models: ModelGateway;
  readonly admissions: Admissions;
  readonly runs: Runs;
  /** Called with faults that no client sees. */
  readonly onFault: (error: unknown, what: string) => void;
}

/** Throws `ServiceError` and `StoreError` throughout: `not_found` for an unknown agent and for a run of another tenant. */
export function createAgentService(parts: AgentParts) {
  const { models, admissions, runs } = parts;
  const equipment = new HotSwap(parts.equipment, ({ toolbox }) =>
    toolbox.close().catch((error: unknown) => parts.onFault(error, 'the tools of former agents')),
  );
  const find = (id: string, { all } = equipment.current): Agent => {
    const agent = all.get(id);
    if (agent) return agent;
    throw new ServiceError(
      'not_found',
      `There is no agent of this id. There are ${[...all.keys()].join(', ')}.`,
      { param: 'agent_id' },
    );
  };
  const viewOf = (agent: Agent) =>
    agentView(agent, equipment.current.toolbox.toolsOf(agent), models.defaultModel);

  async function begin(held: Equipment, agentId: string, request: AgentRunRequest, context: RunContext) {
    const agent = find(agentId, held);
    const { stream = false, background = false } = request;
    if (stream && background)
      throw fieldError('background', 'one_of', 'excludes stream; watch the events of the run instead');
    const messages = await conversationOf(agent, request);
    const createdAt = runs.store.now;
    const row = {
      id: `run_${ascendingUlid(createdAt)}`,
      tenant_id: context.caller.tenantId,
      agent_id: agentId,
      request_id: context.requestId,
      background: background ? 1 : 0,
      created_at: createdAt,
    };
    runs.reserve(row.id);
    let meter: Meter | null = null;
    try {
      meter = await admit(admissions, context, {
        model: agent.model,
        // At most those of a whole minute; at its end they are corrected to what it used.
        tokens: (perMinute) => Math.min(agent.maxTokens, perMinute),
        clientSaw: background ? 'acceptance' : 'answer',
      });
      const whole = await runs.store.begin(row);
      const tools = await held.toolbox.freshToolsOf(agent);
      const capped = { ...agent, maxTokens: meter.tokens ?? agent.maxTokens };
      const run = runs.start({ models, agent: capped, tools, messages, row: whole, meter, context });
      return { run, row: whole };
    } catch (thrown) {
      runs.abandon(row.id);
      // It has not begun, so its client gets the error in place of its record.
      await meter?.failed(thrown, nothingDelivered, 'nothing');
      throw thrown;
    }
  }

  return {
    /** Those of the operator; another list once they are exchanged. */
    get own() {
      return equipment.current.own;
    },
    /**
     * Prepares other agents and tools, and gives what makes them hold, which cannot fail. Throws `ConfigError`. Runs that have begun
     * end with their own, whose connections are closed then.
     */
    prepare(settings: AgentSettings) {
      const next = parts.equip(settings);
      return () => {
        equipment.exchange(next);
        for (const kind of ['tools', 'prompts', 'resources'] as const)
          for (const watcher of parts.watchers) watcher({ server: null, kind });
      };
    },
    list: (): AgentList => ({ object: 'list', data: [...equipment.current.all.values()].map(viewOf) }),
    get: (id: string) => viewOf(find(id)),
    /** Every tool that there is now, until it is released, and which of them keys may call by themselves. */
    holdTools() {
      const { held, release } = equipment.hold();
      return { toolbox: held.toolbox, access: held.access, release };
    },
    /** Calls the watcher when a list of an MCP server has changed, or the servers have. */
    watchTools: (watcher: (change: ToolsChange) => void) => void parts.watchers.add(watcher),
    /** Begins a run. It has been admitted by then, and has its record. */
    async start(agentId: string, request: AgentRunRequest, context: RunContext) {
      const { held, release } = equipment.hold();
      try {
        const { run, row } = await begin(held, agentId, request, context);
        void run.done.finally(release);
        return startedRun(runs, run, row);
      } catch (thrown) {
        release();
        throw thrown;
      }
    },
    record: (key: RunKey) => runs.record(key),
    async runs(tenantId: string, agentId: string, request: ListRequest): Promise<AgentRunList> {
      find(agentId);
      const cursor = decodeCursor(request.cursor, 'string');
      if (cursor === undefined) throw fieldError('cursor', 'invalid', 'is not one that this list has given');
      const before = cursor === null ? null : String(cursor[0]);
      const page = await runs.store.list(tenantId, agentId, request, before);
      return { object: 'list', data: page.items.map(summaryView), next_cursor: page.nextCursor };
    },
    events: async (key: RunKey, after: number, signal: AbortSignal) =>
      runs.follow(await runs.find(key), after, signal),
    cancel: (key: RunKey) => runs.cancel(key),
    async close() {
      await runs.close();
      await equipment.close();
    },
  };
}

/** The model's instructions at the beginning of a run. Throws `invalid_request`, which names each field that is wrong. */
async function conversationOf(agent: Agent, request: AgentRunRequest): Promise<ModelMessage[]> {
  const { input, variables = {} } = request;
  checkVariables(agent, variables);
  const instructions = withVariables(agent.instructions, variables);
  const system: ModelMessage[] = instructions === '' ? [] : [said('system', instructions)];
  if (typeof input === 'object' && !Array.isArray(input)) {
    if (!agent.inputSchema) throw fieldError('input', 'type', 'must be a text or a list of messages');
    const validate = await compileSchema(agent.inputSchema);
    if (!validate(input)) throw invalid(detailsOf(validate.errors, 'input'));
    return [...system, said('user', JSON.stringify(input))];
  }
  if (agent.inputSchema) throw fieldError('input', 'type', 'must be an object that fits the input_schema');
  if (typeof input === 'string') return [...system, said('user', input)];
  const last = `input[${input.length - 1}].role`;
  if (input.at(-1)?.role !== 'user')
    throw fieldError(last, 'const', 'must be "user": the last message is theirs');
  return [...system, ...messagesOf(input)];
}

function checkVariables({ instructions }: Agent, variables: NonNullable<AgentRunRequest['variables']>): void {
  const names = variablesIn(instructions);
  const details = [
    ...names
      .filter((name) => !Object.hasOwn(variables, name))
      .map((name) => wrong(`variables.${name}`, 'required', 'is required')),
    ...Object.keys(variables)
      .filter((name) => !names.includes(name))
      .map((name) => {
        const known = names.length > 0 ? `; there are ${names.join(', ')}` : '; this agent has none';
        return wrong(`variables.${name}`, 'unknown_field', `is not a variable of the agent${known}`);
      }),
  ];
  if (details.length > 0) throw invalid(details);
}

function wrong(path: string, code: string, message: string): ErrorDetail {
  return { path, code, message };
}

function invalid(details: ErrorDetail[]): ServiceError {
  const [first] = details;
  return new ServiceError('invalid_request', `${first?.path} ${first?.message}.`, { details });
}

/** An object that can be exchanged while in use: the former one is closed when its last user is done. */
export class HotSwap<T> {
  readonly #close: (one: T) => Promise<void>;
  #current: Line<T>;
  /** Those that are not closed. */
  readonly #open = new Set<Line<T>>();

  /** @param close closes one; never rejects */
  constructor(first: T, close: (one: T) => Promise<void>) {
    this.#close = close;
    this.#current = { value: first, users: 0 };
    this.#open.add(this.#current);
  }

  get current(): T {
    return this.#current.value;
  }

  /** The current one, which is kept open until it is released; to release it again does nothing. */
  hold(): { readonly held: T; readonly release: () => void } {
    const line = this.#current;
    line.users += 1;
    let over = false;
    const release = () => {
      if (over) return;
      over = true;
      line.users -= 1;
      if (line.users === 0 && line !== this.#current) void this.#end(line);
    };
    return { held: line.value, release };
  }

  exchange(next: T): void {
    const former = this.#current;
    this.#current = { value: next, users: 0 };
    this.#open.add(this.#current);
    if (former.users === 0) void this.#end(former);
  }

  /** Closes what is open, in use or not. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((line) => this.#end(line)));
  }

  async #end(line: Line<T>): Promise<void> {
    if (this.#open.delete(line)) await this.#close(line.value);
  }
}

interface Line<T> {
  readonly value: T;
  users: number;
}
