import type { Workshop, WrittenApp } from '../../factory/builder.ts';
import type { Build } from './build.ts';
import type { BuildStore } from './build-store.ts';
import { revisionNumbered } from './family.ts';

/**
 * The app that a build begins with, where a model has written its files: that of the revision before, or of the one that is
 * taken again. Null for every other build. Rejects with `StoreError`.
 */
export async function writtenBefore(
  { revision, tenantId }: Build,
  builds: BuildStore,
  workshop: Pick<Workshop, 'sources'>,
): Promise<WrittenApp | null> {
  const { rootId, baseId, change } = revision;
  const base =
    change.restored === undefined
      ? baseId && (await builds.find(baseId))
      : await revisionNumbered(builds.db, rootId, change.restored);
  if (!base || base.tenantId !== tenantId || base.purgedAt !== null) return null;
  const { engine, templateId, plan } = base.state;
  if (engine.mode !== 'model' || templateId !== null || !plan?.spec) return null;
  const zip = await builds.zip(base.id);
  return zip && { spec: plan.spec, files: await workshop.sources(zip) };
}
