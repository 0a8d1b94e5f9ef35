import type { RawBuilder } from 'kysely';

/** What always holds, at every moment that another process can see. */
export interface Rule {
  readonly name: string;
  /** One sentence. */
  readonly holds: string;
  /** A select of the places where it does not hold; its columns name them. */
  readonly broken: RawBuilder<unknown>;
}
