/**
 * The tower of `src/`, checked by dependency-cruiser: each room imports only the rooms named beside it, all of which stand
 * further down. Type-only imports count too.
 */
const ground = ['generated/', 'src/contract/', 'src/lib/'];
const accounts = (...modules) => `src/tenants/accounts/(${modules.join('|')})`;

/** @type {Readonly<Record<string, readonly string[]>>} */
const tower = {
  pages: [
    ...ground,
    'src/http/page',
    'src/services/builds/',
    'src/services/mcp/servers',
    'src/factory/',
    'src/gateway/routing/discovery/check-provider',
    'src/background/webhooks/',
    'src/tenants/(accounts|metering)/',
    'src/limits/',
    'src/store/list-page',
  ],
  handlers: [
    ...ground,
    'src/services/',
    'src/factory/',
    'src/gateway/(lanes|wires)/',
    'src/background/webhooks/',
    'src/tenants/',
    'src/model/',
  ],
  cli: [
    ...ground,
    'src/config/',
    'src/gateway/routing/(catalogue|discovery/check-provider)',
    'src/services/agents/tools/mcp',
    'src/background/webhooks/',
    'src/tenants/(accounts|metering)/',
    'src/store/',
    'src/observe/disk-check',
  ],
  // Only it reads the environment; every part gets the settings that it declares.
  config: [
    'generated/(features|agents)',
    'src/services/(agents/settings|features/declaration)',
    'src/gateway/upstream/settings',
    'src/gateway/dialects/(dialect|rules)',
    'src/gateway/sandbox/models',
    accounts('plans', 'oidc/settings'),
    'src/model/usage',
    'src/lib/',
  ],
  // A domain knows neither HTTP nor vendors: it asks for models by the port in `model/`.
  'services/agents': [
    ...ground,
    'src/services/(features|builds/intake)',
    'src/background/jobs/',
    'src/tenants/(metering/|accounts/caller)',
    'src/model/',
    'src/store/',
  ],
  'services/mcp': [
    ...ground,
    'src/services/(agents|builds|features)/',
    'src/tenants/(metering/|accounts/caller)',
    'src/model/',
  ],
  'services/builds': [
    ...ground,
    'src/factory/',
    'src/background/jobs/',
    'src/tenants/',
    'src/model/',
    'src/store/',
  ],
  'services/chat': [...ground, 'src/gateway/wires/', 'src/tenants/metering/', 'src/model/'],
  'services/features': [...ground, 'src/tenants/metering/', 'src/model/'],
  factory: [...ground, 'src/model/'],
  'gateway/lanes': [
    ...ground,
    'src/gateway/',
    'src/background/(vendor-objects/|jobs/queue/(queue|task))',
    'src/tenants/metering/',
    accounts('caller'),
    'src/model/',
  ],
  'gateway/dialects': [...ground, 'src/gateway/(upstream/settings|wires/source-paths)', 'src/model/'],
  'gateway/routing': [...ground, 'src/gateway/(dialects|sandbox|upstream|wires/[^/]+/vendor)/', 'src/model/'],
  'gateway/sandbox': [...ground, 'src/gateway/upstream/', 'src/model/'],
  'gateway/wires': [...ground, 'src/gateway/upstream/', 'src/model/'],
  'gateway/upstream': [...ground, 'src/gateway/dialects/rules', 'src/model/'],
  'background/webhooks': [
    ...ground,
    'src/background/jobs/queue/',
    accounts('account-error', 'changes'),
    'src/store/',
  ],
  'background/(analytics|jobs|vendor-objects)': ['src/store/', 'src/lib/'],
  'tenants/(idempotency|overload)': [...ground, accounts('caller', 'plans'), 'src/store/'],
  'tenants/metering': [
    ...ground,
    accounts('account-error', 'budgets', 'caller', 'plans', 'tenants'),
    'src/limits/',
    'src/model/',
    'src/store/',
  ],
  'tenants/accounts': [...ground, 'src/store/'],
  sockets: [...ground, 'src/http/', 'src/gateway/wires/openai-responses/client/'],
  http: [...ground, 'src/observe/'],
  store: ['generated/types', 'src/contract/errors', 'src/limits/', 'src/lib/'],
  observe: ['src/lib/'],
  limits: ['src/lib/'],
  model: ['generated/types', 'src/contract/', 'src/lib/'],
  contract: ['generated/', 'src/lib/'],
  lib: [],
  // Who supervises processes loads nothing of the server that runs in them.
  'server/processes': ['src/observe/joint-metrics', 'src/lib/'],
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(tower).map(([room, below]) => ({
      name: `${room}-imports-only-what-stands-below`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: {
        path: '^(src|generated|scripts|test)/',
        pathNot: [`src/${room}/`, ...below].map((path) => `^${path}`),
      },
    })),
    never(
      'clients-and-vendors-meet-in-the-model',
      '^src/gateway/wires/[^/]+/client/',
      '^src/gateway/wires/[^/]+/vendor/',
    ),
    never('vendors-know-no-client', '^src/gateway/wires/[^/]+/vendor/', '^src/gateway/wires/[^/]+/client/'),
    // What is behind it can be moved about; whatever a room needs of the factory is named there.
    never('the-factory-has-one-door', '^src/(?!factory/)', '^src/factory/(?!factory[.]ts$)'),
    // Redis's client has 650 modules and takes 2.6 MB of V8's heap.
    {
      name: 'redis-is-loaded-where-there-is-one',
      severity: 'error',
      from: { path: '^src/(?!store/redis/)' },
      to: {
        path: '^src/store/redis/(?!address[.]ts$)',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    // The documents of a server derive from the contract, and nothing in it from them.
    never('what-is-served-is-made-last', '^src/contract/(?!served/)', '^src/contract/served/'),
    never(
      'koa-lives-in-http',
      '^src/(?!http/)',
      'node_modules/(koa|koa-body|@fastify/busboy|openapi-backend|find-my-way)/',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};

function never(name, from, to) {
  return { name, severity: 'error', from: { path: from }, to: { path: to } };
}
