import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Cost of a hash by who made the password. A person: 32 MiB and about 0.2 s
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt). A generator of at least 128 random
 * bits: nobody can try them all, whatever a try costs, so it is 1 MiB and a few milliseconds.
 */
const costs = { person: { N: 2 ** 15, r: 8, p: 3 }, generator: { N: 2 ** 10, r: 8, p: 1 } };
const hashLength = 32;

/** Hashes a password as `scrypt$N$r$p$salt$hash`, so that the cost can be raised without breaking old hashes. */
export async function hashPassword(password: string, maker: keyof typeof costs): Promise<string> {
  const salt = randomBytes(16);
  const cost = costs[maker];
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Whether the password is the one of the hash. Throws for a text that is no hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, hash] = stored.split('$');
  if (kind !== 'scrypt' || !salt || !hash) throw new Error('the stored hash of the password is damaged');
  const expected = Buffer.from(hash, 'base64');
  const given = await derive(password, Buffer.from(salt, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function derive(
  password: string,
  salt: Buffer,
  options: { N: number; r: number; p: number },
): Promise<Buffer> {
  const { N, r, p } = options;
  // Unicode has several spellings of one text; whoever types it does not choose among them.
  const text = password.normalize('NFKC');
  // OpenSSL needs 128 r (N + p + 2) bytes.
  const settings: ScryptOptions = { ...options, maxmem: 256 * r * (N + p + 2) };
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashLength, settings, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
