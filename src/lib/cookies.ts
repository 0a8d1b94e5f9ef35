/**
 * The name under which a cookie travels. Behind HTTPS it says that this host alone has set it, over HTTPS and for all paths,
 * which browsers see to (RFC 6265bis section 4.1.3.2): no other server of the domain can slip its own in.
 */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** The value of a cookie in a `Cookie` header (RFC 6265 section 4.2); null without one. */
export function cookieOf(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [given = '', ...value] = pair.split('=');
    if (given.trim() === name) return value.join('=').trim();
  }
  return null;
}

interface CookieOptions {
  /** Whether it travels over HTTPS only. */
  readonly secure: boolean;
  /** Seconds that it lives; 0 removes it. */
  readonly maxAge: number;
  /** `Lax`: it also comes along when another site sends the browser here. `Strict` if left out. */
  readonly sameSite?: 'Strict' | 'Lax';
}

/**
 * A `Set-Cookie` value for a cookie that scripts cannot read and that, unless it says so, no request from another site carries.
 * @param value text without spaces, quotes, commas, semicolons and backslashes.
 */
export function setCookie(
  name: string,
  value: string,
  { secure, maxAge, sameSite = 'Strict' }: CookieOptions,
): string {
  const parts = [
    `${cookieName(name, secure)}=${value}`,
    'Path=/',
    `Max-Age=${maxAge}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
  ];
  return (secure ? [...parts, 'Secure'] : parts).join('; ');
}
