import { setTimeout as pause } from 'node:timers/promises';
import type {
  AuthProvider,
  OAuthClientProvider,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import { shorten } from '../../../lib/static-text.ts';
import type { McpServerSettings } from '../settings.ts';
import {
  type KeptAuthorization,
  type KeptAuthorizations,
  McpUnauthorized,
  memoryOf,
  mustBeConnected,
  namedClient,
  oauthFetch,
  refusalOf,
  same,
  scopeBeyond,
  scopeOf,
  signing,
} from './mcp-oauth-client.ts';

/** How long a person may take to allow the access, in milliseconds. */
const beginMs = 600_000;

/** How often who waits for another process looks whether it has got the tokens, in milliseconds. */
const lookMs = 50;

/**
 * The way to the tokens of a server, by the official SDK: for a client with a secret by its credentials; otherwise a person
 * allows the access once in the admin area, and the resulting tokens are kept and refreshed.
 */
export class McpAuthorization implements AuthProvider {
  readonly #settings: McpServerSettings;
  readonly #keeper: KeptAuthorizations;
  readonly #fetch: ReturnType<typeof oauthFetch>;
  #kept: KeptAuthorization | null = null;
  #getting: Promise<void> | null = null;
  /** The token sent for each reply, with `Bearer` before it. */
  readonly #sent = new WeakMap<Response, string>();

  constructor(settings: McpServerSettings, keeper: KeptAuthorizations = memoryOf()) {
    this.#settings = settings;
    this.#keeper = keeper;
    this.#fetch = oauthFetch(settings);
  }

  /** Whether a person has to allow the access. */
  get byPerson(): boolean {
    return this.#settings.oauth?.grant === 'authorization_code';
  }

  async token(): Promise<string | undefined> {
    if (!this.#kept?.tokens) await this.#read();
    return this.#kept?.tokens?.access_token;
  }

  /**
   * Called with the token that a reply was got by: a late one is not about the current token. Returns the current token, with
   * `Bearer` before it, where it may have the scope that the other lacked. Throws `McpUnauthorized` where no token has it.
   */
  async tell(response: Response, authorization: string | null): Promise<string | null> {
    const { status } = response;
    if (status === 401 && authorization !== null) this.#sent.set(response, authorization);
    return status === 403 && authorization !== null ? await this.#widen(response, authorization) : null;
  }

  /** Keeps what the server wants beyond the scope of the token, for the owner who grants it. */
  async #widen(response: Response, sent: string): Promise<string | null> {
    const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
    const { error, scope } = extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope') return null;
    const missing = () => {
      const { tokens, scope: asked = this.#settings.oauth?.scope } = this.#kept ?? {};
      return scopeBeyond(tokens?.scope ?? asked, scope);
    };
    if (this.byPerson) {
      await this.#read();
      const held = this.#kept?.tokens?.access_token;
      if (held !== undefined && sent !== `Bearer ${held}`) return `Bearer ${held}`;
      // A process that renews the tokens writes them, and must not be overwritten: the next refusal is kept.
      if (missing() !== undefined && (await this.#keeper.claim(this.#settings))) {
        try {
          await this.#read();
          const all = scopeOf(this.#kept?.missing, missing());
          if (all !== this.#kept?.missing) await this.#write({ missing: all });
        } finally {
          await this.#keeper.release(this.#settings);
        }
      }
    }
    const wanted = missing();
    const how = this.byPerson
      ? 'it has to be connected again in the admin area'
      : 'the `scope` of its `oauth` in the configuration has to name it';
    const why =
      wanted === undefined
        ? 'refuses the call, for which the scope that was granted is too narrow'
        : `wants the scope "${wanted}" beyond what was granted: ${how}`;
    throw new McpUnauthorized(`${why} (HTTP status 403)`, { status: 403 });
  }

  /** Whether a person has granted access, and what the server wants beyond it; null: nothing. */
  async state(): Promise<{ readonly connected: boolean; readonly missing: string | null }> {
    await this.#read();
    return { connected: this.#kept?.tokens !== undefined, missing: this.#kept?.missing ?? null };
  }

  /** Gets another token, once for all that wait for it. Throws `McpUnauthorized`. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const sent = this.#sent.get(response);
    const held = this.#kept?.tokens?.access_token;
    if (sent !== undefined && held !== undefined && sent !== `Bearer ${held}`) return;
    this.#getting ??= this.#renew(response).finally(() => {
      this.#getting = null;
    });
    await this.#getting;
  }

  /**
   * Begins to ask for access.
   * @param session who asks; no other session can finish it
   * @returns where the browser goes now
   */
  begin(redirectUrl: string, session: string, now: number): Promise<URL> {
    return this.#alone(async () => {
      const { auth, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
      // Where its authorization is described, and the scope it wants: another process may have got that, so it is asked again.
      const { resourceMetadataUrl, scope: named } = extractWWWAuthenticateParams(
        await refusalOf(this.#settings, this.#fetch),
      );
      const { scope: granted, missing } = this.#kept ?? {};
      const scope = scopeOf(this.#settings.oauth?.scope ?? named, granted, missing);
      const state = `${this.#settings.id}.${crypto.randomUUID()}`;
      let url: URL | null = null;
      let verifier = '';
      const provider: OAuthClientProvider = {
        ...this.#provider(redirectUrl),
        state: () => state,
        discoveryState: () => undefined,
        saveCodeVerifier: (value) => {
          verifier = value;
        },
        redirectToAuthorization: (to) => {
          url = to;
        },
      };
      await auth(provider, {
        serverUrl: this.#settings.url,
        fetchFn: this.#fetch,
        forceReauthorization: true,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
      });
      if (url === null) throw new Error('The authorization server named no address.');
      const asked = (url as URL).searchParams.get('scope') ?? undefined;
      await this.#write({ begun: { state, verifier, scope: asked, session, until: now + beginMs } });
      return url;
    });
  }

  /** Ends what `begin` has begun, with what the browser brought back. Throws for what does not fit. */
  finish(query: URLSearchParams, redirectUrl: string, session: string, now: number): Promise<void> {
    return this.#alone(async () => {
      const { auth } = await import('@modelcontextprotocol/client');
      const begun = this.#kept?.begun;
      const fits = begun && same(begun.state, query.get('state') ?? '') && same(begun.session, session);
      if (!begun || !fits || begun.until <= now)
        throw new Error('This was not begun in this session, or more than 10 minutes ago.');
      // The state that came back is used once.
      await this.#write({ begun: undefined });
      const code = query.get('code');
      if (code === null)
        throw new Error(`The access was not given (${shorten(query.get('error') ?? 'no code came', 100)}).`);
      const provider = { ...this.#provider(redirectUrl), codeVerifier: () => begun.verifier };
      const iss = query.get('iss');
      await auth(provider, {
        serverUrl: this.#settings.url,
        authorizationCode: code,
        fetchFn: this.#fetch,
        ...(iss !== null && { iss }),
      });
      await this.#write({ scope: begun.scope, missing: undefined });
    });
  }

  forget(): Promise<void> {
    return this.#alone(async () => {
      this.#kept = {};
      await this.#keeper.write(this.#settings, {});
    });
  }

  async #renew(response: Response): Promise<void> {
    const before = this.#kept?.tokens?.access_token;
    await this.#alone(async () => {
      const found = this.#kept?.tokens;
      if (found === undefined || found.access_token === before) await this.#renewAlone(response);
    });
  }

  /**
   * Changes what is kept, as it is by then, in one process at a time: none writes over the tokens of another, and some authorization
   * servers take all tokens back when the same one is used twice to get others.
   */
  async #alone<Result>(change: () => Promise<Result>): Promise<Result> {
    while (!(await this.#keeper.claim(this.#settings))) await pause(lookMs);
    try {
      await this.#read();
      return await change();
    } finally {
      await this.#keeper.release(this.#settings);
    }
  }

  async #renewAlone(response: Response): Promise<void> {
    const { auth, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
    const found = this.#kept?.tokens;
    if (this.byPerson && !found) throw mustBeConnected();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    try {
      await auth(this.#provider(undefined), {
        serverUrl: this.#settings.url,
        fetchFn: this.#fetch,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
      });
    } catch (cause) {
      if (cause instanceof McpUnauthorized) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new McpUnauthorized(`wants a token that cannot be had (HTTP status 401): ${shorten(why, 300)}`, {
        cause,
      });
    }
  }

  #provider(redirectUrl: string | undefined): OAuthClientProvider {
    const { oauth } = this.#settings;
    const { issuer = null, scope = null } = oauth ?? {};
    const byPerson = this.byPerson;
    const redirect = redirectUrl ?? (byPerson ? 'http://127.0.0.1/' : undefined);
    const configured = oauth ? namedClient(oauth) : null;
    return {
      redirectUrl: redirect,
      clientMetadata: {
        client_name: 'Switchyard',
        redirect_uris: redirect === undefined ? [] : [redirect],
        grant_types: byPerson ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
        ...(byPerson && { response_types: ['code'] }),
        ...(scope !== null && { scope }),
      },
      clientInformation: () => configured ?? this.#kept?.client,
      ...(oauth && signing(oauth)),
      // A client that the operator has named is that of one authorization server, and is made known to no other.
      ...(configured === null && {
        saveClientInformation: (client: StoredOAuthClientInformation) => this.#write({ client }),
      }),
      tokens: () => this.#kept?.tokens,
      saveTokens: (tokens) => this.#write({ tokens }),
      saveCodeVerifier: () => undefined,
      codeVerifier: () => '',
      redirectToAuthorization: () => {
        throw mustBeConnected();
      },
      discoveryState: () => this.#kept?.discovery,
      saveDiscoveryState: async (discovery) => {
        const found = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
        if (issuer !== null && found.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
          throw new Error(`The server names the authorization server ${found}; ${issuer} is set for it.`);
        await this.#write({ discovery });
      },
      invalidateCredentials: async (what) => {
        if (what === 'all' || what === 'client') await this.#write({ client: undefined });
        if (what === 'all' || what === 'tokens') await this.#write({ tokens: undefined });
        if (what === 'all' || what === 'discovery') await this.#write({ discovery: undefined });
      },
      ...(!byPerson && {
        prepareTokenRequest: (asked?: string) => {
          const wanted = scope ?? asked;
          return new URLSearchParams({ grant_type: 'client_credentials', ...(wanted && { scope: wanted }) });
        },
      }),
    };
  }

  async #read(): Promise<void> {
    this.#kept = await this.#keeper.read(this.#settings);
  }

  async #write(change: Partial<KeptAuthorization>): Promise<void> {
    this.#kept = { ...this.#kept, ...change };
    await this.#keeper.write(this.#settings, this.#kept);
  }
}
