/**
 * Runs OpenAPI Generator, in the version that makes our own client libraries, with the given arguments.
 *
 *   node test/conformance/generators/openapi-generator.ts -i openapi.json -g python -o client
 */
import { openApiGenerator } from '../../../scripts/clients/run.ts';

await openApiGenerator(process.argv.slice(2));
