import type { Context } from 'koa';
import { ServiceError } from '../contract/errors.ts';
import type { Exchange } from './exchange.ts';

/**
 * The media type of the reply that the client likes best.
 * Throws `ServiceError('not_acceptable')`.
 * @param declared what the operation answers with, the usual one first
 */
export function acceptable(context: Context, declared: readonly string[]): string {
  // An operation without a reply body still answers errors, as JSON.
  const mediaTypes = declared.length > 0 ? declared : ['application/json'];
  const { accept } = context.headers;
  // What most clients send is not worth taking apart.
  const anything = accept === undefined || accept === '*/*' || accept === mediaTypes[0];
  // Ours have none but a charset, which many clients name as well.
  if (accept?.includes(';')) context.req.headers.accept = accept.replace(mediaTypeParameters, '');
  const best = anything ? mediaTypes[0] : context.accepts([...mediaTypes]);
  if (best) return best;
  const message = `This operation answers with ${mediaTypes.join(' or ')}; the Accept header excludes it.`;
  throw new ServiceError('not_acceptable', message);
}

/** All but the weight `q` (RFC 9110 section 12.5.1). */
const mediaTypeParameters = /;\s*(?!q=)[^\s;,="]+(?:=(?:"[^"]*"|[^\s;,"]*))?/gi;

/** Whether to show a failure to a person: at a page unless JSON is asked for, at no operation only if HTML is. */
export function wantsPage(context: Context, { operation, page }: Exchange): boolean {
  if (operation !== null) return false;
  return page === null ? context.accepts('json', 'html') === 'html' : !asksForJson(context);
}

/** Whether JSON is asked for rather than a page. */
export function asksForJson(context: Context): boolean {
  return context.accepts('html', 'json') !== 'html';
}
