import type { Config } from '../../config/config.ts';
import type { Secret } from '../../lib/redact.ts';
import { ok, type Result, warn } from './result.ts';

/** Characters that differ, of which a secret made at random has more. */
const wantedVariety = 8;

/** @param servers that use the database now; null: it cannot be told. */
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
