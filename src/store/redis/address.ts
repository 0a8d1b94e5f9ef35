import { ConfigError } from '../../lib/config-error.ts';

/** A port that Redis listens on. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Where Redis is, as a client takes it. */
export interface RedisAddress {
  /** At least one: the nodes of a cluster at which a client may begin, or a primary and who may take its place. */
  readonly places: readonly Place[];
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  readonly database: number;
}

/** The prefix of all keys, with the version of the stored form. In a cluster, the braces put all keys into one slot. */
export const keyPrefix = '{switchyard}/1/';

const defaultPort = 6379;
const form = /^(?<start>rediss?:\/\/(?:.*@)?)(?<places>[^@/?#]+)(?<end>(?:\/\d{0,4})?)$/;

/**
 * Reads `redis://user:password@host:port/database`, or `rediss://` for TLS
 * (https://www.iana.org/assignments/uri-schemes/prov/redis), in which commas may stand between several `host:port`.
 * Throws a `ConfigError` that shows nothing of it.
 */
export function redisAddress(url: string): RedisAddress {
  const { start = '', places = '', end = '' } = form.exec(url)?.groups ?? {};
  const parsed = places.split(',').map((place) => URL.parse(`${start}${place}${end}`));
  const [first] = parsed;
  if (!first || !parsed.every((each) => each?.hostname))
    throw new ConfigError([
      'REDIS_URL is not of the form redis://user:password@host:port/database, or …@host:port,host:port for several.',
    ]);
  return {
    places: (parsed as URL[]).map(({ hostname, port }) => placeOf(hostname, port)),
    tls: first.protocol === 'rediss:',
    username: decodeURIComponent(first.username) || null,
    password: decodeURIComponent(first.password) || null,
    database: Number(first.pathname.slice(1) || 0),
  };
}

/**
 * Where a node of a cluster sends its client, by what it says: `MOVED slot host:port`. Null: it said something else.
 * @param at the node that said so, which may leave its own host out
 */
export function placeMovedTo(message: string, at: Place): Place | null {
  const { host, port } = /^MOVED \d+ (?<host>.*):(?<port>\d+)$/.exec(message)?.groups ?? {};
  return port === undefined ? null : placeOf(host || at.host, port);
}

function placeOf(host: string, port: string): Place {
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port || defaultPort) };
}
