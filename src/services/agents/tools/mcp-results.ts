import type {
  CallToolResult,
  Client,
  ContentBlock,
  JSONRPCMessage,
  Progress,
  Transport,
} from '@modelcontextprotocol/client';
import { sleep } from '../../../lib/timers.ts';
import type { AudioPart, ImagePart } from '../../../model/parts.ts';
import { RpcTimeout } from './mcp-http.ts';
import { ToolError, type ToolResult } from './tool.ts';

/** Maximum number of images of a result that a model is shown, and of sounds. */
const maxMedia = 8;
/** The image types that all vendors' models with vision take. */
const seen = /^image\/(?:png|jpeg|gif|webp)$/;
/** The audio types that all models with hearing take. */
const heard = /^audio\/(?:(?:x-)?(wav)e?|mpeg|mp3)$/;

/**
 * The text of a result for a model: texts as they are, also those of embedded resources; for anything else its kind and
 * address. Throws it as a `ToolError` for a tool that says that it failed.
 */
export function resultOf({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const text = content.map(textOf).join('\n');
  if (isError) throw new ToolError(text || 'The tool failed.');
  const images = content.flatMap(imageOf).slice(0, maxMedia);
  const sounds = content.flatMap(soundOf).slice(0, maxMedia);
  return {
    text: text || (structuredContent ? JSON.stringify(structuredContent) : ''),
    images,
    ...(sounds.length > 0 && { sounds }),
  };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return named(block.type, block.mimeType, sizeOf(block.data));
    case 'resource_link': {
      const { uri, name, mimeType, description } = block;
      return [named('resource', uri, name, mimeType), description].filter(Boolean).join('\n');
    }
    case 'resource': {
      const { uri, mimeType } = block.resource;
      if ('text' in block.resource) return `${named('resource', uri, mimeType)}\n${block.resource.text}`;
      return named('resource', uri, mimeType, sizeOf(block.resource.blob));
    }
  }
}

function named(kind: string, ...facts: readonly (string | undefined)[]): string {
  return `[${kind}: ${facts.filter(Boolean).join(', ')}]`;
}

/** The size of data in Base64. */
function sizeOf(data: string): string {
  return `${Buffer.byteLength(data, 'base64').toLocaleString('en')} bytes`;
}

function imageOf(block: ContentBlock): ImagePart[] {
  if (block.type === 'image') return image(block.mimeType, block.data);
  if (block.type === 'resource' && 'blob' in block.resource)
    return image(block.resource.mimeType ?? '', block.resource.blob);
  return [];
}

function soundOf(block: ContentBlock): AudioPart[] {
  const found = block.type === 'audio' && heard.exec(block.mimeType);
  return found ? [{ type: 'audio', data: block.data, format: found[1] ?? 'mp3' }] : [];
}

function image(mediaType: string, data: string): ImagePart[] {
  return seen.test(mediaType) ? [{ type: 'image', source: { type: 'base64', mediaType, data } }] : [];
}

/** The arguments of a tool. */
export type Values = Readonly<Record<string, unknown>>;

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Called with the progress of a call; left out: the server is not asked for it. */
  readonly onprogress?: ((progress: Progress) => void) | undefined;
}

/** How often it is asked at most how a task stands, in milliseconds. */
const minPollMs = 100;

/** The listeners to the progress of tasks, by token. */
export type TaskProgress = Map<unknown, (progress: Progress) => void>;

/** The client forgets who wants progress with the first answer, after which a task only begins. */
export function progressOfTasks(transport: Pick<Transport, 'onmessage'>): TaskProgress {
  const wanted: TaskProgress = new Map();
  const read = transport.onmessage;
  transport.onmessage = <Message extends JSONRPCMessage>(message: Message) => {
    const { method, params = {} } = message as { readonly method?: string; readonly params?: object };
    const { progressToken, ...progress } = params as Progress & { readonly progressToken?: unknown };
    const tell = method === 'notifications/progress' ? wanted.get(progressToken) : undefined;
    if (!tell) read?.(message);
    else if (typeof progress.progress === 'number') tell(progress);
  };
  return wanted;
}

/** Accepts any result: the needed fields are checked later. */
const unread = {
  '~standard': { version: 1 as const, vendor: 'switchyard', validate: (value: unknown) => ({ value }) },
};

/**
 * Calls a tool as a task, and waits for its result, for as long as any call has.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export async function callAsTask(
  client: Client,
  call: { readonly name: string; readonly arguments: object },
  options: CallOptions & { readonly ofTasks: TaskProgress; readonly timeoutMs: number },
): Promise<CallToolResult> {
  const { signal, onprogress, ofTasks, timeoutMs } = options;
  const { isCallToolResult } = await import('@modelcontextprotocol/client');
  const late = AbortSignal.timeout(timeoutMs);
  const until = AbortSignal.any([signal, late]);
  const ask = async (method: string, params: Record<string, unknown>) =>
    (await client.request({ method, params }, unread, { timeout: timeoutMs, signal: until })) as TaskAnswer;
  const progressToken = crypto.randomUUID();
  if (onprogress) ofTasks.set(progressToken, onprogress);
  let taskId = '';
  let status: unknown = null;
  try {
    const params = { ...call, task: { ttl: timeoutMs }, ...(onprogress && { _meta: { progressToken } }) };
    const { task } = await ask('tools/call', params);
    if (typeof task?.taskId !== 'string') throw new Error('It made no task of the call.');
    let { pollInterval } = task;
    ({ taskId, status } = task as { readonly taskId: string; readonly status?: unknown });
    while (status === 'working') {
      await sleep(Math.max(minPollMs, Number(pollInterval) || 0), until);
      ({ status, pollInterval } = await ask('tasks/get', { taskId }));
    }
    if (status !== 'completed' && status !== 'failed') throw new Error(`Its task is ${String(status)}.`);
    const result: unknown = await ask('tasks/result', { taskId });
    if (!isCallToolResult(result)) throw new Error('It gave a result that is none.');
    return result;
  } catch (error) {
    if (status === 'working' || status === 'input_required')
      void client.request({ method: 'tasks/cancel', params: { taskId } }, unread).catch(() => undefined);
    throw late.aborted && !signal.aborted ? new RpcTimeout(timeoutMs) : error;
  } finally {
    ofTasks.delete(progressToken);
  }
}

interface TaskState {
  readonly status?: unknown;
  readonly pollInterval?: unknown;
}
interface TaskAnswer extends TaskState {
  readonly task?: TaskState & { readonly taskId?: unknown };
}
