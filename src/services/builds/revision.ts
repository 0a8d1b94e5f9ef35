import type { Grasp } from '../../factory/factory.ts';
import type { FactoryJobRow } from '../../store/factory-schema.ts';

export interface Change extends Grasp {
  readonly type: 'first' | 'instruction' | 'spec' | 'patch' | 'restore';
  readonly instruction?: string;
  /** The number of the revision that was taken again. */
  readonly restored?: number;
}

export interface Revision {
  readonly rootId: string;
  /** The build that it changes; null for a first one. */
  readonly baseId: string | null;
  /** From 1. */
  readonly number: number;
  readonly change: Change;
}

const first: Change = { type: 'first', understood: [], notUnderstood: [] };

export function firstRevision(id: string): Revision {
  return { rootId: id, baseId: null, number: 1, change: first };
}

type Row = Pick<FactoryJobRow, 'id' | 'root_id' | 'base_id' | 'revision' | 'change'>;

/** A build from before there were revisions is the first one of its app. */
export function revisionOf({ id, root_id, base_id, revision, change }: Row): Revision {
  return {
    rootId: root_id ?? id,
    baseId: base_id,
    number: revision ?? 1,
    change: change === null ? first : (JSON.parse(change) as Change),
  };
}

export function revisionColumns({ rootId, baseId, number, change }: Revision): Omit<Row, 'id'> {
  return {
    root_id: rootId,
    base_id: baseId,
    revision: number,
    change: change.type === 'first' ? null : JSON.stringify(change),
  };
}

/** What stays of a change when its build has expired. */
export function bareChange({ type, restored }: Change): Change {
  return { type, ...(restored !== undefined && { restored }), understood: [], notUnderstood: [] };
}
