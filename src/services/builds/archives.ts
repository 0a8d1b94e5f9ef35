import type { FactoryDiff, FileList } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Build, isOver } from './build.ts';
import { expired } from './build-errors.ts';
import type { BuildStore } from './build-store.ts';
import { revisionNumbered } from './family.ts';
import type { ToolSlots } from './slots.ts';

interface ArchiveParts {
  readonly builds: BuildStore;
  readonly toolSlots: ToolSlots;
}

// The outputs of builds, read and compared. All functions throw `ServiceError` and `StoreError`.

export async function zipOf(builds: BuildStore, build: Build): Promise<Uint8Array> {
  if (build.purged_at !== null || build.expires_at <= builds.now()) throw expired(build.expires_at);
  if (!isOver(build)) throw new ServiceError('conflict', 'The build is not done yet.');
  const bytes = build.state.artifact && (await builds.output(build.id, 'zip'));
  if (!bytes) throw new ServiceError('conflict', 'The build did not succeed, so there is no archive.');
  return bytes;
}

export async function filesOf({ builds, toolSlots }: ArchiveParts, build: Build): Promise<FileList> {
  const zip = await zipOf(builds, build);
  const files = await toolSlots.use((tools) => tools.unpack(zip));
  const data = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({ path, bytes: Buffer.byteLength(text), text }));
  return { object: 'list', data };
}

/**
 * The differences between two builds of one app.
 * @param against the number or the id of the other; undefined for the one that the build was made from
 */
export async function diffOf(
  { builds, toolSlots }: ArchiveParts,
  build: Build,
  against: string | undefined,
): Promise<FactoryDiff> {
  const other = await otherOf(builds, build, against);
  const after = { spec: build.state.plan?.spec ?? null, zip: await zipOf(builds, build) };
  const before = other && { spec: other.state.plan?.spec ?? null, zip: await zipOf(builds, other) };
  const differing = await toolSlots.use((tools) => tools.compare(before, after));
  return { object: 'factory.diff', from: other && sideOf(other), to: sideOf(build), ...differing };
}

/** Null: a first build is compared with nothing. */
async function otherOf(
  builds: BuildStore,
  { root_id: rootId, base_id: baseId, tenant_id: tenantId }: Build,
  against: string | undefined,
): Promise<Build | null> {
  const named = against ?? baseId;
  if (named === null) return null;
  const found = /^\d/.test(named)
    ? await revisionNumbered(builds.db, rootId, Number(named))
    : await builds.find(named);
  if (found?.root_id === rootId && found.tenant_id === tenantId) return found;
  throw new ServiceError('not_found', `This app has no revision ${named}.`);
}

function sideOf({ id, revision }: Build): FactoryDiff['to'] {
  return { id, number: revision };
}
