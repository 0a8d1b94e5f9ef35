import type { TemplateId } from '../../generated/types.gen.ts';

interface Owner {
  readonly kind: TemplateId;
  readonly variant: string;
  readonly contact: { readonly endpoint?: string };
}

const posting: ReadonlySet<string> = new Set(['signup', 'contact']);

/**
 * Where the app of a spec may post answers to, as the origin that its page lets through; null for every other app. A
 * host with a sign in it that means something in a policy is none.
 */
export function endpointOrigin({ kind, variant, contact }: Owner): string | null {
  if (kind !== 'form' || !posting.has(variant) || !contact.endpoint) return null;
  return originOf(contact.endpoint);
}

function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { origin } = new URL(address);
  return /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(origin) ? origin : null;
}

/** What is wrong with an address that answers are to be posted to. */
export function endpointProblems(endpoint: string | undefined): string[] {
  return endpoint && originOf(endpoint) === null ? ['/contact/endpoint is no address of a plain host'] : [];
}
