const { pluginOas } = require('@kubb/plugin-oas');
const { pluginTs } = require('@kubb/plugin-ts');
const { pluginZod } = require('@kubb/plugin-zod');
const { pluginClient } = require('@kubb/plugin-client');

// Of an answer with several media types its types have one name twice, which files of all that a folder exports do not bear.
const barrelType = false;
const plugins = [
  pluginOas({ generators: [] }),
  pluginTs({ output: { path: 'types', barrelType } }),
  pluginZod({ output: { path: 'zod', barrelType } }),
  // Its client for fetch sends JSON as `text/plain`, and reads each answer as JSON.
  pluginClient({
    client: 'axios',
    bundle: true,
    dataReturnType: 'full',
    output: { path: 'clients', barrelType },
  }),
];

module.exports = ['openapi', 'openapi-3.0'].map((name) => ({
  name,
  input: { path: `./${name}.json` },
  output: { path: `./client/${name}`, barrelType, extension: { '.ts': '' }, format: false, lint: false },
  plugins,
}));
