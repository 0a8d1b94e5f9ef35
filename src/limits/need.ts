import type { Bucket } from './authority.ts';

/** What a request demands of one bucket, and what its client is told when there is not enough. */
export interface Need {
  readonly bucket: Bucket;
  /** Requests, tokens, slots or micro US dollars; the most that the request can use. */
  readonly amount: number;
  /** Of what the amount is. Tokens and money are given back at settlement by what was really used. */
  readonly unit: 'requests' | 'tokens' | 'micro_usd' | 'running';
  /** How the contract names the limit in errors and headers. */
  readonly name: string;
  /** False: it is counted and told, never refused (a soft budget). */
  readonly hard: boolean;
}
