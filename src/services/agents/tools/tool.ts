import type { AudioPart, ImagePart } from '../../../model/parts.ts';
import type { CallContext } from '../../../model/port.ts';
import type { Caller } from '../../../tenants/accounts/caller.ts';
import type { ModelUse } from '../../../tenants/metering/spent.ts';

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The run that calls a tool, as far as the tool may know it. */
export interface ToolContext extends CallContext {
  readonly caller: Caller;
  /** The request that started the run, for what the tool starts in its name. */
  readonly requestId: string;
  /** As the run was labelled. */
  readonly tagsHeader?: string | null;
  /** A tool that calls models reports the usage of each call here; it is accounted under the run. */
  readonly onUsage: (use: ModelUse) => void;
}

/** A tool's result that is more than a text. */
export interface ToolResult {
  /** Names the images and the sound, too, for a model that takes none. */
  readonly text: string;
  readonly images: readonly ImagePart[];
  readonly sounds?: readonly AudioPart[];
}

export interface AgentTool {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** As its source calls it, where that is no name of a function. */
  readonly ownName?: string;
  readonly description: string;
  /** Schema of the arguments, an object. They are checked against it before `run`. */
  readonly parameters: JsonSchema;
  readonly available: boolean;
  /** Whether it only passes its arguments on: numbers that JavaScript would round come as `JSON.rawJSON` then. */
  readonly passesOn?: true;
  /**
   * The result for the model, which sees its first 20,000 characters. Throws `ToolError` for a failure that the model
   * should see; of any other it learns only that the tool failed. Stops when the signal is aborted.
   */
  run(values: Readonly<Record<string, unknown>>, context: ToolContext): Promise<string | ToolResult>;
}

/** A failure whose message the model gets. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** Tools that come from one place, such as a remote server, under an id of their own. */
export interface ToolSource {
  readonly id: string;
  list(): readonly AgentTool[];
  /** Brings the list up to date where it is not, within moments. Never rejects. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}
