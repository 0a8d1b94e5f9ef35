import type { ServiceError } from '../contract/errors.ts';

/** A page or a file of a page: fetched by a person's browser, beside the contract's operations. */
export interface Page {
  /** For example `/docs`, or `/factory/jobs/:job_id` for all of its kind. */
  readonly path: string;
  /** GET if left out; HEAD comes with it. */
  readonly methods?: readonly ('GET' | 'POST')[];
  /** Whether people sign in here: it is shown under this server's own names only. */
  readonly signIn?: boolean;
  /** Whether it is a file that pages load, not something that a person opens. */
  readonly file?: boolean;
  render(request: PageRequest): Promise<PageReply> | PageReply;
}

/** A page that a host of its own leads to. */
export interface HostedPage {
  readonly page: Page;
  readonly params: PageRequest['params'];
}

/** Finds the page of a `Host` header. Such a host has this page and nothing else of the server. */
export type HostedPages = (host: string | undefined) => HostedPage | null;

/** A failure as it is shown to a person. */
export interface PageError {
  readonly error: ServiceError;
  readonly requestId: string;
  /** The path of the page that failed; null where there is no page. */
  readonly page: string | null;
}

export type ErrorPage = (failure: PageError) => PageReply;

/** The facts of a request that its page may know. */
export interface PageRequest {
  readonly method: string;
  /** The values of the path's parameters. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** The fields of a form that was sent; none on GET. */
  readonly form: URLSearchParams;
  /** Whether the form was sent from a page of this server. */
  readonly sameOrigin: boolean;
  /** The client's address, as far as this server can tell. */
  readonly client: string;
  /** The browser's purpose, as `document` or `iframe` (`Sec-Fetch-Dest`); null where it does not say. */
  readonly destination: string | null;
  /** The value of a cookie; null without one. */
  cookie(name: string): string | null;
}

export interface PageReply {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string | Buffer;
  /** Whether a body of bytes was read for this reader alone, not kept for everybody. */
  readonly ownBytes?: boolean;
  /** Pieces that are sent in place of the body while it is made. */
  readonly chunks?: AsyncIterable<string>;
  /** The error that the page describes, for a program that asks for JSON. */
  readonly error?: ServiceError;
  /** Strong validator of the body, with its quotes: a browser whose copy is current gets no other. */
  readonly etag?: string;
  /** The body in gzip, for one that is worth it. */
  readonly gzip?: () => Promise<Buffer>;
  /** Content-Security-Policy of the page; left out for files that are not documents. */
  readonly contentSecurityPolicy?: string;
  /** Value of `Cache-Control`. */
  readonly cacheControl?: string;
  /** Whether pages of other origins may show it in a frame, as its policy says. No page may if left out. */
  readonly framed?: boolean;
  /** Further headers, for example `location`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
