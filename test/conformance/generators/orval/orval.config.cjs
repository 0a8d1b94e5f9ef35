const input = './openapi.json';

module.exports = {
  fetch: {
    input,
    output: {
      client: 'fetch',
      target: './client/client.ts',
      schemas: './client/model',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
  zod: { input, output: { client: 'zod', target: './client/zod.ts' } },
};
