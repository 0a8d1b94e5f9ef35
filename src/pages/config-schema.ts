import type { Page } from '../http/page.ts';
import { staticText } from '../lib/static-text.ts';

/** `/config.schema.json`: what editors complete and check the YAML file by. */
export function configSchemaPage(schema: object): Page {
  const { text, etag, gzip } = staticText(`${JSON.stringify(schema, null, 2)}\n`);
  return {
    path: '/config.schema.json',
    file: true,
    render: () => ({
      status: 200,
      mediaType: 'application/schema+json; charset=utf-8',
      body: text,
      etag,
      gzip,
      cacheControl: 'no-cache',
    }),
  };
}
