/**
 * The one way in which data flows, checked by dependency-cruiser: contract -> http -> handlers -> domains -> ports ->
 * adapters. Each rule names who may be imported by whom; type-only imports count too.
 */
const domains =
  '^src/(chat|agents|features|accounts|metering|factory|kept|idempotency|overload|analytics|webhooks)/';
/** The port to the models, and the terms in which it speaks. */
const modelsPort = 'src/models/(port|parts|token-usage|contract-form)\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-the-app',
      severity: 'error',
      from: { pathNot: '^src/(start\\.js|switchyard\\.js|server\\.ts|cli\\.ts)$' },
      to: { path: '^src/(app|server|cli)\\.ts$' },
    },
    only('lib', [], 'leaves import nothing of ours'),
    only('contract', ['generated/', 'src/lib/']),
    {
      name: 'what-is-served-is-made-last',
      comment: 'the documents of a server derive from the contract, and nothing in it from them',
      severity: 'error',
      from: { path: '^src/contract/', pathNot: '^src/contract/served/' },
      to: { path: '^src/contract/served/' },
    },
    only('observe', ['src/lib/']),
    only(
      'processes',
      ['src/observe/joint-metrics', 'src/lib/'],
      'who supervises the processes loads nothing of the server',
    ),
    only('models', ['generated/types', 'src/contract/', 'src/lib/']),
    {
      ...only('wires/[^/]+', [
        'generated/types',
        'src/contract/',
        'src/lib/',
        modelsPort,
        'src/models/wire/custom-tools',
        'src/wires/',
      ]),
      comment: 'each knows the internal form, and neither vendors nor domains',
    },
    only(
      'wires',
      [
        'generated/',
        'src/contract/',
        'src/lib/',
        'src/metering/',
        'src/models/',
        'src/accounts/caller',
        'src/jobs/queue/(queue|task)',
        'src/kept/',
      ],
      'they meter requests and decide on the lane, for which they have to know what vendors speak',
    ),
    only(
      'store',
      ['generated/types', 'src/contract/', 'src/lib/', 'src/metering/leases/'],
      'the algorithm of leases is pure, and a store keeps what it counts',
    ),
    only(
      'redis',
      ['src/metering/leases/', 'src/contract/errors', 'src/store/errors', 'src/lib/'],
      'an adapter: what it is used for stands in the ports',
    ),
    only('jobs', ['src/store/', 'src/lib/'], 'jobs know neither builds nor agents'),
    only('config', [
      'generated/(features|agents)',
      'src/models/settings',
      'src/accounts/(plans|oidc/settings)',
      'src/metering/prices',
      'src/agents/(agent|settings)',
      'src/features/(declaration|template)',
      'src/lib/',
    ]),
    only(
      'accounts',
      ['generated/', 'src/contract/', 'src/lib/', 'src/store/'],
      'who may do how much; what is done with it is no concern of theirs',
    ),
    only(
      'metering',
      [
        'generated/',
        'src/accounts/(account-error|budgets|caller|plans|read-cursor|tenants)',
        'src/contract/',
        modelsPort,
        'src/store/',
        'src/lib/',
      ],
      'it meters the requests of accounts, and knows no other domain',
    ),
    only(
      'analytics',
      ['src/store/', 'src/lib/'],
      'what is settled leaves for analytics as it stands in the ledger',
    ),
    only('kept', ['src/store/', 'src/lib/'], 'who owns what vendors keep; what it is, the wires know'),
    only(
      'webhooks',
      [
        'generated/types',
        'src/accounts/(account-error|changes|read-cursor)',
        'src/jobs/queue/',
        'src/store/',
        'src/lib/',
      ],
      'who is told of what has happened; what that is, others know',
    ),
    only(
      'idempotency',
      ['src/accounts/caller', 'src/contract/', 'src/store/', 'src/lib/'],
      'whose keys they are; what is asked, it sees as bytes',
    ),
    only(
      'overload',
      ['src/accounts/(caller|plans)', 'src/contract/', 'src/lib/'],
      'whose request begins; what it is, is no concern of it',
    ),
    only('http', ['generated/', 'src/contract/', 'src/lib/', 'src/observe/']),
    only('handlers', ['generated/', 'src/contract/', 'src/lib/', 'src/wires/', domains.slice(1), modelsPort]),
    only('cli', [
      'generated/',
      'src/config/',
      'src/accounts/',
      'src/metering/',
      'src/webhooks/',
      'src/models/(catalogue|discovery/check-provider)',
      'src/store/',
      'src/redis/look',
      'src/observe/disk-check',
      'src/lib/',
    ]),
    only('pages', [
      'generated/types',
      'src/http/page',
      'src/accounts/',
      'src/metering/',
      'src/webhooks/',
      'src/factory/',
      'src/models/discovery/check-provider',
      'src/store/list-page',
      'src/contract/errors',
      'src/lib/',
    ]),
    {
      name: 'domains-know-no-http',
      severity: 'error',
      from: { path: domains },
      to: { path: '^src/(http|handlers|pages|config)/' },
    },
    {
      name: 'domains-know-ports-not-adapters',
      severity: 'error',
      from: { path: domains },
      to: { path: '^src/models/', pathNot: `^${modelsPort}` },
    },
    {
      name: 'koa-lives-in-http',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/http/' },
      to: { path: 'node_modules/(koa|koa-body|co-body|@fastify/busboy|openapi-backend|find-my-way)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};

/** A folder of src may import itself, these and packages; nothing else. */
function only(folder, allowed, comment) {
  const own = `src/${folder}/`;
  const paths = [own, ...allowed].map((path) => `^${path}`);
  return {
    name: `${folder}-imports-only-what-it-may`,
    severity: 'error',
    ...(comment ? { comment } : {}),
    from: { path: `^${own}` },
    to: { path: '^(src|generated|scripts|test)/', pathNot: paths },
  };
}
