import { createHash } from 'node:crypto';
import { copyFor, kindOfApp, settingsFor } from '../catalogue.ts';
import { isDueDate } from '../due-date.ts';
import { iconOf } from '../icons/spec-icon.ts';
import type { AppSpec } from '../spec.ts';
import { pictured } from './pictures.ts';

type Data = Readonly<Record<string, unknown>>;

/** What the page is told about the app: only what its kind uses, so that the page's data can be read by a person. */
export function appData(spec: AppSpec, family?: Family): Data {
  const { name, tagline, lang, currency, variant } = spec;
  const id = appId(spec);
  const kind = kindOfApp(spec.kind, variant);
  const copy = copyFor(kind, spec.copy);
  const settings = settingsFor(kind, spec.settings);
  return {
    id,
    // A build that is as the first one was is the same in every byte.
    ...(family && family.name !== id && { family: family.name, line: family.line }),
    name,
    tagline,
    lang,
    currency,
    kind: spec.kind,
    variant,
    icon: iconOf(spec),
    ...(Object.keys(kind.copy).length > 0 && { copy }),
    ...(Object.keys(kind.settings).length > 0 && { settings }),
    ...Object.fromEntries(kind.uses.map((member) => [member, spec[member]])),
    ...(kind.uses.includes('sections') && { sections: pictured(spec) }),
    ...(kind.uses.includes('entity') && spec.entity && parts(spec)),
  };
}

/** What the fields of a thing are good for. */
const parts = (spec: AppSpec): Data => ({
  features: spec.features,
  sort: firstOrder(spec),
  done: fieldOfType(spec, 'checkbox'),
  due: dueField(spec),
  column: fieldOfType(spec, 'select'),
});

/** Dates to keep come soonest first; dates of what has been come latest first. */
function firstOrder(spec: AppSpec): Data {
  const date = dueField(spec) ?? fieldOfType(spec, 'date');
  return date ? { key: date, down: !spec.features.includes('due') } : { key: '', down: false };
}

/** The date to keep: of two dates the one that says so, “Next check” and not “Last check”. */
function dueField({ features, entity }: AppSpec): string | null {
  if (!features.includes('due')) return null;
  const dates = entity?.fields.filter((field) => field.type === 'date') ?? [];
  return (dates.find(({ label }) => isDueDate(label)) ?? dates[0])?.key ?? null;
}

function fieldOfType(spec: AppSpec, type: string): string | null {
  return spec.entity?.fields.find((field) => field.type === type)?.key ?? null;
}

/** Of which app a revision is, so that what was entered in one of its builds is there in the next. */
export interface Family {
  /** The id that the first build has: under it the app keeps entries. */
  readonly name: string;
  /** Tells this app from others that began as the same. */
  readonly line: string;
}

/**
 * The family of the revisions of an app.
 * @param first the spec of the first build
 * @param rootId its id
 */
export const familyOf = (first: AppSpec, rootId: string): Family => ({
  name: appId(first),
  line: hashOf(rootId, 12),
});

const hashOf = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** Names the downloads, and the stored entries of a first build. Different apps must not share them, even from one folder. */
function appId(spec: AppSpec): string {
  return `${slug(spec.name)}-${hashOf(JSON.stringify(spec), 8)}`;
}

/** A name as part of a file name: plain letters, digits and hyphens. */
export function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return plain || 'app';
}
