const { pluginOas } = require('@kubb/plugin-oas');
const { pluginTs } = require('@kubb/plugin-ts');
const { pluginZod } = require('@kubb/plugin-zod');
const { pluginClient } = require('@kubb/plugin-client');

const plugins = [
  pluginOas({ generators: [] }),
  pluginTs({ output: { path: 'types' } }),
  pluginZod({ output: { path: 'zod' } }),
  // Its client for fetch sends JSON as `text/plain`, and reads each answer as JSON.
  pluginClient({
    client: 'axios',
    bundle: true,
    dataReturnType: 'full',
    output: { path: 'clients' },
  }),
];

module.exports = ['openapi', 'openapi-3.0'].map((name) => ({
  name,
  input: { path: `./${name}.json` },
  output: { path: `./client/${name}`, extension: { '.ts': '' }, format: false, lint: false },
  plugins,
}));
