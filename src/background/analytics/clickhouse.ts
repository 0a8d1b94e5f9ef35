/**
 * Rows into a table of ClickHouse over its HTTP interface (https://clickhouse.com/docs/interfaces/http): an insert is one
 * POST, for which its client library would bring no more than that.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Secret } from '../../lib/redact.ts';
import { undici } from '../../lib/undici.ts';
import type { Sink } from './outbox.ts';
import { linesOf } from './row.ts';

const compress = promisify(gzip);
/** Maximum wait for a connection and for an answer, in milliseconds: the server answers when the rows are stored. */
const connectMs = 5_000;
const answerMs = 30_000;
/** Maximum length of an error in a line. */
const maxErrorLength = 500;

/** A failure that ClickHouse has answered with, or that there was no answer. It names neither address nor rows. */
class ClickHouseError extends Error {
  override readonly name = 'ClickHouseError';
}

/**
 * @param url `http(s)://user:password@host:port/database?table=name`; the database is `default` and the table
 * `switchyard_requests` where it names none
 */
export function clickHouse(url: Secret): Sink {
  const { origin, username, password, pathname, searchParams } = new URL(url.reveal());
  const database = pathname.slice(1) || 'default';
  const table = searchParams.get('table') ?? 'switchyard_requests';
  const { Agent, request } = undici();
  const agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  });
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
    ...(username !== '' && { 'x-clickhouse-user': decodeURIComponent(username) }),
    ...(password !== '' && { 'x-clickhouse-key': decodeURIComponent(password) }),
  };
  return {
    name: 'clickhouse',
    async send({ id, rows }) {
      const query = {
        query: `INSERT INTO ${quoted(database)}.${quoted(table)} FORMAT JSONEachRow`,
        async_insert: '1',
        wait_for_async_insert: '1',
        async_insert_deduplicate: '1',
        insert_deduplication_token: id,
        date_time_input_format: 'best_effort',
        // A table may have fewer columns.
        input_format_skip_unknown_fields: '1',
      };
      const body = await compress(linesOf(rows));
      const answer = await request(origin, { method: 'POST', query, headers, body, dispatcher: agent }).catch(
        (error: unknown) => {
          const { code = 'unknown' } = error as NodeJS.ErrnoException;
          throw new ClickHouseError(`ClickHouse cannot be reached (${code}).`);
        },
      );
      // It may find out that it failed after it has begun to answer.
      const failed = answer.headers['x-clickhouse-exception-code'] !== undefined;
      if (answer.statusCode === 200 && !failed) return answer.body.dump();
      const said = await answer.body.text();
      throw new ClickHouseError(`ClickHouse refused rows with ${answer.statusCode}: ${reasonIn(said)}`);
    },
    close: () => agent.close(),
  };
}

/** The first line of a server's error message, up to where it may quote a row. */
function reasonIn(text: string): string {
  const [reason = ''] = text.split(/\n|\(while reading|: \(at row|Row \d+:/, 1);
  return reason.slice(0, maxErrorLength).trim();
}

function quoted(name: string): string {
  return `\`${name}\``;
}
