const from = (document) => {
  const input = `./${document}.json`;
  const made = (client, override = {}) => ({
    input,
    output: {
      client,
      target: `./client/${document}/${client}.ts`,
      ...(client !== 'zod' && { schemas: `./client/${document}/model` }),
      baseUrl: { getBaseUrlFromSpecification: true },
      override,
    },
  });
  // Types of the clients for axios have the names of operations, and else those of schemas: `ClassifyResult`.
  const operationName = ({ operationId }) => `${operationId}Now`;
  return {
    [`${document} fetch`]: made('fetch'),
    [`${document} axios`]: made('axios-functions', { operationName }),
    [`${document} zod`]: made('zod'),
  };
};

module.exports = { ...from('openapi'), ...from('openapi-3.0') };
