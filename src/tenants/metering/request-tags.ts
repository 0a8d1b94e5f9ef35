import { ServiceError } from '../../contract/errors.ts';
import { isTagName, isTagValue, maxTags, readTagsHeader, type Tags } from '../../lib/tags.ts';
import type { Caller } from '../accounts/caller.ts';

/** The header that tags come in. */
export const tagsHeader = 'x-switchyard-tags';

/** Where the tags of a request come from. */
export interface TagSources {
  readonly caller: Pick<Caller, 'tags' | 'requiredTags'>;
  /** Of the client's request; null or left out: it has none. */
  readonly header?: string | null | undefined;
  /** Labels in the body: of whatever form, where its interface has rules of its own for them. */
  readonly metadata?: unknown;
}

/**
 * The tags of a request: those of the header, of the body, which go before them, and of the key, which go before both: whoever
 * has made the key says whose costs they are, and no client can take them elsewhere. What else a body labels, or too many for
 * what is left of `maxTags`, is no tag. Undefined for none, at no cost. Throws `ServiceError`: `invalid_request` for a header
 * that is wrong, `tag_required`.
 */
export function tagsOf({ caller, header, metadata }: TagSources): Tags | undefined {
  const { tags: own, requiredTags } = caller;
  const labelled = typeof metadata === 'object' && metadata !== null;
  const tags = header || labelled ? merged(own, header ?? '', labelled ? metadata : {}) : own;
  if (requiredTags !== undefined) requireTags(tags, requiredTags);
  return tags;
}

function merged(own: Tags | undefined, header: string, metadata: object): Tags | undefined {
  const tags: Record<string, string> = { ...headed(header), ...own };
  let count = Object.keys(tags).length;
  if (count > maxTags)
    throw invalid(`There are at most ${maxTags} tags with those of the key, not ${count}.`);
  for (const [name, value] of Object.entries(metadata)) {
    if (!isTagName(name) || !isTagValue(value)) continue;
    if (own !== undefined && Object.hasOwn(own, name)) continue;
    if (!Object.hasOwn(tags, name)) {
      if (count === maxTags) continue;
      count += 1;
    }
    tags[name] = value;
  }
  return count === 0 ? undefined : tags;
}

function headed(text: string): Tags {
  try {
    return readTagsHeader(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(error.message);
    throw error;
  }
}

function requireTags(tags: Tags | undefined, required: readonly string[]): void {
  const missing = required.filter((name) => tags === undefined || !Object.hasOwn(tags, name) || !tags[name]);
  if (missing.length === 0) return;
  const names = missing.map((name) => JSON.stringify(name)).join(', ');
  const message = `Every request needs ${missing.length === 1 ? 'the tag' : 'the tags'} ${names}: send ${tagsHeader}: ${missing.map((name) => `${name}=…`).join(', ')}, or use a key that has ${missing.length === 1 ? 'it' : 'them'}.`;
  const details = missing.map((name) => ({
    path: tagsHeader,
    code: 'required',
    message: `needs the tag ${name}`,
  }));
  throw new ServiceError('tag_required', message, { details });
}

function invalid(message: string): ServiceError {
  const details = [{ path: tagsHeader, code: 'format', message }];
  return new ServiceError('invalid_request', `${tagsHeader} is wrong. ${message}`, { details });
}
