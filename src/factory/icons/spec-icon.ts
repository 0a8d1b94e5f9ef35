import { kindOfApp } from '../catalogue.ts';
import type { AppSpec } from '../spec.ts';
import { iconFor } from './icon-for.ts';

/** A spec with the picture that its words suggest, where it names none; '' stays where they suggest none. */
export function withIcon<Spec extends AppSpec>(spec: Spec): Spec {
  return spec.icon === '' ? { ...spec, icon: suggestedIcon(spec) } : spec;
}

/** The picture of an app: the one that its spec names, else that of its kind. */
export const iconOf = ({ icon, kind, variant }: Pick<AppSpec, 'icon' | 'kind' | 'variant'>): string =>
  icon || kindOfApp(kind, variant).icon;

/** What an app keeps or what a business is says more than a name that somebody chose for it. */
function suggestedIcon({ entity, copy, name, tagline, sections, kind, lang }: AppSpec): string {
  const texts = [
    entity?.singular ?? '',
    entity?.plural ?? '',
    copy['kicker'] ?? '',
    copy['role'] ?? '',
    name,
    tagline,
    // The parts of a site are about what it offers; those of a list are entries.
    ...(kind === 'landing' ? sections.map(({ title }) => title) : []),
  ];
  for (const text of texts) {
    const found = iconFor(text, lang);
    if (found) return found;
  }
  return '';
}
