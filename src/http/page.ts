/** A page or a file of a page: what a person's browser fetches, beside the contract's operations. */
export interface Page {
  /** Exact path, for example `/docs`. */
  readonly path: string;
  render(): Promise<PageReply> | PageReply;
}

export interface PageReply {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string | Buffer;
  /** Content-Security-Policy of the page; left out for files that are not documents. */
  readonly contentSecurityPolicy?: string;
  /** Value of `Cache-Control`. */
  readonly cacheControl?: string;
}
