import type { EndReason, VendorUsage } from '../../model/port.ts';
import type { ProviderError } from './provider-error.ts';
import type { Vendor } from './vendor.ts';

/**
 * Reads along while a vendor's answer goes to the client as it came, for what the ledger, limits and metrics need. It parses
 * only what can hold that. One reader reads one answer.
 */
export interface NativeReader {
  /**
   * Takes a whole reply of a 2xx status. Throws `ProviderError` for what is no answer at all: not JSON, or an error object
   * that came with 200.
   */
  whole(body: Buffer): void;
  /**
   * Takes one event of a stream: its bytes, with the blank line after it if there is one. Never throws.
   * @returns false for an event that the client did not ask for (usage that we asked for) and that is not passed on
   */
  event(bytes: Buffer): boolean;
  /** Whether nothing more is awaited: the answer is complete, or the vendor reported an error. Asked after each event. */
  readonly over: boolean;
  /** A summary of the answer so far, a new object each time. */
  readonly summary: NativeAnswer;
}

export interface NativeAnswer {
  /** Null if the vendor has reported none. */
  readonly usage: VendorUsage;
  readonly endReason: EndReason | null;
  /** Whether the answer is complete: its end mark, or what stands for it, has come. */
  readonly complete: boolean;
  /** An error that the vendor reported in the stream; it has been passed on. */
  readonly failure: ProviderError | null;
  /** The vendor's id of the answer, where it has one. */
  readonly id: string | null;
  /** Characters of text so far, for an estimate where the vendor reports no usage. */
  readonly characters: number;
  /** Those among them that came after the last usage that counts output: they are uncounted. */
  readonly uncounted: number;
}

/** The common state of the readers of all wires. */
export abstract class AnswerReading implements NativeReader {
  protected readonly vendor: Vendor;
  protected readonly model: string;
  protected usage: VendorUsage = null;
  protected endReason: EndReason | null = null;
  protected complete = false;
  protected failure: ProviderError | null = null;
  /** The failure in the reason of the end, after which usage and the end mark may still come. */
  protected failedEnd: ProviderError | null = null;
  protected id: string | null = null;
  protected characters = 0;
  /** How many of them a usage has counted. */
  protected counted = 0;

  constructor(vendor: Vendor, model: string) {
    this.vendor = vendor;
    this.model = model;
  }

  abstract whole(body: Buffer): void;
  abstract event(bytes: Buffer): boolean;

  /** Why it has ended, for what else is known by then. */
  protected ending(): EndReason | null {
    return this.endReason;
  }

  get over(): boolean {
    return this.complete || this.failure !== null;
  }

  get summary(): NativeAnswer {
    return {
      usage: this.usage,
      endReason: this.ending(),
      complete: this.complete,
      failure: this.failure ?? (this.complete ? this.failedEnd : null),
      id: this.id,
      characters: this.characters,
      uncounted: this.characters - this.counted,
    };
  }
}
