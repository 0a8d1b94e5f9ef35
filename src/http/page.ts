import type { ServiceError } from '../contract/errors.ts';

/** A page or a file of a page: what a person's browser fetches, beside the contract's operations. */
export interface Page {
  /** Exact path, for example `/docs`. */
  readonly path: string;
  /** GET if left out; HEAD comes with it. */
  readonly methods?: readonly ('GET' | 'POST')[];
  render(request: PageRequest): Promise<PageReply> | PageReply;
}

/** A failure as it is shown to a person. */
export interface PageError {
  readonly error: ServiceError;
  readonly requestId: string;
  /** The path of the page that failed; null where there is no page. */
  readonly page: string | null;
}

export type ErrorPage = (failure: PageError) => PageReply;

/** What a page may know of the request for it. */
export interface PageRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  /** The fields of a form that was sent; none on GET. */
  readonly form: URLSearchParams;
  /** Whether the form was sent from a page of this server. */
  readonly sameOrigin: boolean;
  /** The client's address, as far as this server can tell. */
  readonly client: string;
  /** The value of a cookie; null without one. */
  cookie(name: string): string | null;
}

export interface PageReply {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string | Buffer;
  /** Content-Security-Policy of the page; left out for files that are not documents. */
  readonly contentSecurityPolicy?: string;
  /** Value of `Cache-Control`. */
  readonly cacheControl?: string;
  /** Further headers, for example `location`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
