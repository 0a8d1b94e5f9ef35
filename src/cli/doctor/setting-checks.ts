import { connect } from 'node:tls';
import type { Config } from '../../config/config.ts';
import { isLoopback, serverName } from '../../lib/address.ts';
import type { Secret } from '../../lib/redact.ts';
import { codeOf, fail, ok, type Result, warn } from './result.ts';

const tlsMs = 5_000;
const dayMs = 86_400_000;
/** A certificate that is not renewed by then is most likely not renewed at all. */
const renewalDays = 14;

export function checkPublicUrl({ publicUrl, publicUrlIsGuess, host }: Config): Result {
  const name = 'public address';
  const { protocol, hostname } = new URL(publicUrl);
  const local = isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  if (publicUrlIsGuess && !isLoopback(host))
    return warn(
      name,
      `PUBLIC_URL is not set, so all links lead to ${publicUrl}.`,
      'Set PUBLIC_URL to where clients reach the server.',
    );
  if (hostname === '0.0.0.0' || hostname === '[::]')
    return fail(
      name,
      `PUBLIC_URL is ${publicUrl}, which is no address.`,
      'Set it to the name that clients use.',
    );
  if (local) return ok(name, `${publicUrl} is for programs of this machine.`);
  if (protocol === 'https:') return ok(name, publicUrl);
  const advice =
    'Put a proxy with TLS before the server and set PUBLIC_URL to https://…: keys and passwords pass in clear.';
  return warn(name, `${publicUrl} is not encrypted.`, advice);
}

/** Null: there is no TLS to look at. */
export async function checkTls({ publicUrl }: Config): Promise<Result | null> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return null;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise<Result>((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...serverName(host),
      rejectUnauthorized: false,
      timeout: tlsMs,
    });
    const end = (result: Result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      const reason = socket.authorized ? null : codeOf({ code: socket.authorizationError });
      end(judge(host, reason, Date.parse(valid_to), Date.now()));
    });
    const away = (why: string) =>
      end(
        warn(
          'TLS',
          `${host} cannot be reached from here (${why}).`,
          'Look whether clients can reach it, and who ends TLS there.',
        ),
      );
    socket.once('timeout', () => away('timeout'));
    socket.once('error', (error) => away(codeOf(error)));
  });
}

/** @param validTo and now: milliseconds since the epoch */
export function judge(host: string, refusedFor: string | null, validTo: number, now: number): Result {
  const name = 'TLS';
  if (refusedFor !== null)
    return fail(
      name,
      `Clients refuse the certificate of ${host} (${refusedFor}).`,
      'Get one from an authority that clients trust.',
    );
  const days = Math.floor((validTo - now) / dayMs);
  const message = `The certificate of ${host} is valid for ${days} more days.`;
  return days < renewalDays ? warn(name, message, 'Renew it.') : ok(name, message);
}

/** Characters that differ, of which a secret made at random has more. */
const wantedVariety = 8;

/** @param servers that use the database now; null: unknown. */
export function checkKeySecret({ keySecret, databaseUrl }: Config, servers: number | null): Result {
  const name = 'key secret';
  if (keySecret !== null) {
    if (!isGuessable(keySecret)) return ok(name, 'KEY_SECRET is set.');
    return warn(
      name,
      'KEY_SECRET looks as if it could be guessed.',
      'Make it at random: "openssl rand -hex 32".',
    );
  }
  const message = 'KEY_SECRET is not set; the file key-secret of the data directory holds it.';
  const several = (servers ?? 0) > 1 || databaseUrl !== null;
  if (!several) return ok(name, message);
  return warn(name, message, 'All servers on one database need the same: set KEY_SECRET on each of them.');
}

export function checkAdminPassword({ adminPassword }: Config): Result {
  const name = 'admin password';
  if (adminPassword === null)
    return ok(name, 'ADMIN_PASSWORD is not set; the one that the first start made holds.');
  if (!isGuessable(adminPassword)) return ok(name, 'ADMIN_PASSWORD is set.');
  return warn(name, 'ADMIN_PASSWORD looks as if it could be guessed.', 'Set another one, made at random.');
}

function isGuessable(secret: Secret): boolean {
  const text = secret.reveal().toLowerCase();
  return new Set(text).size < wantedVariety || /change.?me|password|example|switchyard|12345/.test(text);
}
