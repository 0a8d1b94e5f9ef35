import type { ChatCompletionMessage } from 'openai/resources/chat/completions/completions';
import { isObject } from '../../../../lib/is-object.ts';
import type { Citation } from '../../../../model/parts.ts';
import { count, type Untrusted } from '../../../upstream/untrusted.ts';

/** The pages that an answer of a model that searches rests on. What is none is passed over: nothing depends on it. */
export function citationsIn(message: { readonly [field: string]: unknown }): Citation[] {
  const annotations = message['annotations'];
  if (!Array.isArray(annotations)) return [];
  return annotations.flatMap((annotation: unknown) => citationIn(annotation) ?? []);
}

/**
 * The pages that a whole reply or a chunk names beside its choices, without those that are known. Perplexity has `search_results`
 * (https://docs.perplexity.ai/api-reference/chat-completions-post), and as xAI `citations`, which are addresses alone.
 */
export function sourcesIn(
  reply: { readonly [field: string]: unknown },
  known: readonly Citation[] = [],
): Citation[] {
  const { search_results: results, citations } = reply;
  const list: readonly unknown[] =
    ([results, citations].find((given) => Array.isArray(given) && given.length > 0) as
      | readonly unknown[]
      | undefined) ?? [];
  const seen = new Set(known.map(({ url }) => url));
  return list.flatMap((source) => {
    const { url, title } = isObject(source) ? source : { url: source, title: undefined };
    if (typeof url !== 'string' || url === '' || seen.has(url)) return [];
    seen.add(url);
    return [{ url, ...(typeof title === 'string' && { title }) }];
  });
}

function citationIn(received: unknown): Citation | null {
  const annotation = received as Untrusted<ChatCompletionMessage.Annotation>;
  if (!isObject(annotation) || !isObject(annotation.url_citation)) return null;
  const { url, title, start_index, end_index } =
    annotation.url_citation as Untrusted<ChatCompletionMessage.Annotation.URLCitation> & {};
  if (typeof url !== 'string') return null;
  const start = count(start_index);
  const end = count(end_index);
  return {
    url,
    ...(typeof title === 'string' && { title }),
    ...(start !== null && { start }),
    ...(end !== null && { end }),
  };
}
